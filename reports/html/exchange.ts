import type { Exchange, RecordedBody } from '../../harness/exchange.ts'
import { bodyText } from '../exchange-text.ts'
import { duration, plural } from '../words.ts'
import { type Markup, markup } from './markup.ts'

/** The exchanges of a requirement as a timeline; those that `open` names are unfolded. */
export function timeline(exchanges: readonly Exchange[], open?: Exchange): Markup {
  return markup`<ol class="timeline">${exchanges.map((exchange) => step(exchange, exchange === open))}</ol>`
}

/** The script that repeats the exchanges, folded. */
export function script(reproduce: string): Markup {
  return markup`<details class="script"><summary>Repeat with curl</summary><div class="copied"><button type="button" class="copy" hidden>Copy</button><pre>${reproduce}</pre></div></details>`
}

function step(exchange: Exchange, open: boolean): Markup {
  const { request, response, failure, durationMs } = exchange
  const status = response ? markup`<b class="status">${response.status}</b>` : ''
  return markup`<li${open && markup` class="decisive"`}><details${open && markup` open`}><summary><b class="method">${request.method}</b> <span class="path">${path(request.url)}</span> <span class="outcome">${status} ${failure && markup`<b class="status failed">${failure}</b>`} <span class="time">${duration(durationMs)}</span></span></summary>
<div class="messages"><div><h5>Request</h5><pre>${markup`<b>${request.method} ${request.url}</b>`}${headers(request.headers)}${body(request.body)}</pre></div>
<div><h5>Answer</h5>${response ? markup`<pre><b>${response.status}</b>${headers(response.headers)}${body(response.body)}</pre>` : ''}${failure && markup`<p class="failed">${failure}</p>`}</div></div></details></li>`
}

const headers = (pairs: Exchange['request']['headers']) =>
  pairs.map(([name, value]) => markup`\n<span class="name">${name}:</span> ${value}`)

function body(recorded: RecordedBody | undefined): Markup | undefined {
  const text = recorded ? bodyText(recorded) : ''
  return text === '' ? undefined : markup`\n\n<span class="body">${text}</span>`
}

function path(url: string): string {
  if (!URL.canParse(url)) return url
  return url.slice(new URL(url).origin.length) || '/'
}

/** `3 exchanges in 12 ms`. */
export function exchangeCount(exchanges: readonly Exchange[]): string {
  return plural(exchanges.length, 'exchange')
}
