import { mark, names } from '../html/marks.ts'
import { type Markup, markup } from '../html/markup.ts'
import { number, plural } from '../words.ts'
import { type Catch, fooling, type Matrix, type TriedCheat } from './matrix.ts'

/** Cheats that a run would call conformant: they come first, where there are any. */
export function fooledSection({ cheats }: Matrix): Markup | undefined {
  const fooled = fooling(cheats)
  if (fooled.length === 0) return undefined
  return markup`<section id="fooled"><h2>Called conformant, and is not</h2><div class="panel">${fooled.map(({ id, what }) => markup`<p class="alarm"><a href="#cheat:${id}"><code>${id}</code></a> ${what}</p>`)}</div></section>`
}

/** Targets that only look conformant, and what convicts each. */
export function cheatsSection({ cheats }: Matrix): Markup | undefined {
  if (cheats.length === 0) return undefined
  return markup`<section id="cheats"><h2>Cheats <span class="count">${number(cheats.length)}</span></h2>
<p class="lead">Targets that only look conformant. Each is judged by every MUST of a registry, and may not be called conformant. Try one: <code>assay serve --fault ID</code>.</p>
<div class="panel">${cheats.map(row)}</div></section>`
}

function row({ id, what, judged, convicting, convictedBy }: TriedCheat): Markup {
  const isFooled = convicting === 0
  return markup`<details class="row" id="cheat:${id}" data-state="${isFooled ? 'escaped' : 'caught'}"><summary>${mark(isFooled ? 'violated' : 'holds', 14)}<span class="title"><code>${id}</code><span>${what}</span></span><small>convicted by ${number(convicting)} of ${number(judged)}</small></summary>
<div class="inside">${isFooled ? 'Nothing convicts it: a run would call it conformant.' : markup`<p>Convicted by ${number(convicting)} of ${plural(judged, 'MUST')} of a registry, each violated or without what it rests on${convicting > convictedBy.length && '; among them'}:</p><ul class="trials">${convictedBy.map(convict)}</ul>`}</div></details>`
}

const convict = ({ requirement, verdict, reason }: Catch) =>
  markup`<li><b class="is-red">${names[verdict]}</b><div><a href="#${requirement}"><code>${requirement}</code></a><p class="soft">${reason}</p></div></li>`
