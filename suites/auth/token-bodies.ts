import type { AccountCredentials } from '../../harness/target.ts'

/** Bodies of requests to a token service, as right or as wrong as a requirement wants them. */

const jsonType = { 'content-type': 'application/json' } as const
const formType = { 'content-type': 'application/x-www-form-urlencoded' } as const

/** Any value as a JSON body. */
export const json = (value: unknown) => ({ headers: jsonType, body: JSON.stringify(value) })

/** A form; a name may stand more than once. */
export const form = (fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[]) => ({
  headers: formType,
  body: new URLSearchParams(fields as Record<string, string>).toString(),
})

/** Right bodies under every Content-Type that does not fit them, and under none. */
export function misfits({ username, password }: AccountCredentials) {
  const bodies = [json({ username, password }), form({ username, password })] as const
  const types = [{ 'content-type': 'text/plain' }, {}] as const
  return [
    { ...bodies[0], headers: formType },
    { ...bodies[1], headers: jsonType },
    ...types.flatMap((headers) => bodies.map(({ body }) => ({ headers, body }))),
  ]
}

/** Requests that lack the username or the password, have one of them empty or null, or have one twice. */
export function partial({ username, password }: AccountCredentials) {
  const halves = [{ username }, { password }, { username: '', password }, { username, password: '' }]
  const twice = [
    ['username', username],
    ['username', username],
    ['password', password],
  ] as const
  return [
    ...halves.flatMap((half) => [json(half), form({ ...half } as Record<string, string>)]),
    json({ username: null, password }),
    json({ username, password: null }),
    form(twice),
    ...[username, ':', `${username}:`, `:${password}`].map((text) => ({
      headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` },
    })),
  ]
}

const megabyte = 'x'.repeat(1024 * 1024)

/** Bodies that are broken, of the wrong shape, or too long. */
export const malformed = [
  { headers: jsonType, body: '{"username":"assay-nobody","password":' },
  json(['assay-nobody', 'assay-wrong-password']),
  json('assay-nobody:assay-wrong-password'),
  json(null),
  json({ username: ['assay-nobody'], password: 'assay-wrong-password' }),
  json({ username: { $ne: '' }, password: { $ne: '' } }),
  json({ username: 1, password: 2 }),
  { headers: formType, body: 'username=%zz&password=%' },
  json({ username: megabyte, password: 'assay-wrong-password' }),
]
