import type { RegistryTarget } from '../../harness/target.ts'
import { madeUpToken } from './refusals.ts'

const internals: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace of JavaScript', /\n\s+at .+:\d+:\d+/],
  ['a stack trace of Go', /goroutine \d+ \[|\/[\w.-]+\.go:\d+/],
  ['a stack trace of Java', /\n\s+at [\w.$]+\([\w.]+\.java/],
  ['a stack trace of Python', /Traceback \(most recent call last\)/],
  ['the address of a database', /\bpostgres(?:ql)?:\/\/|:5432\b/],
  ['the address of a storage node', /:5001\b|\/api\/v0\//],
  [
    'an error of a connection behind the service',
    /\b(?:ECONNREFUSED|ENOTFOUND|connect: connection refused)\b/,
  ],
  ['a JSON Web Token', /\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\./],
]

/** What a body gives away, each named without being repeated. `token`: the one that was sent, if any. */
export function leaks(text: string, target: RegistryTarget, token?: string): readonly string[] {
  // A line end in JSON is two characters.
  const body = text.replaceAll('\\n', '\n')
  const passwords = Object.values(target.accounts ?? {}).flatMap((account) =>
    account ? [account.password] : [],
  )
  const secrets = [
    ...passwords.map((secret) => ['a password', secret] as const),
    ...[target.token, token].flatMap((secret) => (secret ? [['a token', secret] as const] : [])),
    ['the token that was sent', madeUpToken] as const,
  ]
  return [
    ...secrets.filter(([, secret]) => repeats(text, secret)).map(([what]) => what),
    ...internals.filter(([, pattern]) => pattern.test(body)).map(([what]) => what),
  ]
}

const repeats = (text: string, secret: string) =>
  text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))
