import type { Content } from '../../fixtures/content.ts'
import type { Answer } from '../../harness/answer.ts'
import type { RequestOptions } from '../../harness/http.ts'
import { type FormFile, form } from '../multipart.ts'
import { need } from '../push.ts'
import { test as base } from '../registry.ts'
import { hashOf } from './added.ts'
import { type Gateway, gatewayOf } from './gateway.ts'

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
        return hashOf(need('adding', await node.add(content, query ? { query } : {}), 200))
      },
      cat: (cid, query, options) => node.rpc('cat', { ...query, arg: cid }, options),
    }
    return node
  })
  .extend('gateway', ({ run, http }): Gateway => gatewayOf(run, http))
