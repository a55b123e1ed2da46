import { rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import { having } from '../../oci/wire.ts'
import { altering, type Bytes, changing, type Seam } from '../seams.faults.ts'

/** Places at which the faults of the gateway stand, so that each fault is a line or two. */

export const content = /^\/ipfs\//

export const pathOf = (request: Request): string => new URL(request.url).pathname
export const isGet = ({ method }: Request): boolean => method === 'GET'
export const isHead = ({ method }: Request): boolean => method === 'HEAD'
export const isContent = to('GET', content)
export type Headers = Readonly<Record<string, string | null>>
type Change = Parameters<typeof having>[1]

/** Changes the bytes that GET gives. */
export const serving = (
  change: (bytes: Bytes) => Bytes | string,
  when: (request: Request) => boolean = isGet,
): Seam => altering(content, change, (request) => isGet(request) && when(request))

/** Sets headers of what is served, or takes them away where the value is `null`. */
export const heading = (headers: Headers, when?: (request: Request) => boolean): Seam =>
  changing(content, (response) => withHeaders(response, headers), when)

/** Changes the answers of one status. */
export const answers = (method: string, status: number, change: Change): Seam =>
  rewriting(to(method, content), having(status, change))

/** Answers one status where another is right. */
export const instead = (method: string, from: number, status: number): Seam =>
  answers(method, from, (response) => withStatus(response, status))

/** Lets the gateway see other headers than the client sent. */
export const overhearing =
  (change: (headers: globalThis.Headers) => void, when: (request: Request) => boolean = () => true): Seam =>
  (next) =>
  (request, context) => {
    if (!isContent(request) || !when(request)) return next(request, context)
    const headers = new Headers(request.headers)
    change(headers)
    return next(new Request(request.url, { method: request.method, headers }), context)
  }
