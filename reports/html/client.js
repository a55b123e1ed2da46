// What a script adds to the page: filters that live in the address, packed evidence, copying, themes and keys.
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const form = document.querySelector('.filters')
const rows = all('.row')
const axes = ['v', 'level', 'on']

for (const element of all('[hidden]')) element.hidden = false

// The address: `#id`, or `#/id?v=violated&level=MUST&on=registry&q=text`, in which every part may be left out.
function readAddress() {
  const hash = decodeURIComponent(location.hash.slice(1))
  if (!hash.startsWith('/')) return { id: hash, wanted: undefined }
  const [id, query = ''] = hash.slice(1).split('?')
  return { id, wanted: new URLSearchParams(query) }
}

function fill(wanted) {
  for (const box of all('input[type=checkbox]', form)) {
    box.checked = (wanted.get(box.name) ?? '').split(',').includes(box.value)
  }
  form.elements.q.value = wanted.get('q') ?? ''
}

function chosen() {
  const wanted = new URLSearchParams()
  for (const axis of axes) {
    const values = all(`input[name=${axis}]:checked`, form).map((box) => box.value)
    if (values.length > 0) wanted.set(axis, values.join(','))
  }
  if (form.elements.q.value.trim()) wanted.set('q', form.elements.q.value.trim())
  return wanted
}

function matches(row, wanted) {
  const words = (wanted.get('q') ?? '').toLowerCase().split(/\s+/)
  const text = row.textContent.toLowerCase()
  return (
    axes.every((axis) => !wanted.has(axis) || wanted.get(axis).split(',').includes(row.dataset[axis])) &&
    words.every((word) => text.includes(word))
  )
}

function filter() {
  const wanted = chosen()
  const visible = rows.filter((row) => {
    row.hidden = !matches(row, wanted)
    row.classList.remove('shown')
    return !row.hidden
  })
  for (const family of all('.family')) {
    const total = all('.row', family).length
    const shown = all('.row:not([hidden])', family).length
    family.hidden = shown === 0
    family.querySelector('.count').textContent = shown === total ? total : `${shown} of ${total}`
  }
  const hidden = rows.length - visible.length
  form.querySelector('.showing span').textContent =
    hidden === 0 ? `All ${rows.length} shown.` : `${visible.length} shown, ${hidden} hidden by the filter.`
  form.querySelector('[type=reset]').hidden = hidden === 0
}

function writeAddress() {
  const query = decodeURIComponent(chosen().toString())
  history.replaceState(null, '', query ? `#/?${query}` : '#requirements')
  filter()
}

// A requirement that an address names is shown whatever the filter.
function show(id) {
  const element = document.getElementById(id)
  if (!element) return
  if (element.hidden) {
    element.hidden = false
    element.classList.add('shown')
    element.closest('.family').hidden = false
  }
  const details = element.closest('details') ?? element.querySelector('details')
  if (details && element.matches('.row, .finding')) details.open = true
  element.scrollIntoView()
}

function follow() {
  const { id, wanted } = readAddress()
  if (wanted) fill(wanted)
  filter()
  if (id) show(id)
  else if (wanted) document.getElementById('requirements').scrollIntoView()
}

let unpacked
async function evidence() {
  const bytes = Uint8Array.from(atob(document.getElementById('held').textContent), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

async function unfold(row) {
  const place = row.querySelector('[data-held]')
  if (!place) return
  unpacked ??= evidence()
  try {
    const html = (await unpacked)[place.dataset.held]
    const holder = document.createElement('div')
    holder.innerHTML = html
    for (const element of all('[hidden]', holder)) element.hidden = false
    place.replaceWith(holder)
  } catch {
    place.textContent = 'This browser cannot unpack the exchanges; they are in report.json.'
  }
}

async function copy(button) {
  const { textContent: text } = button.parentElement.querySelector('pre')
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Off https there is no clipboard but the old way.
    getSelection().selectAllChildren(button.parentElement.querySelector('pre'))
    document.execCommand('copy')
  }
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

function step(by) {
  const findings = all('.finding')
  const current = findings.findIndex((finding) => finding.id === readAddress().id)
  const next = findings[current < 0 && by < 0 ? findings.length - 1 : current + by]
  if (next) location.hash = next.id
}

const themes = ['light', 'dark']
function changeTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const current = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light')
  document.documentElement.dataset.theme = themes[1 - themes.indexOf(current)]
}

addEventListener('hashchange', follow)
addEventListener('keydown', (event) => {
  if (event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'j') step(1)
  if (event.key === 'k') step(-1)
  if (event.key === '/') {
    event.preventDefault()
    form.elements.q.focus()
  }
})
document.addEventListener('click', (event) => {
  if (event.target.matches('.copy')) void copy(event.target)
  if (event.target.id === 'theme') changeTheme()
})
document.addEventListener(
  'toggle',
  (event) => event.target.matches('.row[open]') && unfold(event.target),
  true,
)
form.addEventListener('input', writeAddress)
form.addEventListener('reset', () => setTimeout(writeAddress))
form.addEventListener('submit', (event) => event.preventDefault())
follow()
