import type { Report, RequirementResult } from '../../harness/report.ts'
import { causeWords } from '../findings.ts'
import { duration, number } from '../words.ts'
import { exchangeCount } from './exchange.ts'
import { comparison } from './finding.ts'
import { mark, names, verdicts } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { sourceLink } from './source-link.ts'

/** Every requirement of the run, by the first two parts of its id, with the filters that a script brings to life. */
export function requirementsSection({ requirements }: Report, held: ReadonlySet<string>): Markup {
  return markup`<section id="requirements"><h2>All requirements <span class="count">${number(requirements.length)}</span></h2>
${filters(requirements)}
${families(requirements).map(
  ([name, results]) =>
    markup`<section class="family"><h3><code>${name}</code> <span class="count">${results.length}</span></h3><div class="panel">${results.map((result) => row(result, held.has(result.id)))}</div></section>`,
)}</section>`
}

function families(requirements: readonly RequirementResult[]): [name: string, RequirementResult[]][] {
  const families = new Map<string, RequirementResult[]>()
  for (const result of requirements) {
    const name = result.id.split('.').slice(0, 2).join('.')
    families.set(name, [...(families.get(name) ?? []), result])
  }
  return [...families]
}

function filters(requirements: readonly RequirementResult[]): Markup {
  const present = <T extends string>(of: (result: RequirementResult) => T) => new Set(requirements.map(of))
  const used = present(({ verdict }) => verdict)
  return markup`<form class="filters" hidden role="search"><input type="search" name="q" placeholder="Search ids, sentences, reasons" aria-label="Search requirements">
<fieldset><legend>verdict</legend>${verdicts.filter((verdict) => used.has(verdict)).map((verdict) => chip('v', verdict, markup`${mark(verdict, 12)} ${names[verdict]}`))}</fieldset>
<fieldset><legend>level</legend>${[...present(({ level }) => level)].map((level) => chip('level', level, level))}</fieldset>
<fieldset><legend>interface</legend>${[...present((result) => result.interface)].map((name) => chip('on', name, name))}</fieldset>
<p class="showing" aria-live="polite"><span></span> <button type="reset">Show all</button></p></form>`
}

const chip = (name: string, value: string, label: Markup | string) =>
  markup`<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span>${label}</span></label>`

function row(result: RequirementResult, isHeld: boolean): Markup {
  const { id, verdict, level, statement, durationMs } = result
  const isFinding = verdict === 'violated' || verdict === 'deviates' || verdict === 'error'
  const anchor = isFinding ? undefined : markup` id="${id}"`
  return markup`<details class="row"${anchor} data-id="${id}" data-v="${verdict}" data-level="${level}" data-on="${result.interface}"><summary>${mark(verdict, 14, true)}<span class="title"><code>${id}</code><span>${statement}</span></span><small class="level">${level}</small><small class="time">${durationMs > 0 && duration(durationMs)}</small></summary>
<div class="inside">${isFinding ? markup`<p><a href="#${id}">See the finding</a></p>` : account(result, isHeld)}</div></details>`
}

function account(result: RequirementResult, isHeld: boolean): Markup {
  const { cause, reason, expected, seen, exchanges, source } = result
  const evidence = isHeld
    ? markup`<p class="held" data-held="${result.id}">${exchangeCount(exchanges)}, unfolded by the script of this page; also in report.json.</p>`
    : exchanges.length > 0 && markup`<p class="omitted">${exchangeCount(exchanges)}, in report.json.</p>`
  return markup`${reason && markup`<p class="reason">${cause && `${causeWords[cause]}: `}${reason}</p>`}${comparison(expected, seen)}<p class="source">${sourceLink(source)} · ${result.interface}</p>${evidence}`
}
