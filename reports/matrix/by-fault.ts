import { mark, names } from '../html/marks.ts'
import { type Markup, markup } from '../html/markup.ts'
import { number } from '../words.ts'
import { kindTag } from './kinds.ts'
import type { Catch, Matrix, TriedFault } from './matrix.ts'

/** Each fault with the requirements that catch it, and what a good client does when it meets it. */
export function byFault({ faults }: Matrix): Markup {
  const areas = new Map<string, TriedFault[]>()
  for (const fault of faults) {
    const area = fault.id.split('.').slice(0, 2).join('.')
    areas.set(area, [...(areas.get(area) ?? []), fault])
  }
  return markup`<section id="faults"><h2>By fault <span class="count">${number(faults.length)}</span></h2>
<p class="lead">Try your own client against one: <code>assay serve --fault ID</code>.</p>
${[...areas].map(([area, some]) => markup`<section class="family"><h3><code>${area}</code> <span class="count">${some.length}</span></h3><div class="panel">${some.map(row)}</div></section>`)}</section>`
}

function row({ id, what, kind, caught, client, by }: TriedFault): Markup {
  return markup`<details class="row" id="fault:${id}" data-state="${caught ? 'caught' : 'escaped'}" data-kind="${kind}"><summary>${mark(caught ? 'holds' : 'violated', 14)}<span class="title"><code>${id}</code><span>${what}</span></span>${kindTag(kind)}</summary>
<div class="inside">${client !== undefined && markup`<p><b>A good client</b> ${client}.</p>`}<ul class="trials">${by.map(catcher)}</ul></div></details>`
}

/** Why it turned red stands with the requirement; why it did not is told here as well. */
function catcher({ requirement, verdict, reason }: Catch): Markup {
  const isRed = verdict === 'violated' || verdict === 'deviates'
  return markup`<li><b class="${isRed ? 'is-red' : 'is-missed'}">${names[verdict]}</b><div><a href="#${requirement}"><code>${requirement}</code></a>${!isRed && markup`<p class="soft">${reason}</p>`}</div></li>`
}
