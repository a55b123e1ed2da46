import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isTurnedAway, misstating, posing, rewording } from './wire.ts'

const { interoperability, security } = faultKinds<Seams>()

const leak = { data: { projects: { data: [{ id: 'prj_1', name: 'private' }] } } }

/** Answers refused requests with somebody's projects, where the request is one of these. */
const leaking = (when: RegExp | 'with a token' | 'always') =>
  rewording((body, { text, headers }) => {
    const meant =
      when === 'always' || (when === 'with a token' ? headers.has('authorization') : when.test(text))
    return isTurnedAway(body) && meant ? leak : undefined
  })

const form = {
  missing: 'graphql.auth.missing',
  expired: 'graphql.auth.expired',
  revoked: 'graphql.auth.revoked',
} as const
const all = (part: string) => Object.values(form).map((prefix) => `${prefix}.${part}`)

export const faults = [
  interoperability(
    'graphql.auth.status-401',
    'a request without a valid token answers 401',
    [
      ...all('http-200'),
      'graphql.auth.garbage',
      'graphql.auth.empty',
      'graphql.auth.malformed-scheme',
      'graphql.auth.unknown-token',
    ],
    { graphql: rewording((body) => (isTurnedAway(body) ? Response.json(body, { status: 401 }) : undefined)) },
  ),
  interoperability(
    'graphql.auth.other-message',
    'the message of a refusal is "Unauthorized"',
    [...all('message'), 'graphql.auth.garbage'],
    {
      graphql: misstating((error) => ({ ...error, message: 'Unauthorized' })),
    },
  ),
  interoperability(
    'graphql.auth.other-code',
    'the code of a refusal is FORBIDDEN',
    [...all('code'), 'graphql.auth.garbage'],
    {
      graphql: misstating((error) => ({ ...error, extensions: { code: 'FORBIDDEN' } })),
    },
  ),
  interoperability(
    'graphql.auth.no-data-member',
    'a refusal has no member data',
    [...all('data-null'), ...all('nullable')],
    {
      graphql: rewording((body) => (isTurnedAway(body) ? { errors: body['errors'] } : undefined)),
    },
  ),
  interoperability(
    'graphql.auth.null-field',
    'a refusal answers null for the field that may be null',
    all('nullable'),
    {
      graphql: rewording((body) => (isTurnedAway(body) ? { ...body, data: { project: null } } : undefined)),
    },
  ),
  security(
    'graphql.auth.forgotten',
    'whoever has no valid token is served',
    [
      ...[
        'alias',
        'fragment',
        'several-roots',
        'named-operation',
        'invalid-document',
        'batch',
        'get',
        'introspection',
      ].map((part) => `graphql.auth.missing.${part}`),
      'graphql.auth.no-partial-data',
      'graphql.auth.mutation',
      'graphql.auth.empty',
      'graphql.auth.malformed-scheme',
      'graphql.auth.injection',
      'graphql.scheme',
    ],
    { graphql: leaking('always') },
  ),
  security(
    'graphql.auth.any-token',
    'any token is as good as a valid one',
    [
      'graphql.auth.garbage',
      'graphql.auth.garbage.mutation',
      'graphql.auth.unknown-token',
      'graphql.auth.altered-token',
      'graphql.auth.after-failure',
      'graphql.auth.expired.forms',
      'graphql.auth.expired.mutation',
      'graphql.auth.revoked.forms',
      'graphql.auth.revoked.mutation',
    ],
    { graphql: leaking('with a token') },
  ),
  security(
    'graphql.auth.by-alias',
    'an aliased field escapes the check of tokens',
    ['graphql.auth.missing.alias', 'graphql.auth.no-partial-data'],
    {
      graphql: leaking(/a: projects/),
    },
  ),
  security(
    'graphql.auth.by-fragment',
    'a field in a fragment escapes the check of tokens',
    ['graphql.auth.missing.fragment'],
    {
      graphql: leaking(/fragment F/),
    },
  ),
  security(
    'graphql.auth.told-apart',
    'a token that is not valid gets another message than none',
    ['graphql.auth.uniform'],
    {
      graphql: misstating((error, { headers }) =>
        headers.has('authorization') ? { ...error, message: 'Token not valid' } : error,
      ),
    },
  ),
  interoperability(
    'graphql.auth.scheme-case',
    'only the spelling "Bearer" is taken',
    ['graphql.auth.scheme-case'],
    {
      graphql: posing(({ headers }) =>
        /^Bearer /.test(headers.get('authorization') ?? '') ? {} : { headers: { authorization: '' } },
      ),
    },
  ),
  security(
    'graphql.auth.revoked-lives-on',
    'a token that is deleted is answered as if it were, and stays valid',
    ['graphql.auth.revocation-takes-effect'],
    {
      graphql: posing(({ text }) =>
        text.includes('deletePersonalAccessToken')
          ? { text: '{"query":"{ projects { data { id } } }"}' }
          : {},
      ),
    },
  ),
]
