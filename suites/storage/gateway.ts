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
    let answer = await request(method, `${prefix}${what}`, options)
    for (let hops = 0; hops < mostRedirects; hops += 1) {
      const target = redirectOf(answer)
      if (target === undefined) break
      if (target.origin !== new URL(url).origin) throw new PrerequisiteFailure(elsewhere(target))
      answer = await http.request(method, target.href, options)
    }
    return answer
  }
  return {
    url,
    prefix,
    request,
    get: (what, options) => read('GET', what, options),
    head: (what, options) => read('HEAD', what, options),
  }
}

const mostRedirects = 5

/** Kubo redirects a request to `localhost` to an origin for each CID. */
const elsewhere = ({ origin }: URL) =>
  `the gateway redirects to ${origin}; name it by an address that it serves`

/** Where a redirect leads, as another spelling of the CID or a slash behind it. */
function redirectOf({ status, url, header }: Answer): URL | undefined {
  const location = [301, 302, 307, 308].includes(status) ? header('location') : undefined
  return location && URL.canParse(location, url) ? new URL(location, url) : undefined
}
