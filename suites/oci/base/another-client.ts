import type { HttpClient } from '../../../harness/http.ts'
import { plainName } from '../../../harness/names.ts'
import type { RunContext } from '../../../harness/run-context.ts'

/** What clients of other makes say of themselves. */
const agents = [
  'containerd/v2.1.4',
  'go-containerregistry/v0.20.6',
  'skopeo/1.19.0',
  'docker/28.3.3 go/go1.24.5 os/linux arch/amd64 UpstreamClient(Docker-Client/28.3.3 \\(linux\\))',
]

/** The same client under the name of another make, which the seed chooses. */
export function anotherClient(http: HttpClient, { seed }: RunContext): HttpClient {
  const agent = ['user-agent', agents[seed % agents.length] ?? ''] as const
  return {
    ...http,
    request(method, url, options = {}) {
      const { headers = [] } = options
      const given = Array.isArray(headers) ? headers : Object.entries(headers)
      return http.request(method, url, { ...options, headers: [agent, ...given] })
    },
  }
}

/**
 * Repositories whose names do not tell that a suite made them up, the first where nobody named a namespace: a
 * registry may refuse it to the account, but not the second, which lies below the namespace.
 */
export function plainRepositories({ seed, namespace, elsewhere }: RunContext): readonly string[] {
  const repository = plainName(seed, 'repository')
  const below = `${namespace.replace(/\/[^/]*$/, '')}/${plainName(seed, 'below')}/${repository}`
  return elsewhere === undefined ? [below] : [`${elsewhere}/${repository}`, below]
}
