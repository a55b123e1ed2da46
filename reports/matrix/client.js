// What a script adds to the matrix: filters that live in the address, and themes.
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const form = document.querySelector('.filters')
const rows = all('.row')
const axes = ['state', 'kind', 'level']
const count = (number) => number.toLocaleString('en-US')
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]))

for (const element of all('[hidden]')) element.hidden = false

// The address: `#id`, `#fault:id`, or `#/?state=caught&kind=security&level=MUST&q=text`, of which any part may be left out.
function readAddress() {
  const hash = decodeURIComponent(location.hash.slice(1))
  if (!hash.startsWith('/')) return { id: hash, wanted: undefined }
  return { id: '', wanted: new URLSearchParams(hash.split('?')[1] ?? '') }
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

// A row that knows nothing of an axis is left out once the axis is chosen, as faults are by a level.
function matches(row, wanted) {
  const words = (wanted.get('q') ?? '').toLowerCase().split(/\s+/)
  const fits = (axis) => {
    const held = (row.dataset[axis] ?? '').split(' ')
    return wanted
      .get(axis)
      .split(',')
      .some((value) => held.includes(value))
  }
  return (
    axes.every((axis) => !wanted.has(axis) || fits(axis)) &&
    words.every((word) => texts.get(row).includes(word))
  )
}

function filter() {
  const wanted = chosen()
  let shown = 0
  for (const row of rows) {
    row.hidden = !matches(row, wanted)
    if (!row.hidden) shown += 1
  }
  for (const family of all('.family')) {
    const total = all('.row', family).length
    const visible = all('.row:not([hidden])', family).length
    family.hidden = visible === 0
    family.querySelector('.count').textContent = visible === total ? total : `${visible} of ${total}`
  }
  const hidden = rows.length - shown
  form.querySelector('.showing span').textContent =
    hidden === 0
      ? `All ${count(rows.length)} requirements, faults, variations and cheats shown.`
      : `${count(shown)} of ${count(rows.length)} requirements, faults, variations and cheats shown.`
  form.querySelector('[type=reset]').hidden = hidden === 0
}

function writeAddress() {
  const query = decodeURIComponent(chosen().toString())
  history.replaceState(null, '', query ? `#/?${query}` : location.pathname)
  filter()
}

// What an address names is shown whatever the filter.
function show(id) {
  const element = document.getElementById(id)
  if (!element) return
  element.hidden = false
  const family = element.closest('.family')
  if (family) family.hidden = false
  if (element.matches('details')) element.open = true
  element.scrollIntoView()
}

function follow() {
  const { id, wanted } = readAddress()
  if (wanted) fill(wanted)
  filter()
  if (id) show(id)
}

const themes = ['light', 'dark']
function changeTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const current = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light')
  document.documentElement.dataset.theme = themes[1 - themes.indexOf(current)]
}

addEventListener('hashchange', follow)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input') || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  form.elements.q.focus()
})
document.addEventListener('click', (event) => {
  if (event.target.id === 'theme') changeTheme()
})
form.addEventListener('input', writeAddress)
form.addEventListener('reset', () => setTimeout(writeAddress))
form.addEventListener('submit', (event) => event.preventDefault())
follow()
