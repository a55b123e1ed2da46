import { TargetFailure } from '../errors.ts'
import type { HttpClient } from '../http.ts'
import type { Thing } from '../journal/thing.ts'
import type { GraphqlTarget } from '../target.ts'
import { type Of, ofKind } from './of-kind.ts'
import type { Outcome } from './outcome.ts'
import type { Remaining, Remover } from './remover.ts'

type Kind = 'project' | 'access-token'

const operations: Readonly<Record<Kind, { readonly list: string; readonly remove: string }>> = {
  project: {
    list: '{ list: projects { data { id name } } }',
    remove: 'mutation ($id: ID!) { deleteProject(id: $id) }',
  },
  'access-token': {
    list: '{ list: personalAccessTokens { data { id name } } }',
    remove: 'mutation ($id: ID!) { deletePersonalAccessToken(id: $id) }',
  },
}

/** Deletes the projects and access tokens of a run, by id, or by name where no answer told the id. */
export async function cleanPlatform(
  http: HttpClient,
  target: GraphqlTarget,
  things: readonly Thing[],
  remover: Remover,
): Promise<readonly Remaining[]> {
  const remaining: Remaining[] = []
  for (const kind of ['project', 'access-token'] as const) {
    const made = ofKind(things, kind)
    if (made.length > 0) remaining.push(...(await removeListed(http, target, made, remover)))
  }
  return remaining
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly token: string
}

async function removeListed(
  http: HttpClient,
  { url, tokens = {} }: GraphqlTarget,
  made: readonly Of<Kind>[],
  remover: Remover,
): Promise<readonly Remaining[]> {
  const lists = new Map<string, Promise<readonly Listed[]>>()
  const listedBy = (token: string, kind: Kind) => {
    const listed = lists.get(token) ?? list(http, url, token, kind)
    lists.set(token, listed)
    return listed
  }
  return remover.remove(made, async ({ kind, id, name, by }) => {
    const usable = Object.entries(tokens).filter(([whose]) => (by ? whose === by : users.includes(whose)))
    if (usable.length === 0)
      return { reason: `the ${by ?? 'valid'} token is not given`, again: true, denied: true }
    const listed = await Promise.all(usable.map(([, token]) => listedBy(token, kind)))
    const found = listed.flat().filter((one) => (id === undefined ? one.name === name : one.id === id))
    const outcomes = await Promise.all(found.map((one) => removeOne(http, url, one, kind)))
    return outcomes.find((outcome) => outcome !== 'gone') ?? 'gone'
  })
}

/** Tokens that may be used; the others are expired or revoked. */
const users = ['valid', 'other']

async function list(http: HttpClient, url: string, token: string, kind: Kind): Promise<readonly Listed[]> {
  const body = await post(http, url, token, { query: operations[kind].list })
  const { data } = Object(Object(body).data?.list) as { readonly data?: unknown }
  if (!Array.isArray(data)) throw new TargetFailure(`the list of ${kind}s was not answered`)
  return data.map((one) => ({ ...(one as { readonly id: string; readonly name: string }), token }))
}

async function removeOne(http: HttpClient, url: string, { id, token }: Listed, kind: Kind): Promise<Outcome> {
  const body = await post(http, url, token, { query: operations[kind].remove, variables: { id } })
  const { errors } = Object(body) as { readonly errors?: unknown }
  return errors === undefined ? 'gone' : { reason: 'its deletion was answered with errors', again: true }
}

async function post(http: HttpClient, url: string, token: string, body: object): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
  }
  const answer = await http.request('POST', url, { headers, body: JSON.stringify(body) })
  try {
    return answer.json()
  } catch {
    throw new TargetFailure(`the platform answered ${answer.status} without JSON`)
  }
}
