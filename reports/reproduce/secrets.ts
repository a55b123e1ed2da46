import type { Exchange } from '../../harness/exchange.ts'
import { shellWord, valueVariable, variableOf } from './placeholders.ts'
import type { TokenRequest } from './script-functions.ts'
import { plainWords, quoted, variableName } from './shell-words.ts'

/** Where and how the run got its tokens. */
export interface TokenService {
  readonly realm: string
  readonly service?: string
  readonly tokenRequest: TokenRequest
}

interface Authorised {
  /** Lines that must run before the request. */
  readonly before: readonly string[]
  /** curl's arguments. */
  readonly arguments: readonly string[]
}

/** What a script must be given, or fetches itself, before it can send its requests. */
export class Secrets {
  readonly #needs = new Map<string, string>()
  readonly #usernames = new Map<string, string>()
  readonly #tokens = new Map<string, string>()
  readonly #service: TokenService | undefined
  readonly #names: Readonly<Record<string, string>>

  /** `usernames` by account, where the two differ. */
  constructor(service: TokenService | undefined, usernames: Readonly<Record<string, string>>) {
    this.#service = service
    this.#names = usernames
  }

  /** First lines of the script: what to set, and the names of the accounts. */
  get lines(): readonly string[] {
    const needs = [...this.#needs].map(([name, what]) => `: "\${${name}:?must be set: ${what}}"`)
    return [...needs, ...[...this.#usernames].map(([name, value]) => `${name}=${quoted(value)}`)]
  }

  /** Whether any request needs a token that the script gets itself. */
  get fetchesTokens(): boolean {
    return this.#tokens.size > 0
  }

  /** Notes that the script has to be given `name`, and answers how it is written. */
  need(name: string, what: string): string {
    this.#needs.set(name, plainWords(what))
    return `"$${name}"`
  }

  /** A recorded text as a shell word, with the secrets that were taken out of it and the values of earlier answers. */
  word(text: string, step: number, written = (variable: string) => variable): string {
    return shellWord(text, (label) => {
      const value = valueVariable(label)
      return written(
        value ? `"$${value}"` : this.need(variableOf(label, step), `the ${label} in request ${step}`),
      )
    })
  }

  /** The credentials of a request. */
  authorisation({ request }: Exchange, step: number): Authorised {
    const { credentials } = request
    const sent = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    if (credentials?.kind === 'basic' && sent !== undefined) {
      const { username, password } = this.#account(credentials.account ?? 'account')
      return { before: [], arguments: [`-u "${username}:${password}"`] }
    }
    if (credentials?.kind === 'token' && this.#service) {
      return this.#token(this.#service, credentials.account, credentials.scope)
    }
    if (sent === undefined) return { before: [], arguments: [] }
    if (!credentials) return { before: [], arguments: [`-H ${this.word(`Authorization: ${sent}`, step)}`] }
    const what = credentials.note ?? `a token${of(credentials.account)}${forScope(credentials.scope)}`
    const name = this.#distinct(
      `${credentials.account ? variableName(credentials.account) : 'MADE'}_TOKEN`,
      what,
    )
    this.need(name, what)
    return { before: [], arguments: [`-H "Authorization: Bearer $${name}"`] }
  }

  #account(account: string): { username: string; password: string } {
    const prefix = variableName(account)
    this.#usernames.set(`${prefix}_USERNAME`, this.#names[account] ?? account)
    this.need(`${prefix}_PASSWORD`, `the password of the account ${account}`)
    return { username: `$${prefix}_USERNAME`, password: `$${prefix}_PASSWORD` }
  }

  #token(service: TokenService, account: string | undefined, scope = ''): Authorised {
    const key = JSON.stringify([account, scope])
    const known = this.#tokens.get(key)
    const variable = known ?? `token_${this.#tokens.size + 1}`
    this.#tokens.set(key, variable)
    const use = [`-H "Authorization: Bearer $${variable}"`]
    if (known) return { before: [], arguments: use }
    const { username, password } = account ? this.#account(account) : { username: '', password: '' }
    const fetched = `${variable}=$(token "${username}" "${password}" ${question(service, scope)})`
    const warning = `[ -n "$${variable}" ] || echo ${quoted(`No token${of(account)} came from the token service.`)} >&2`
    return { before: [fetched, warning], arguments: use }
  }

  #distinct(name: string, what: string): string {
    const same = this.#needs.get(name)
    return same === undefined || same === plainWords(what) ? name : this.#distinct(`${name}_2`, what)
  }
}

function question({ realm, service, tokenRequest }: TokenService, scope: string): string {
  const asked = service === undefined ? [] : [['service', service]]
  if (tokenRequest === 'post-form') {
    const fields = [...asked, ...(scope === '' ? [] : [['scope', scope]])]
    return [
      ...fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
      quoted(realm),
    ].join(' ')
  }
  const scopes = scope.split(' ').filter((each) => each !== '')
  const query = new URLSearchParams([...asked, ...scopes.map((each) => ['scope', each])]).toString()
  return quoted(query === '' ? realm : `${realm}${realm.includes('?') ? '&' : '?'}${query}`)
}

const of = (account: string | undefined) => (account ? ` of ${account}` : '')
const forScope = (scope: string | undefined) => (scope ? ` for ${scope}` : '')
