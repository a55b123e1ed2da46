// The page of the control surface: it does what a program does, by the same requests.
const at = (id) => document.getElementById(id)
const shownRequests = 200
let known = ''

async function call(method, path, body) {
  const response = await fetch(`/_mock/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  const answer = text === '' ? {} : JSON.parse(text)
  if (!response.ok) throw new Error(answer.error?.message ?? `${method} ${path} answered ${response.status}`)
  return answer
}

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text ?? '–', ...more })
}

function row(cells) {
  const line = document.createElement('tr')
  line.append(...cells.map((cell) => (cell instanceof Node ? cell : element('td', cell))))
  return line
}

async function show() {
  const [clock, faults, received] = await Promise.all([
    call('GET', 'clock'),
    call('GET', 'faults'),
    call('GET', 'requests'),
  ])
  at('now').textContent = clock.now
  showFaults(faults)
  at('count').textContent = `${received.requests.length} kept, ${received.dropped} dropped`
  at('requests').replaceChildren(
    ...received.requests
      .slice(-shownRequests)
      .reverse()
      .map((entry) =>
        row([
          String(entry.seq),
          entry.service,
          `${entry.method} ${entry.path}`,
          entry.operation,
          entry.account,
          entry.outcome === 'answered' ? String(entry.status) : entry.outcome,
          entry.ms === null ? null : `${Math.round(entry.ms)} ms`,
        ]),
      ),
  )
}

function showFaults({ active, known: ids }) {
  at('active').replaceChildren(
    ...active.map(({ id, hits }) => {
      const off = element('button', 'off', {
        onclick: () => act('DELETE', `faults/${encodeURIComponent(id)}`),
      })
      const cell = document.createElement('td')
      cell.append(off)
      return row([id, `met ${hits}`, cell])
    }),
  )
  if (ids.length === known) return
  known = ids.length
  at('known').replaceChildren(...ids.map((id) => element('option', id, { value: id })))
}

async function act(method, path, body) {
  at('problem').textContent = ''
  try {
    await call(method, path, body)
    await show()
  } catch (error) {
    at('problem').textContent = error.message
  }
}

at('reset').onclick = () => act('POST', 'reset')
at('run').onclick = () => act('PUT', 'clock', {})
for (const button of document.querySelectorAll('[data-advance]')) {
  button.onclick = () => act('PUT', 'clock', { advanceMs: Number(button.dataset.advance) })
}
at('switch').onsubmit = (event) => {
  event.preventDefault()
  void act('PUT', `faults/${encodeURIComponent(at('id').value.trim())}`, {})
}
at('none').onclick = () => act('DELETE', 'faults')

const again = () =>
  show().catch((error) => {
    at('problem').textContent = error.message
  })
void again()
setInterval(again, 2000)
