import { faultKinds } from '../../harness/fault-kinds.ts'
import { withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isObject } from './answers.ts'
import { isTurnedAway, misstating, posing, relisting, replying, rewording } from './wire.ts'

const { corruption, interoperability, security, cosmetic } = faultKinds<Seams>()

const flat = { data: { projects: { data: [] } } }
const crash = () => Response.json({ error: 'Internal Server Error' }, { status: 500 })
/** Answers 500 to some documents. */
const crashing = (when: RegExp) => rewording((_body, { text }) => (when.test(text) ? crash() : undefined))
/** Serves some documents that should be refused. */
const serving = (when: RegExp) => rewording((_body, { text }) => (when.test(text) ? flat : undefined))

export const faults = [
  interoperability(
    'graphql.errors.status-400',
    'errors answer 400',
    [
      'graphql.errors.http-200',
      'graphql.errors.variables-200',
      'graphql.errors.operation-200',
      'graphql.errors.injection',
      'graphql.auth.missing.invalid-document',
      'graphql.body.query-type',
      'graphql.body.empty',
      'graphql.variables.not-object',
      'graphql.accept.response-json',
      'graphql.complexity.error-shape',
    ],
    { graphql: rewording((body) => ('errors' in body ? Response.json(body, { status: 400 }) : undefined)) },
  ),
  corruption(
    'graphql.errors.swallowed',
    'what is not valid is answered with an empty list',
    [
      'graphql.errors.http-200',
      'graphql.errors.request-error-no-data',
      'graphql.errors.all-or-nothing',
      'graphql.errors.syntax-location',
      'graphql.validation.unknown-field',
      'graphql.validation.unknown-argument',
      'graphql.validation.leaf',
      'graphql.validation.conflict',
      'graphql.operation.duplicate-name',
      'graphql.operation.lone-anonymous',
      'graphql.variables.missing',
      'graphql.variables.wrong-type',
      'graphql.variables.undeclared',
      'graphql.variables.not-object',
      'graphql.complexity',
      'graphql.complexity.no-execution',
      'graphql.complexity.deep',
      'graphql.complexity.many-errors',
      'graphql.complexity.fragment-cycle',
    ],
    { graphql: rewording((body) => ('errors' in body && !isTurnedAway(body) ? flat : undefined)) },
  ),
  interoperability('graphql.errors.strings', 'errors are strings', ['graphql.errors.shape'], {
    graphql: misstating(({ message }) => message),
  }),
  interoperability('graphql.errors.empty-list', 'errors is an empty list', ['graphql.errors.shape'], {
    graphql: rewording((body) => ('errors' in body ? { ...body, errors: [] } : undefined)),
  }),
  cosmetic(
    'graphql.errors.locations-from-0',
    'lines count from 0',
    ['graphql.errors.locations', 'graphql.errors.syntax-location'],
    {
      graphql: misstating((error) => ({ ...error, locations: [{ line: 0, column: 0 }] })),
    },
  ),
  interoperability('graphql.errors.path-text', 'path is text', ['graphql.errors.path'], {
    graphql: misstating((error) => ({ ...error, path: 'projects.data' })),
  }),
  interoperability(
    'graphql.errors.extensions-text',
    'extensions of an error is text',
    ['graphql.errors.extensions-map'],
    {
      graphql: misstating((error) => ({ ...error, extensions: 'BAD' })),
    },
  ),
  interoperability(
    'graphql.errors.more-members',
    'errors have a member code',
    ['graphql.errors.no-extra-members'],
    {
      graphql: misstating((error) => ({ ...error, code: 'BAD' })),
    },
  ),
  security('graphql.errors.stack', 'errors carry a stack trace', ['graphql.errors.masked'], {
    graphql: misstating((error) => ({
      ...error,
      extensions: { stacktrace: ['at f (/srv/app/index.js:1:2)'] },
    })),
  }),
  security('graphql.errors.token-echo', 'errors repeat the token', ['graphql.errors.no-token-echo'], {
    graphql: misstating((error, { headers }) => ({
      ...error,
      message: `not for ${headers.get('authorization')}`,
    })),
  }),
  interoperability(
    'graphql.errors.crash',
    'a NUL in the document answers 500',
    ['graphql.errors.injection'],
    {
      graphql: crashing(/u0000/),
    },
  ),
  interoperability(
    'graphql.response.text',
    'JSON is labelled as text',
    ['graphql.response.json', 'graphql.accept.any'],
    {
      graphql: replying((response) => withHeaders(response, { 'content-type': 'text/plain' })),
    },
  ),
  interoperability(
    'graphql.response.status-member',
    'answers have a member status',
    ['graphql.response.members'],
    {
      graphql: rewording((body) => ({ ...body, status: 'ok' })),
    },
  ),
  interoperability(
    'graphql.response.errors-empty',
    'success has an empty list of errors',
    ['graphql.response.no-errors-on-success'],
    {
      graphql: rewording((body) => ('errors' in body ? undefined : { ...body, errors: [] })),
    },
  ),
  interoperability(
    'graphql.response.extensions-list',
    'extensions is a list',
    ['graphql.response.extensions-map'],
    {
      graphql: rewording((body) => ({ ...body, extensions: [] })),
    },
  ),
  interoperability(
    'graphql.response.no-aliases',
    'aliases are ignored',
    ['graphql.response.aliases', 'graphql.concurrent', 'graphql.operation.selected'],
    {
      graphql: rewording((body, { text }) => {
        const { data } = body as { readonly data?: unknown }
        return isObject(data) && !text.includes('mutation')
          ? { data: { projects: Object.values(data)[0] } }
          : undefined
      }),
    },
  ),
  cosmetic('graphql.response.sorted', 'members are sorted by name', ['graphql.response.order'], {
    graphql: relisting((entries) =>
      entries.map((entry) =>
        Object.fromEntries(Object.entries(entry).sort(([a], [b]) => a.localeCompare(b))),
      ),
    ),
  }),
  interoperability(
    'graphql.response.last-selection',
    'the last selection of a field counts alone',
    ['graphql.response.merge'],
    {
      graphql: relisting((entries) => entries.map(({ name }) => ({ name }))),
    },
  ),
  interoperability(
    'graphql.response.no-typename',
    '__typename is refused with introspection',
    ['graphql.response.typename', 'graphql.post-json'],
    {
      graphql: rewording((_body, { text }) =>
        text.includes('__typename')
          ? { errors: [{ message: 'Introspection is off' }], data: null }
          : undefined,
      ),
    },
  ),
  corruption(
    'graphql.post-json.ascii',
    'text outside ASCII becomes question marks',
    ['graphql.post-json.utf8'],
    {
      graphql: rewording((body) => JSON.parse(JSON.stringify(body).replace(/[^\x20-\x7e]/g, '?'))),
    },
  ),
  interoperability(
    'graphql.post-json.charset',
    'a charset parameter is refused',
    ['graphql.post-json.charset'],
    {
      graphql: replying((response, { headers }) =>
        headers.get('content-type')?.includes('charset') ? new Response('', { status: 415 }) : response,
      ),
    },
  ),
  interoperability(
    'graphql.body.strict',
    'members that are not known, or null, are refused',
    ['graphql.body.extra-members', 'graphql.body.null-members', 'graphql.variables.extra'],
    {
      graphql: rewording((_body, { text }) =>
        /"foo"|:null|zzz/.test(text) ? { errors: [{ message: 'not known' }], data: null } : undefined,
      ),
    },
  ),
  security('graphql.body.endless', 'a body of any size is served', ['graphql.body.too-large'], {
    graphql: replying((response, { text }) => (text.length > 1e7 ? Response.json(flat) : response)),
  }),
  security(
    'graphql.content-type.any',
    'a body of any media type is taken for JSON',
    ['graphql.content-type.text'],
    {
      graphql: posing(({ method }) =>
        method === 'POST' ? { headers: { 'content-type': 'application/json' } } : {},
      ),
    },
  ),
  interoperability('graphql.method.any', 'every method is taken for POST', ['graphql.method.other'], {
    graphql: posing(() => ({ method: 'POST' })),
  }),
  security('graphql.get-mutation', 'a mutation through GET is executed', ['graphql.get-mutation'], {
    graphql: (next) => async (request, context) => {
      const { searchParams, origin, pathname } = new URL(request.url)
      if (request.method !== 'GET' || !searchParams.has('variables')) return next(request, context)
      const variables: unknown = JSON.parse(searchParams.get('variables') ?? '{}')
      const headers = new Headers(request.headers)
      headers.set('content-type', 'application/json')
      const body = JSON.stringify({ query: searchParams.get('query'), variables })
      return next(new Request(`${origin}${pathname}`, { method: 'POST', headers, body }), {})
    },
  }),
  security('graphql.cors.echo', 'every origin may send credentials', ['graphql.cors.credentials'], {
    graphql: replying((response, { headers }) =>
      withHeaders(response, {
        'access-control-allow-origin': headers.get('origin') ?? '*',
        'access-control-allow-credentials': 'true',
      }),
    ),
  }),
  security(
    'graphql.introspection.on',
    'the schema is answered',
    [
      'graphql.introspection-off',
      'graphql.introspection.standard-query',
      'graphql.introspection.hidden',
      'graphql.introspection.get-and-batch',
      'graphql.introspection.errors-silent',
      'graphql.auth.missing.introspection',
    ],
    {
      graphql: rewording((_body, { text }) =>
        /__schema|__type\b/.test(text) ? { data: { __schema: { types: [{ name: 'Query' }] } } } : undefined,
      ),
    },
  ),
  security(
    'graphql.introspection.talkative',
    'a refusal names a type of the schema',
    ['graphql.introspection.errors-silent'],
    {
      graphql: misstating((error) => ({ ...error, message: 'Cannot query field on type "ProjectList"' })),
    },
  ),
  security('graphql.suggestions', 'errors propose names of the schema', ['graphql.suggestions-off'], {
    graphql: misstating((error) => ({ ...error, message: `${error['message']}. Did you mean "projects"?` })),
  }),
  security(
    'graphql.complexity.none',
    'any number of aliases is served',
    ['graphql.complexity', 'graphql.complexity.no-execution', 'graphql.complexity.deep'],
    {
      graphql: serving(/a9:|user \{|a \{ a \{/),
    },
  ),
  security(
    'graphql.complexity.not-in-fragments',
    'what is in fragments does not count',
    ['graphql.complexity.alias-evasion'],
    {
      graphql: serving(/fragment F on Query \{ a0/),
    },
  ),
  security(
    'graphql.complexity.crash',
    'a document that is too large for the parser answers 500',
    [
      'graphql.complexity.wide',
      'graphql.complexity.fragment-bomb',
      'graphql.complexity.directives',
      'graphql.complexity.fragment-cycle',
      'graphql.complexity.many-errors',
    ],
    { graphql: crashing(/id id id|F29|@a @a|fragment A|nosuch19999/) },
  ),
  corruption(
    'graphql.variables.ignored',
    'every variable is true',
    [
      'graphql.variables.used',
      'graphql.variables.default',
      'graphql.variables.missing',
      'graphql.variables.wrong-type',
      'graphql.errors.variables-200',
    ],
    {
      graphql: posing(({ text }) => {
        const match = /"query":"query \(\$a: Boolean/.test(text)
        return match ? { text: JSON.stringify({ ...JSON.parse(text), variables: { a: true } }) } : {}
      }),
    },
  ),
  corruption(
    'graphql.operation.first',
    'the first operation is executed, whatever operationName says',
    ['graphql.operation.selected'],
    {
      graphql: posing(({ text }) => ({ text: text.replace('"operationName":"B"', '"operationName":"A"') })),
    },
  ),
  interoperability(
    'graphql.document.byte-order-mark',
    'a byte order mark is a syntax error',
    ['graphql.document.ignored-tokens'],
    {
      graphql: rewording((_body, { text }) =>
        text.includes('\uFEFF') ? { errors: [{ message: 'Syntax Error' }], data: null } : undefined,
      ),
    },
  ),
]
