import { quoted, variableName } from './shell-words.ts'

/** Where the recorder took out a secret, it left the secret's label in brackets; values of answers are marked alike. */
const placeholder =
  /\[((?:password|token|basic credentials) of [\w-]+|[\w-]+ platform token|registry token|signing key|token|credentials|answer \d+ \w+)\]/

/** Whether a recorded text lacks something that a script has to be given. */
export const hasPlaceholder = (text: string) => placeholder.test(text)

/** The text as a shell word in which each secret is what `expand` makes of its label. */
export function shellWord(text: string, expand: (label: string) => string): string {
  const parts = text.split(placeholder)
  const words = parts.map((part, index) => (index % 2 === 0 ? part && quoted(part) : expand(part)))
  return words.join('') || "''"
}

/** The variable for a value of an earlier answer; `undefined` where the label is that of a secret. */
export function valueVariable(label: string): string | undefined {
  const [, step, key] = /^answer (\d+) (\w+)$/.exec(label) ?? []
  return step === undefined ? undefined : `value_${step}_${key}`
}

/** The variable that holds the secret with this label: `password of owner` → `OWNER_PASSWORD`. */
export function variableOf(label: string, step: number): string {
  if (label === 'credentials' || label === 'token') return `${label.toUpperCase()}_${step}`
  const [what, whose] = label.split(' of ')
  return variableName(whose ? `${whose} ${what}` : label)
}
