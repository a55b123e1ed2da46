import { mark, names } from '../html/marks.ts'
import { type Markup, markup } from '../html/markup.ts'
import { number } from '../words.ts'
import type { Matrix, TriedVariation } from './matrix.ts'

/** What turned red although nothing was wrong: it comes first, where there is any. */
export function alarmsSection({ unclean, variations }: Matrix): Markup | undefined {
  const alarmed = variations.filter(({ alarms }) => alarms.length > 0)
  if (unclean.length + alarmed.length === 0) return undefined
  const alarm = (why: Markup, requirement: string, reason: string) =>
    markup`<p class="alarm">${why} <a href="#${requirement}"><code>${requirement}</code></a> ${reason}</p>`
  return markup`<section id="alarms"><h2>Red without a fault</h2><div class="panel">${unclean.map(({ requirement, verdict, reason }) => alarm(markup`${names[verdict]} without a fault:`, requirement, reason))}${alarmed.flatMap(({ id, alarms }) => alarms.map(({ requirement, reason }) => alarm(markup`under <a href="#variation:${id}"><code>${id}</code></a>:`, requirement, reason)))}</div></section>`
}

/** Correct ways to behave under which nothing may turn red. */
export function variationsSection({ variations }: Matrix): Markup | undefined {
  if (variations.length === 0) return undefined
  return markup`<section id="variations"><h2>Harmless variations <span class="count">${number(variations.length)}</span></h2>
<p class="lead">Correct ways to behave that differ from the mocks'. Every requirement is judged under each; nothing may turn red.</p>
<div class="panel">${variations.map(row)}</div></section>`
}

function row({ id, what, alarms }: TriedVariation): Markup {
  return markup`<details class="row" id="variation:${id}" data-state="${alarms.length === 0 ? 'caught' : 'escaped'}"><summary>${mark(alarms.length === 0 ? 'holds' : 'violated', 14)}<span class="title"><code>${id}</code><span>${what}</span></span></summary>
<div class="inside">${alarms.length === 0 ? 'Nothing turns red.' : markup`<ul class="trials">${alarms.map(({ requirement, reason }) => markup`<li><div><a href="#${requirement}"><code>${requirement}</code></a><p class="soft">${reason}</p></div></li>`)}</ul>`}</div></details>`
}
