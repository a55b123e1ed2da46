import type { Answer, HeaderList } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { RecordedCredentials } from '../../harness/exchange.ts'
import type { RequestOptions } from '../../harness/http.ts'
import type { AccountCredentials, AccountName } from '../../harness/target.ts'
import {
  askForToken,
  type TokenRequest,
  tokenOf,
  tokenRequests,
  tokenServiceUrl,
} from '../../harness/token-service.ts'
import { test as base } from '../registry.ts'
import { isObject } from './json-web-token.ts'

/** A value of the Authorization header, and what a report says of it. */
export interface Credentials {
  readonly authorization: string
  readonly recorded: RecordedCredentials
}

/** A token that the token service has just given. */
export interface Issued extends Credentials {
  readonly token: string
  readonly answer: Answer
  /** The answer as a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Asking {
  readonly scopes?: readonly string[]
  /** The owner unless named; `null` for nobody. */
  readonly account?: AccountName | null
  /** Instead of the account's. */
  readonly credentials?: AccountCredentials
  readonly service?: string
  /** Another token service than that of the first challenge. */
  readonly realm?: string
}

/** The token service that the registry's challenge names. */
export interface Login {
  /** An absolute URL. */
  readonly realm: string
  readonly service: string | undefined
  /** Sends one request for a token in one of the ways, and gives the answer back whatever it is. */
  ask(way: TokenRequest, asking?: Asking): Promise<Answer>
  /** A new token, got in the way that the probe found to work. Throws `PrerequisiteFailure` where none is given. */
  issue(asking?: Asking): Promise<Issued>
  /** A new token in each of the ways that give the owner one. */
  issueEachWay(asking?: Asking): Promise<readonly (Issued & { readonly way: TokenRequest })[]>
}

/** Sends a request with the credentials given, or with none. */
export type Present = (
  credentials: Credentials | undefined,
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<Answer>

/** Any value of the Authorization header; `note` tells a reader what it is. */
export const made = (authorization: string, note: string): Credentials => ({
  authorization,
  recorded: { kind: 'made', note },
})

/** A token that the suite made. */
export const madeToken = (token: string, note: string): Credentials => made(`Bearer ${token}`, note)

/** `test` for requirements on tokens: `login` asks the token service, `present` sends requests with any token. */
export const test = base
  .extend(
    'present',
    ({ http, registry }): Present =>
      (credentials, method, path, options = {}) => {
        if (!credentials) return http.request(method, at(registry.target.url, path), options)
        const own = Array.isArray(options.headers) ? options.headers : Object.entries(options.headers ?? {})
        const headers: HeaderList = [['authorization', credentials.authorization], ...own]
        const sent = { ...options, headers, credentials: credentials.recorded }
        return http.request(method, at(registry.target.url, path), sent)
      },
  )
  .extend('login', ({ http, registry, run, session, skip }): Login => {
    const { realm: named, service, tokenRequest } = run.access
    const { accounts = {}, url } = registry.target
    if (!accounts.owner) skip('needs the username and password of an account that may push (accounts.owner)')
    if (!named) skip('no challenge of the registry names a token service')
    const realm = tokenServiceUrl(named, url)
    const credentialsOf = ({ account = 'owner', credentials }: Asking) =>
      credentials ?? (account === null ? undefined : accounts[account])

    async function ask(way: TokenRequest, asking: Asking = {}): Promise<Answer> {
      const credentials = credentialsOf(asking)
      const asked = asking.service ?? service
      const answer = await askForToken(http, way, {
        realm: asking.realm ?? realm,
        scopes: asking.scopes ?? [],
        account: asking.account ?? 'owner',
        ...(asked !== undefined && { service: asked }),
        ...(credentials && { credentials }),
      })
      const token = tokenOf(answer)
      if (token) session.redactor.add(token, 'token')
      return answer
    }

    async function issue(asking: Asking = {}): Promise<Issued> {
      const seen: string[] = []
      for (const way of tokenRequest ? [tokenRequest] : tokenRequests) {
        const answer = await ask(way, asking)
        const issued = issuedBy(answer, asking)
        if (issued) return issued
        seen.push(`${way} answered ${answer.status}`)
      }
      throw new PrerequisiteFailure(
        `the token service gave ${asking.account ?? 'owner'} no token: ${seen.join(', ')}`,
      )
    }

    async function issueEachWay(asking: Asking = {}) {
      const answers = await Promise.all(tokenRequests.map((way) => ask(way, asking)))
      return tokenRequests.flatMap((way, i) => {
        const answer = answers[i]
        const issued = answer && issuedBy(answer, asking)
        return issued ? [{ ...issued, way }] : []
      })
    }

    return { realm, service, ask, issue, issueEachWay }
  })

/** A path below the registry, or a Location that it gave. */
const at = (base: string, path: string) => (path.startsWith('/') ? `${base}${path}` : path)

function issuedBy(answer: Answer, { account = 'owner', scopes = [] }: Asking): Issued | undefined {
  const token = tokenOf(answer)
  if (token === undefined) return undefined
  const body = answer.json()
  const recorded = { kind: 'token' as const, scope: scopes.join(' '), ...(account && { account }) }
  return { token, answer, body: isObject(body) ? body : {}, authorization: `Bearer ${token}`, recorded }
}
