import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { rewriting, to, withBody } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { changing, elsewhere, errorAnswer, falling, having, path, sha256, unknownIs } from '../../wire.ts'

const { manifest, tag, manifestDigest } = path
const digestHeader = 'docker-content-digest'

const { corruption, interoperability, security } = faultKinds<Seams>()

export const faults = [
  interoperability(
    'oci.pull.manifest.get.unknown-tag.500',
    'an unknown tag answers 500',
    ['oci.pull.manifest.get.unknown-tag.404'],
    { registry: unknownIs('GET', tag, 500) },
  ),
  interoperability(
    'oci.pull.manifest.get.unknown-tag.200',
    'an unknown tag answers 200 with an error in the body',
    ['oci.pull.manifest.get.unknown-tag.404'],
    { registry: unknownIs('GET', tag, 200) },
  ),
  corruption(
    'oci.pull.manifest.get.unknown-tag.another',
    'an unknown tag answers with another manifest of the repository',
    ['oci.pull.manifest.get.unknown-tag.404'],
    {
      registry: falling('GET', tag, (at) => at.replace(/[^/]+$/, 'image')),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.unknown-digest.400',
    'an unknown digest answers 400',
    ['oci.pull.manifest.get.unknown-digest.404'],
    { registry: unknownIs('GET', manifestDigest, 400) },
  ),
  interoperability(
    'oci.pull.manifest.get.unknown-digest.502',
    'an unknown digest answers 502, as if storage were down',
    ['oci.pull.manifest.get.unknown-digest.404'],
    { registry: unknownIs('GET', manifestDigest, 502) },
  ),
  interoperability(
    'oci.pull.manifest.get.unknown-repo.403',
    'an unknown repository answers 403 to an account that may read it',
    ['oci.pull.manifest.get.unknown-repo.404'],
    {
      registry: rewriting(
        to('GET', manifest),
        having(404, async (response) =>
          (await response.clone().text()).includes('NAME_UNKNOWN') ? errorAnswer(403, 'DENIED') : response,
        ),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.unknown-repo.500',
    'an unknown repository answers 500 to a pull by digest',
    ['oci.pull.manifest.get.unknown-repo.404'],
    {
      registry: rewriting(
        to('GET', manifestDigest),
        having(404, async (response) =>
          (await response.clone().text()).includes('NAME_UNKNOWN') ? errorAnswer(500, 'UNKNOWN') : response,
        ),
      ),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.unknown-repo.tag-500',
    'an unknown repository answers 500 to a pull by tag',
    ['oci.pull.manifest.get.unknown-repo.404'],
    {
      registry: unknownIs('GET', tag, 500),
    },
  ),
  security(
    'oci.pull.manifest.get.other-repo.by-digest',
    'manifests are found by digest in every repository',
    ['oci.pull.manifest.get.other-repo.404'],
    {
      registry: (next) => {
        const homes = new Map<string, string>()
        const remembering = rewriting(to('PUT', manifest), (response, request) => {
          homes.set(response.headers.get(digestHeader) ?? '', new URL(request.url).pathname)
          return response
        })
        const serving = rewriting(
          to('GET', manifestDigest),
          having(404, (response, request) => {
            const digest = new URL(request.url).pathname.replace(/.*\//, '')
            return homes.has(digest) ? new Response('{}', { headers: { [digestHeader]: digest } }) : response
          }),
        )
        return serving(remembering(next))
      },
    },
  ),
  corruption(
    'oci.pull.manifest.get.blob-digest.served',
    'a blob is served as a manifest',
    ['oci.pull.manifest.get.blob-digest.404'],
    {
      registry: falling('GET', manifestDigest, (at) => at.replace('/manifests/', '/blobs/')),
    },
  ),
  interoperability(
    'oci.pull.manifest.get.blob-digest.500',
    'the digest of a blob answers 500 where a manifest is asked for',
    ['oci.pull.manifest.get.blob-digest.404'],
    { registry: unknownIs('GET', manifestDigest, 500) },
  ),
  interoperability(
    'oci.pull.manifest.get.blob-digest.head',
    'HEAD takes the digest of a blob for a manifest',
    ['oci.pull.manifest.get.blob-digest.404'],
    {
      registry: falling('HEAD', manifestDigest, (at) => at.replace('/manifests/', '/blobs/')),
    },
  ),
  corruption(
    'oci.pull.manifest.get.tag-moves.cached',
    'what a tag points to is cached and never looked up again',
    ['oci.pull.manifest.get.tag-moves'],
    {
      registry: (next) => {
        const cache = new Map<string, Response>()
        return changing('GET', tag, (response, { url }) => {
          const cached = cache.get(url) ?? response.clone()
          cache.set(url, cached)
          return cached.clone()
        })(next)
      },
    },
    'pulls by digest what it has to be sure of',
  ),
  corruption(
    'oci.pull.manifest.get.tag-moves.kept',
    'a tag that exists is not moved, and the push answers 201',
    ['oci.pull.manifest.get.tag-moves'],
    {
      registry: (next) => {
        const taken = new Set<string>()
        return async (request, context) => {
          if (!to('PUT', tag)(request)) return next(request, context)
          const known = taken.has(request.url)
          taken.add(request.url)
          const body = new Uint8Array(await request.clone().arrayBuffer())
          const again = await elsewhere(request, (at) => (known ? at.replace(/[^/]+$/, sha256(body)) : at))
          return next(again, {})
        }
      },
    },
  ),
  corruption(
    'oci.pull.manifest.get.tag-moves.lost',
    'a manifest is lost when its tag moves away',
    ['oci.pull.manifest.get.tag-moves'],
    {
      stores: ({ manifests, ...rest }) => ({
        ...rest,
        manifests: {
          ...manifests,
          async put(repository, pushed, tags) {
            const before = tags[0] === undefined ? undefined : await manifests.find(repository, tags[0])
            await manifests.put(repository, pushed, tags)
            if (before && before.digest !== pushed.digest) await manifests.remove(repository, before.digest)
          },
        },
      }),
    },
  ),
  corruption(
    'oci.pull.manifest.get.read-after-write.empty',
    'the first pull after a push has no body',
    ['oci.pull.manifest.get.read-after-write'],
    {
      registry: (next) => {
        const seen = new Set<string>()
        return changing('GET', manifest, (response, { url }) => {
          const first = !seen.has(url)
          seen.add(url)
          return first ? withBody(response, () => '') : response
        })(next)
      },
    },
  ),
  corruption(
    'oci.pull.manifest.get.read-after-write.late',
    'a manifest is found only from the second look on',
    ['oci.pull.manifest.get.read-after-write'],
    {
      registry: (next) => {
        const seen = new Set<string>()
        return changing('GET', manifest, (response, { url }) => {
          if (seen.has(url)) return response
          seen.add(url)
          return errorAnswer(404, 'MANIFEST_UNKNOWN')
        })(next)
      },
    },
    'tries again after a push of its own',
  ),
  corruption(
    'oci.pull.manifest.get.read-after-write.one-instance',
    'a tag is known only to the instance that took it',
    ['oci.pull.manifest.get.read-after-write'],
    {
      registry: (next) => {
        const own = new Set<string>()
        const pushed = rewriting(to('PUT', tag), (response, { url }) => {
          own.add(new URL(url).pathname)
          return response
        })
        return changing('GET', tag, (response, { url }) =>
          own.has(new URL(url).pathname) ? response : errorAnswer(404, 'MANIFEST_UNKNOWN'),
        )(pushed(next))
      },
    },
  ),
  corruption(
    'oci.pull.manifest.get.read-after-write.head-first',
    'HEAD of a manifest lags behind its push',
    ['oci.pull.manifest.get.read-after-write'],
    {
      registry: (next) => {
        const asked = new Map<string, number>()
        return changing('HEAD', manifest, (response, { url }) => {
          asked.set(url, (asked.get(url) ?? 0) + 1)
          return asked.get(url) === 1 ? errorAnswer(404, 'MANIFEST_UNKNOWN') : response
        })(next)
      },
    },
  ),
]
