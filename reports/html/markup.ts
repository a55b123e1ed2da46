import { printable } from '../printable.ts'

/** HTML. Only `markup` makes it, so that nothing gets into a page without having been escaped. */
export class Markup {
  readonly #html: string

  constructor(html: string) {
    this.#html = html
  }

  toString(): string {
    return this.#html
  }
}

/** What may stand in a template: text is escaped, a list is joined, nothing is left out. */
export type Content = string | number | Markup | undefined | false | readonly Content[]

/** HTML from a template whose values are escaped unless they are HTML already. Attribute values must stand in double quotes. */
export function markup(literals: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(literals.reduce((html, literal, index) => html + written(values[index - 1]) + literal))
}

/** Text that is HTML already and comes from this project: a style sheet, a script. */
export function trusted(html: string): Markup {
  return new Markup(html)
}

function written(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Markup) return content.toString()
  if (typeof content === 'object') return content.map(written).join('')
  return printable(String(content)).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
