import type { Content } from '../../fixtures/content.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { RequestOptions } from '../../harness/http.ts'
import { type FormFile, form } from '../multipart.ts'
import { need } from '../push.ts'
import { test as base } from '../registry.ts'
import { lastLine } from './added.ts'

export type Query = Readonly<Record<string, string | number | boolean>>

export interface RpcOptions extends RequestOptions {
  /** Asks by this method only. */
  readonly method?: string
}

/** The storage node under test. */
export interface StorageNode {
  readonly url: string
  /**
   * A command of the API. It is asked by POST, and by GET where the node does not take POST: what reads is written
   * with GET in the specification, and Kubo takes POST only.
   */
  rpc(command: string, query?: Query, options?: RpcOptions): Promise<Answer>
  /** Adds content as the one file of a form. */
  add(content: Content, options?: FormFile & RequestOptions & { readonly query?: Query }): Promise<Answer>
  /** Adds content that a requirement builds on, which pins it, and returns its CID. */
  stored(content: Content, query?: Query): Promise<string>
  cat(cid: string, query?: Query, options?: RpcOptions): Promise<Answer>
}

/** The gateway under test. */
export interface Gateway {
  readonly url: string
  /** Where content lies, with slashes around: `/ipfs/`. */
  readonly prefix: string
  /** `path` goes onto the wire as it is written. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** `what` is a CID, and may have a query. */
  get(what: string, options?: RequestOptions): Promise<Answer>
  head(what: string, options?: RequestOptions): Promise<Answer>
}

const written = { get: ['cat', 'id', 'repo/stat'], refusedPost: [404, 405, 501] }

/** `test` for everything that talks to a storage node or its gateway. */
export const test = base
  .extend('storage', ({ run, http }): StorageNode => {
    const url = run.targets.storage?.url ?? ''
    const at = (command: string, query: Query = {}) => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      return `${url}/api/v0/${command}${search.size > 0 ? `?${search}` : ''}`
    }
    const node: StorageNode = {
      url,
      async rpc(command, query, { method, ...options } = {}) {
        const answer = await http.request(method ?? 'POST', at(command, query), options)
        const another =
          !method && written.get.includes(command) && written.refusedPost.includes(answer.status)
        return another ? http.request('GET', at(command, query), options) : answer
      },
      add: (content, { query, filename, type, ...options } = {}) =>
        http.request('POST', at('add', query), {
          ...options,
          ...form(content, {
            ...(filename !== undefined && { filename }),
            ...(type !== undefined && { type }),
          }),
        }),
      async stored(content, query) {
        const { Hash } = lastLine(need('adding', await node.add(content, query ? { query } : {}), 200))
        if (typeof Hash === 'string' && Hash !== '') return Hash
        throw new PrerequisiteFailure('adding answered without Hash')
      },
      cat: (cid, query, options) => node.rpc('cat', { ...query, arg: cid }, options),
    }
    return node
  })
  .extend('gateway', ({ run, http }): Gateway => {
    const { url = '', prefix: name = 'ipfs' } = run.targets.gateway ?? {}
    const prefix = `/${name.replace(/^\/+|\/+$/g, '')}/`
    const request = (method: string, path: string, options?: RequestOptions) =>
      http.request(method, `${url}${path}`, options)
    const read = async (method: string, what: string, options?: RequestOptions) => {
      const answer = await request(method, `${prefix}${what}`, options)
      const elsewhere = redirectOf(answer)
      if (elsewhere === undefined) return answer
      throw new PrerequisiteFailure(
        `the gateway redirects to ${elsewhere}; name it by an address that it serves`,
      )
    }
    return {
      url,
      prefix,
      request,
      get: (what, options) => read('GET', what, options),
      head: (what, options) => read('HEAD', what, options),
    }
  })

/** Kubo redirects a request to `localhost` to an origin for each CID. */
function redirectOf({ status, url, header }: Answer): string | undefined {
  const location = status >= 300 && status < 400 ? header('location') : undefined
  const origin = location && URL.canParse(location, url) ? new URL(location, url).origin : undefined
  return origin === new URL(url).origin ? undefined : origin
}
