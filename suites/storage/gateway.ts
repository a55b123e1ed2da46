import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { HttpClient, RequestOptions } from '../../harness/http.ts'
import type { RunContext } from '../../harness/run-context.ts'

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

/** The gateway that a run is pointed at. */
export function gatewayOf(run: RunContext, http: HttpClient): Gateway {
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
}

/** Kubo redirects a request to `localhost` to an origin for each CID. */
function redirectOf({ status, url, header }: Answer): string | undefined {
  const location = status >= 300 && status < 400 ? header('location') : undefined
  const origin = location && URL.canParse(location, url) ? new URL(location, url).origin : undefined
  return origin === new URL(url).origin ? undefined : origin
}
