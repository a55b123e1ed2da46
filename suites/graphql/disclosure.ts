import { isObject } from './answers.ts'

const patterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace', /\n\s*at \S+.*:\d+|goroutine \d+ \[|Traceback \(most recent call last\)/],
  [
    'a path of a file',
    /(?:^|[\s"'(])(?:file:\/\/)?\/(?:home|usr|app|srv|var|opt|root|tmp)\/[\w./-]+|[A-Z]:\\\w+|node_modules/,
  ],
  [
    'a query of a database',
    /\bselect\b.+\bfrom\b|\binsert into\b|SQLSTATE|syntax error at or near|\bprisma\b/i,
  ],
  [
    'an error of a connection behind the service',
    /\bE(?:CONNREFUSED|NOTFOUND|CONNRESET)\b|connection refused/i,
  ],
  [
    'a host of the inside',
    /\b(?:localhost|127\.0\.0\.1|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+)(?::\d+)?\b|\.svc\.cluster|\.internal\b/,
  ],
]

/** What an error gives away of the inside of the service, each in words. */
export function internalsIn(error: unknown): readonly string[] {
  return textsOf(error).flatMap(([name, text]) => [
    ...(/^(?:stack|stacktrace|exception)$/i.test(name) ? [`a member ${name}`] : []),
    ...patterns.filter(([, pattern]) => pattern.test(text)).map(([what]) => what),
  ])
}

/** Every text in a value, with the name of the member that it stands under. */
function textsOf(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, name))
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => textsOf(item, key)) : []
}
