import { setTimeout as pause } from 'node:timers/promises'
import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isObject, type JsonObject } from './answers.ts'
import { posting } from './offered.faults.ts'
import { isTurnedAway, posing, rewording, type Wire } from './wire.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()

const leak = { data: { projects: { data: [{ id: 'prj_1', name: 'private' }] } } }

const as = (authorization: string | null) =>
  posing(() => ({ headers: { authorization: authorization ?? '' } }))

/** Executes what it refuses, as the one who was served first; the answer stays. */
function doneAllTheSame(next: Wire): Wire {
  let owner: string | null = null
  return async (request, context) => {
    const again = request.clone()
    const response = await next(request, context)
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (!isObject(body) || !('errors' in body)) return response
    if (!isTurnedAway(body)) owner ??= again.headers.get('authorization')
    const isMutation = (await again.clone().text()).includes('mutation')
    if (owner && isMutation) await as(owner)(next)(again, {})
    return response
  }
}

/** Takes a request without a token for one of the last who had one. */
function remembering(next: Wire): Wire {
  let last = ''
  const learning = rewording((body, { headers }) => {
    if (!isTurnedAway(body)) last = headers.get('authorization') ?? last
    return undefined
  })(next)
  return posing(({ headers }) => (headers.has('authorization') ? {} : { headers: { authorization: last } }))(
    learning,
  )
}

/** Refuses all once a token was refused. */
function lockingOut(next: Wire): Wire {
  let refusal: JsonObject | undefined
  return rewording((body, { headers }) => {
    if (isTurnedAway(body) && headers.has('authorization')) refusal = body
    return refusal
  })(next)
}

/** Keeps the caller where requests at the same time overwrite it. */
function sharing(next: Wire): Wire {
  let caller: string | null = null
  return async (request, context) => {
    caller = request.headers.get('authorization')
    await pause(5)
    return as(caller)(next)(request, context)
  }
}

const isGetMutation = (request: Request) =>
  request.method === 'GET' && new URL(request.url).searchParams.get('query')?.startsWith('mutation')

/** What one request does to another, and what is done beside the answer. */
export const faults = [
  security(
    'graphql.auth.refused-and-done',
    'a mutation that is refused is executed all the same',
    [
      'graphql.auth.mutation',
      'graphql.auth.garbage.mutation',
      'graphql.auth.expired.mutation',
      'graphql.auth.revoked.mutation',
      'graphql.isolation.mutation',
    ],
    { graphql: doneAllTheSame },
  ),
  security(
    'graphql.get-mutation.refused-and-done',
    'a mutation through GET is refused and executed all the same',
    ['graphql.get-mutation'],
    {
      graphql: (next) => async (request, context) => {
        const { searchParams } = new URL(request.url)
        const variables: unknown = JSON.parse(searchParams.get('variables') ?? '{}')
        const query = searchParams.get('query') ?? ''
        if (isGetMutation(request)) await posting(next, request, { query, variables })
        return next(request, context)
      },
    },
  ),
  corruption(
    'graphql.get-mutation.answered',
    'a mutation through GET is answered as if it had been executed',
    ['graphql.get-mutation'],
    {
      graphql: (next) => (request, context) =>
        isGetMutation(request)
          ? Response.json({ data: { createProject: { id: 'prj_1' } } })
          : next(request, context),
    },
  ),
  security(
    'graphql.auth.remembered',
    'a request without a token counts as one of the last caller',
    ['graphql.auth.after-failure'],
    { graphql: remembering },
  ),
  interoperability(
    'graphql.auth.lockout',
    'after a token that is not valid everybody is refused',
    ['graphql.auth.after-failure'],
    { graphql: lockingOut },
  ),
  security('graphql.auth.injected', 'a token with SQL in it is served', ['graphql.auth.injection'], {
    graphql: rewording((body, { headers }) =>
      isTurnedAway(body) && headers.get('authorization')?.includes("' OR '1'='1") ? leak : undefined,
    ),
  }),
  interoperability(
    'graphql.auth.status-400',
    'a token that is not known answers 400',
    ['graphql.auth.injection'],
    {
      graphql: rewording((body, { headers }) =>
        isTurnedAway(body) && headers.has('authorization') ? Response.json(body, { status: 400 }) : undefined,
      ),
    },
  ),
  security('graphql.scheme.url', 'a token in the URL counts', ['graphql.scheme'], {
    graphql: (next) => (request, context) => {
      const token = new URL(request.url).searchParams.get('access_token')
      return (token ? as(`Bearer ${token}`)(next) : next)(request, context)
    },
  }),
  security(
    'graphql.isolation.race',
    'requests at the same time all count as those of the last caller',
    ['graphql.isolation.interleaved'],
    { graphql: sharing },
  ),
  interoperability(
    'graphql.isolation.crash',
    "the id of another user's project answers 500",
    ['graphql.isolation.by-id'],
    {
      graphql: rewording(({ data }) =>
        isObject(data) && data['project'] === null
          ? Response.json({ error: 'Internal Server Error' }, { status: 500 })
          : undefined,
      ),
    },
  ),
]
