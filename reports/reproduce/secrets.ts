import type { Exchange } from '../../harness/exchange.ts'
import { plainWords, quoted, variableName } from './shell-words.ts'

/** What a script must be given, or fetches itself, before it can send its requests. */
export class Secrets {
  readonly #needs = new Map<string, string>()
  readonly #usernames = new Map<string, string>()
  readonly #tokens = new Map<string, string>()
  readonly #realm: boolean
  readonly #names: Readonly<Record<string, string>>

  /** `realm`: whether the script knows where to get tokens; `usernames` by account, where the two differ. */
  constructor(realm: boolean, usernames: Readonly<Record<string, string>>) {
    this.#realm = realm
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

  /** curl's arguments for the credentials of a request, and the lines that must run before it. */
  credentials(
    { request }: Exchange,
    step: number,
  ): { before: readonly string[]; arguments: readonly string[] } {
    const { credentials } = request
    const sent = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
    if (credentials?.kind === 'basic') {
      const { username, password } = this.#account(credentials.account ?? 'account')
      return { before: [], arguments: ['-u', `"${username}:${password}"`] }
    }
    if (credentials?.kind === 'token' && this.#realm)
      return this.#token(credentials.account, credentials.scope)
    if (credentials) {
      const what = credentials.note ?? `a token${of(credentials.account)}${forScope(credentials.scope)}`
      const name = this.#distinct(
        `${credentials.account ? variableName(credentials.account) : 'MADE'}_TOKEN`,
        what,
      )
      this.need(name, what)
      return { before: [], arguments: ['-H', `"Authorization: Bearer $${name}"`] }
    }
    if (sent === undefined) return { before: [], arguments: [] }
    if (!isRedacted(sent)) return { before: [], arguments: ['-H', quoted(`Authorization: ${sent}`)] }
    const name = `AUTHORIZATION_${step}`
    this.need(name, `the Authorization header of request ${step}`)
    return { before: [], arguments: ['-H', `"Authorization: $${name}"`] }
  }

  #account(account: string): { username: string; password: string } {
    const prefix = variableName(account)
    this.#usernames.set(`${prefix}_USERNAME`, this.#names[account] ?? account)
    this.need(`${prefix}_PASSWORD`, `the password of the account ${account}`)
    return { username: `$${prefix}_USERNAME`, password: `$${prefix}_PASSWORD` }
  }

  #token(account: string | undefined, scope = '') {
    const key = JSON.stringify([account, scope])
    const known = this.#tokens.get(key)
    const variable = known ?? `token_${this.#tokens.size + 1}`
    this.#tokens.set(key, variable)
    const use = ['-H', `"Authorization: Bearer $${variable}"`]
    if (known) return { before: [], arguments: use }
    const { username, password } = account ? this.#account(account) : { username: '', password: '' }
    const fetched = `${variable}=$(token "${username}" "${password}" ${quoted(scope)})`
    const warning = `[ -n "$${variable}" ] || echo ${quoted(`No token${of(account)} came from the token service.`)} >&2`
    return { before: [fetched, warning], arguments: use }
  }

  #distinct(name: string, what: string): string {
    const same = this.#needs.get(name)
    return same === undefined || same === plainWords(what) ? name : this.#distinct(`${name}_2`, what)
  }
}

const of = (account: string | undefined) => (account ? ` of ${account}` : '')
const forScope = (scope: string | undefined) => (scope ? ` for ${scope}` : '')
const isRedacted = (value: string) => /redacted|removed|secret|…|\*{3}/i.test(value)
