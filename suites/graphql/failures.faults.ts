import { faultKinds } from '../../harness/fault-kinds.ts'
import { withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isTurnedAway, replying, rewording } from './wire.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()

const html = { 'content-type': 'text/html' }
const loginPage = () => new Response('<!doctype html><title>Log in</title>', { headers: html })

/** How errors are told, where the rest is right. */
export const faults = [
  interoperability(
    'graphql.errors.status-500',
    'errors answer 500, with the list of errors',
    [
      'graphql.errors.request-error-no-data',
      'graphql.complexity',
      'graphql.complexity.many-errors',
      'graphql.complexity.directives',
      'graphql.introspection.get-and-batch',
      'graphql.auth.missing.get',
      'graphql.auth.no-partial-data',
    ],
    { graphql: rewording((body) => ('errors' in body ? Response.json(body, { status: 500 }) : undefined)) },
  ),
  interoperability(
    'graphql.errors.page',
    'errors are pages of HTML, as HTTP 200',
    [
      'graphql.auth.missing.http-200',
      'graphql.auth.expired.http-200',
      'graphql.auth.revoked.http-200',
      'graphql.auth.no-partial-data',
      'graphql.errors.injection',
    ],
    { graphql: rewording((body) => ('errors' in body ? loginPage() : undefined)) },
  ),
  corruption(
    'graphql.errors.silent',
    'what is not valid is answered with data that is null and no errors',
    ['graphql.errors.request-error-no-data', 'graphql.complexity.many-errors'],
    {
      graphql: rewording((body) => ('errors' in body && !isTurnedAway(body) ? { data: null } : undefined)),
    },
  ),
  corruption(
    'graphql.errors.partial',
    'of a document that is not valid the rest is executed',
    [
      'graphql.errors.request-error-no-data',
      'graphql.errors.all-or-nothing',
      'graphql.complexity.many-errors',
    ],
    {
      graphql: rewording((body) =>
        'errors' in body && !isTurnedAway(body) ? { ...body, data: { projects: { data: [] } } } : undefined,
      ),
    },
  ),
  interoperability('graphql.errors.bare', 'an error is a message alone', ['graphql.response.json'], {
    graphql: rewording((body) => ('errors' in body ? { message: 'Bad Request' } : undefined)),
  }),
  interoperability(
    'graphql.response.status-201',
    'a POST that succeeds answers 201',
    ['graphql.projects', 'graphql.post-json'],
    {
      graphql: replying((response, { method }) =>
        method === 'POST' && response.status === 200 ? withStatus(response, 201) : response,
      ),
    },
  ),
  interoperability('graphql.accept.none', 'a request without Accept answers 406', ['graphql.accept.any'], {
    graphql: replying((response, { headers }) =>
      headers.has('accept')
        ? response
        : Response.json({ errors: [{ message: 'Not Acceptable' }], data: null }, { status: 406 }),
    ),
  }),
  interoperability(
    'graphql.method.no-allow',
    'methods that are not allowed answer 405 without Allow',
    ['graphql.method.other'],
    {
      graphql: replying((response) =>
        response.status === 405 ? withHeaders(response, { allow: null }) : response,
      ),
    },
  ),
  security(
    'graphql.introspection.in-extensions',
    'the refusal of introspection has the schema in its extensions',
    ['graphql.introspection.standard-query'],
    {
      graphql: rewording((body, { text }) =>
        text.includes('__schema')
          ? { ...body, extensions: { schema: { queryType: { name: 'Query' } } } }
          : undefined,
      ),
    },
  ),
]
