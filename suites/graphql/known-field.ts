import type { Answer } from '../../harness/answer.ts'
import type { Platform } from '../platform.ts'
import { isObject, jsonOf } from './answers.ts'

/**
 * Whether a root field exists: one that does is refused for its missing arguments and selections, if at all, and not in
 * the words in which a field is refused that surely does not exist.
 */
export async function isKnown(
  platform: Platform,
  operation: 'query' | 'mutation',
  field: string,
): Promise<boolean> {
  const stranger = `${field}ThatNobodyHas`
  const ask = (name: string) => platform.post({ query: `${operation} { ${name} { nosuch } }` })
  const [asked, unknown] = await Promise.all([ask(field), ask(stranger)])
  return wordsOf(asked, field) !== wordsOf(unknown, stranger)
}

/** The first message without the name of the field, its place, and what the service proposes instead. */
function wordsOf(answer: Answer, name: string): string | undefined {
  const body = jsonOf(answer)
  const errors = isObject(body) ? body['errors'] : undefined
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  const message = isObject(first) ? first['message'] : undefined
  if (typeof message !== 'string') return undefined
  return message
    .replaceAll(name, '?')
    .replace(/\s*Did you mean[\s\S]*$/i, '')
    .replace(/\d+/g, '')
}
