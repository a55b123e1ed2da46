import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const asset = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The control surface for a person: what was received, the faults, the clock and the reset. It loads nothing. */
export function page(): Response {
  const [style, script] = [asset('page.css'), asset('page-client.js')]
  const policy = [
    "default-src 'none'",
    "connect-src 'self'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') }
  return new Response(html(style, script), { headers })
}

const html = (style: string, script: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay mocks</title>
<style>${style}</style>
</head>
<body>
<h1>Assay mocks</h1>
<p id="problem" role="alert"></p>
<h2>Clock</h2>
<p><code id="now"></code>
<button type="button" data-advance="60000">+ 1 min</button>
<button type="button" data-advance="3600000">+ 1 h</button>
<button type="button" data-advance="86400000">+ 1 day</button>
<button type="button" id="run">Let it run</button>
<button type="button" id="reset">Reset the stack</button></p>
<h2>Faults, variations and cheats</h2>
<form id="switch"><input id="id" list="known" placeholder="ID, as assay faults lists them" aria-label="ID" required>
<datalist id="known"></datalist>
<button>Switch on</button><button type="button" id="none">All off</button></form>
<table><tbody id="active"></tbody></table>
<h2>Received <span class="soft" id="count"></span></h2>
<table><thead><tr><th>#</th><th>service</th><th>request</th><th>operation</th><th>account</th><th>answer</th><th>took</th></tr></thead>
<tbody id="requests"></tbody></table>
<script type="module">${script}</script>
</body>
</html>
`
