/** Reads the query of an RPC request against what its command declares, refusing it in Kubo's words. */
import type { Argument, OptionKind, Options } from './call.ts'

/** A request that Kubo answers with 400 and one line of text. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
}

/** Options that every command has. */
const globalOptions: Readonly<Record<string, OptionKind>> = {
  encoding: 'string',
  enc: 'string',
  timeout: 'string',
  'cid-base': 'string',
  'upgrade-cidv0-in-output': 'bool',
  'stream-channels': 'bool',
  offline: 'bool',
}

const falseWords = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])
const trueWords = new Set(['1', 't', 'T', 'true', 'TRUE', 'True', ''])

export function parseOptions(
  query: URLSearchParams,
  declared: Readonly<Record<string, OptionKind>>,
  aliases: Readonly<Record<string, string>>,
): Options {
  const values = new Map<string, string | number | boolean>()
  for (const given of new Set(query.keys())) {
    const name = aliases[given] ?? given
    const kind = declared[name] ?? globalOptions[name]
    if (given === 'arg' || !kind) continue
    const all = query.getAll(given)
    if (all.length > 1) {
      throw new BadRequest(`expected key ${name} to have only a single value, received [${all.join(' ')}]`)
    }
    values.set(name, convert(name, kind, all[0] ?? ''))
  }
  return {
    has: (name) => values.has(name),
    flag: (name, otherwise) => {
      const value = values.get(name)
      return typeof value === 'boolean' ? value : otherwise
    },
    number: (name) => {
      const value = values.get(name)
      return typeof value === 'number' ? value : undefined
    },
    text: (name) => {
      const value = values.get(name)
      return typeof value === 'string' ? value : undefined
    },
  }
}

function convert(name: string, kind: OptionKind, text: string): string | number | boolean {
  if (kind === 'string') return text
  if (kind === 'bool') {
    if (trueWords.has(text)) return true
    if (falseWords.has(text)) return false
  } else if ((kind === 'uint' ? /^\d+$/ : /^[+-]?\d+$/).test(text)) {
    const number = Number(text)
    if (Number.isSafeInteger(number)) return number
  }
  throw new BadRequest(
    `could not convert value ${JSON.stringify(text)} to type "${kind}" (for option "-${name}")`,
  )
}

/** Checks the arguments of a command. A multipart body may stand for the last text argument. */
export function checkArguments(
  args: readonly string[],
  declared: readonly Argument[],
  hasFiles: boolean,
): void {
  for (const [index, { name, kind, required }] of declared.entries()) {
    if (!required) continue
    if (kind === 'file' && !hasFiles) throw new BadRequest(`file argument '${name}' is required`)
    const given = index < args.length || (hasFiles && index === declared.length - 1)
    if (kind === 'text' && !given) throw new BadRequest(`argument "${name}" is required`)
  }
}
