import { asset, document } from '../html/document.ts'
import { sprite } from '../html/marks.ts'
import { type Markup, markup } from '../html/markup.ts'
import { number } from '../words.ts'
import { byFault } from './by-fault.ts'
import { byRequirement } from './by-requirement.ts'
import { cheatsSection, fooledSection } from './cheats.ts'
import { filters } from './filters.ts'
import { masthead, verdictOf } from './masthead.ts'
import type { Matrix } from './matrix.ts'
import { alarmsSection, variationsSection } from './variations.ts'

const style = ['page', 'masthead', 'findings', 'requirements', '../matrix/matrix', 'media']
  .map((part) => asset(`${part}.css`))
  .join('')
const script = asset('../matrix/client.js')

/** The matrix as a page of one file that needs no network, and no script to be read. */
export function matrixHtml(matrix: Matrix): string {
  const { faults } = matrix.summary
  return document({
    title: `${number(faults.caught)} of ${number(faults.all)} faults caught · Assay`,
    description: verdictOf(matrix),
    icon: matrix.summary.sound ? 'well' : 'wrong',
    style,
    script,
    body: markup`${sprite}
${navigation(matrix)}
<main data-faults="${matrix.faultsDigest}">
${masthead(matrix)}
${fooledSection(matrix)}
${alarmsSection(matrix)}
${filters(matrix)}
${byRequirement(matrix)}
${byFault(matrix)}
${variationsSection(matrix)}
${cheatsSection(matrix)}
</main>
<footer><p>Made by <code>assay prove</code> ${matrix.tool.version}. The same as data: <code>assay prove --report json=PATH</code>. One fault in full: <code>assay explain ID</code>. Key: <kbd>/</kbd> searches.</p></footer>`,
  })
}

function navigation({ requirements, faults, variations, cheats }: Matrix): Markup {
  const link = (id: string, name: string, count: number) =>
    markup`<a href="#${id}">${name} <span class="count">${number(count)}</span></a> `
  return markup`<nav aria-label="Sections">${link('requirements', 'By requirement', requirements.length)}${link('faults', 'By fault', faults.length)}${variations.length > 0 && link('variations', 'Variations', variations.length)}${cheats.length > 0 && link('cheats', 'Cheats', cheats.length)}<button type="button" id="theme" hidden>Theme</button></nav>`
}
