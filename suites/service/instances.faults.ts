import { faultKinds } from '../../harness/fault-kinds.ts'
import { rewriting, to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Manifest } from '../../mocks/registry/stores.ts'
import { storing } from '../oci/seams.faults.ts'
import { changing, errorAnswer, having, path, rewording, type Wire } from '../oci/wire.ts'
import { homes } from './homes.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const written = ['service.instances.read-after-write']
const same = ['service.pull.instances-consistent']
const raced = ['service.instances.tag-race']
const survives = ['oci.push.session.survives-instances']
const progress = ['service.instances.upload-progress']
const blobs = ['service.instances.blob-race']
const settled = ['service.instances.tag-settled']

function localBlobs(): Seams {
  const { settle, isForeign } = homes()
  return storing('blobs', (blobs) => {
    const here = {}
    return {
      record(name, blob) {
        settle(`${name} ${blob.digest}`, here)
        return blobs.record(name, blob)
      },
      find: async (name, digest) =>
        isForeign(`${name} ${digest}`, here) ? undefined : blobs.find(name, digest),
    }
  })
}

/** `always`: also after it was moved. */
function localTags(always: boolean): Seams {
  const { settle, isForeign } = homes()
  const pushed = new Set<string>()
  return storing('manifests', (manifests) => {
    const here = {}
    return {
      put(name, manifest, tags) {
        for (const tag of tags) {
          const key = `${name} ${tag}`
          settle(key, always || !pushed.has(key) ? here : undefined)
          pushed.add(key)
        }
        return manifests.put(name, manifest, tags)
      },
      find: async (name, reference) =>
        isForeign(`${name} ${reference}`, here) ? undefined : manifests.find(name, reference),
    }
  })
}

/** Every instance remembers what it looked up, and forgets it only when it is itself told of a change. */
const cached = (isKept: (reference: string) => boolean): Seams =>
  storing('manifests', (manifests) => {
    const known = new Map<string, Manifest>()
    return {
      async find(name, reference) {
        const found = known.get(`${name} ${reference}`) ?? (await manifests.find(name, reference))
        if (found === undefined) return undefined
        for (const key of [reference, found.digest]) if (isKept(key)) known.set(`${name} ${key}`, found)
        return found
      },
      put(name, manifest, tags) {
        for (const tag of tags) known.delete(`${name} ${tag}`)
        return manifests.put(name, manifest, tags)
      },
      remove(name, digest) {
        known.delete(`${name} ${digest}`)
        return manifests.remove(name, digest)
      },
    }
  })

const cachedBlobs = storing('blobs', (blobs) => {
  const known = new Map<string, Awaited<ReturnType<typeof blobs.find>>>()
  return {
    async find(name, digest) {
      const key = `${name} ${digest}`
      known.set(key, known.get(key) ?? (await blobs.find(name, digest)))
      return known.get(key)
    },
    remove(name, digest) {
      known.delete(`${name} ${digest}`)
      return blobs.remove(name, digest)
    },
  }
})

const ownKeys = storing('tokens', (tokens) => {
  const given = new Set<string>()
  return {
    async issue(domain, claims) {
      const issued = await tokens.issue(domain, claims)
      given.add(issued.token)
      return issued
    },
    verify: async (domain, token) => (given.has(token) ? tokens.verify(domain, token) : undefined),
  }
})

const ownSessions = storing('uploads', (uploads) => {
  const opened = new Set<string>()
  return {
    open(upload) {
      opened.add(upload.id)
      return uploads.open(upload)
    },
    find: async (name, id) => (opened.has(id) ? uploads.find(name, id) : undefined),
  }
})

const ownChunks = storing('uploads', (uploads) => {
  const appended = new Set<string>()
  return {
    append(id, chunk) {
      appended.add(`${id} ${chunk.start}`)
      return uploads.append(id, chunk)
    },
    chunks: async (id) => (await uploads.chunks(id)).filter(({ start }) => appended.has(`${id} ${start}`)),
  }
})

/** What each instance writes into its answers differs from one to the next. */
const numbered = (change: (own: number) => (next: Wire) => Wire): Seams => {
  let instances = 0
  return {
    registry: (next) => {
      instances += 1
      return change(instances)(next)
    },
  }
}

/** Tells of uploads only where they were opened; takes their bytes everywhere. */
const ownProgress = (): Seams => {
  const { settle, isForeign } = homes()
  const idOf = (url: string | null) => /\/blobs\/uploads\/([^/?]+)/.exec(url ?? '')?.[1] ?? ''
  return {
    registry: (next) => {
      const here = {}
      return async (request, context) => {
        const id = idOf(request.url)
        if (request.method === 'GET' && isForeign(id, here)) return errorAnswer(404, 'BLOB_UPLOAD_UNKNOWN')
        const answer = await next(request, context)
        if (request.method === 'POST') settle(idOf(answer.headers.get('location')), here)
        return answer
      }
    },
  }
}

/** A blob that several instances stored is gone. */
const blobsOfTwo = (): Seams => {
  const { settle, isForeign } = homes()
  const gone = new Set<string>()
  return storing('blobs', (all) => {
    const here = {}
    return {
      record(name, blob) {
        const key = `${name} ${blob.digest}`
        if (isForeign(key, here)) gone.add(key)
        settle(key, here)
        return all.record(name, blob)
      },
      find: async (name, digest) => (gone.has(`${name} ${digest}`) ? undefined : all.find(name, digest)),
    }
  })
}

/** An instance gives a tag that was raced for as it was before, from the second reading on, until it is moved. */
const wavering = (): Seams => {
  const pushed = new Map<string, Manifest[]>()
  return storing('manifests', (manifests) => {
    const readings = new Map<string, number>()
    return {
      put(name, manifest, tags) {
        for (const tag of tags)
          pushed.set(`${name} ${tag}`, [...(pushed.get(`${name} ${tag}`) ?? []), manifest])
        return manifests.put(name, manifest, tags)
      },
      async find(name, reference) {
        const key = `${name} ${reference}`
        const all = pushed.get(key) ?? []
        const reading = (readings.get(key) ?? 0) + 1
        readings.set(key, reading)
        return all.length === 8 && reading > 2
          ? all[(reading + all.length) % 4]
          : manifests.find(name, reference)
      },
    }
  })
}

/** A tag is moved only by the instance that took it first; the others acknowledge, and keep the manifest by its digest. */
const firstComer = (): Seams => {
  const home = new Map<string, object>()
  return storing('manifests', (manifests) => {
    const here = {}
    return {
      put(name, manifest, tags) {
        for (const tag of tags) home.set(`${name} ${tag}`, home.get(`${name} ${tag}`) ?? here)
        const own = tags.filter((tag) => home.get(`${name} ${tag}`) === here)
        return manifests.put(name, manifest, own)
      },
    }
  })
}

/** Answers pushes that come while another one is under way. */
const whileBusy = (when: (request: Request) => boolean, answer: (taken: Response) => Response): Seams => {
  let underWay = 0
  return {
    registry: (next) => async (request, context) => {
      if (!when(request)) return next(request, context)
      underWay += 1
      const others = underWay - 1
      const taken = await next(request, context)
      underWay -= 1
      return others > 0 ? answer(taken) : taken
    },
  }
}

export const faults = [
  corruption(
    'service.instances.blobs-local',
    'a blob is known only to the instance that took it',
    [...written, ...survives, 'service.pull.instances-consistent'],
    localBlobs(),
  ),
  corruption(
    'service.instances.tags-local',
    'a tag is known only to the instance that took it',
    [...written, ...same],
    localTags(true),
  ),
  corruption(
    'service.instances.tags-cached',
    'an instance keeps what a tag leads to until the tag is pushed to it',
    written,
    cached((reference) => !reference.includes(':')),
    'asks by digest',
  ),
  corruption(
    'service.instances.manifests-cached',
    'an instance keeps manifests that were deleted at another',
    written,
    cached((reference) => reference.includes(':')),
  ),
  corruption(
    'service.instances.blobs-cached',
    'an instance keeps blobs that were deleted at another',
    written,
    cachedBlobs,
  ),
  interoperability(
    'service.instances.own-keys',
    'each instance signs tokens with a key of its own',
    ['service.instances.token-accepted'],
    ownKeys,
    'logs in again',
  ),
  corruption(
    'service.instances.own-sessions',
    'an upload goes on only where it was opened',
    [...survives, ...progress, ...blobs],
    ownSessions,
  ),
  corruption(
    'service.instances.own-chunks',
    'the chunks of an upload lie with the instance that took them',
    survives,
    ownChunks,
  ),
  interoperability(
    'service.instances.own-etags',
    'each instance makes ETags of its own',
    same,
    numbered((own) =>
      changing('*', path.manifest, (response) => withHeaders(response, { etag: `"${own}"` })),
    ),
  ),
  interoperability(
    'service.instances.own-digests',
    'instances disagree whether to tell the digest of a blob',
    same,
    numbered((own) =>
      changing('GET', path.blob, (response) =>
        withHeaders(response, own % 2 ? {} : { 'docker-content-digest': null }),
      ),
    ),
  ),
  corruption(
    'service.instances.own-tags',
    'instances list other tags, in as many bytes',
    same,
    numbered((own) => rewording(/\/tags\/list$/, (text) => text.replace('"same"', `"sam${own % 10}"`))),
  ),
  interoperability(
    'service.instances.own-codes',
    'instances tell what is not there by different codes',
    same,
    numbered((own) =>
      rewriting(
        to('GET', path.tag),
        having(404, (response) => (own % 2 ? response : errorAnswer(404, 'NAME_UNKNOWN'))),
      ),
    ),
  ),
  interoperability(
    'service.instances.absent-late',
    'an instance that was just asked for what is not there answers 503',
    same,
    numbered((own) => (next) => {
      let asked = own
      return async (request, context) => {
        const answer = await next(request, context)
        asked += answer.status === 404 && to('GET', path.tag)(request) ? 1 : 0
        return answer.status === 404 && asked > own + 1 ? withStatus(answer, 503) : answer
      }
    }),
  ),
  interoperability(
    'service.instances.race-conflict',
    'of pushes of one tag side by side only the first is taken, the others answer 409',
    raced,
    whileBusy(to('PUT', path.tag), () => errorAnswer(409, 'TAG_INVALID')),
    'pushes again',
  ),
  interoperability('service.instances.race-203', 'a tag that was pushed sixteen times answers 203', raced, {
    registry: (next) => {
      let pushed = 0
      return async (request, context) => {
        if (to('PUT', path.tag)(request)) pushed += 1
        const answer = await next(request, context)
        return pushed >= 8 && to('GET', path.tag)(request) && answer.status === 200
          ? withStatus(answer, 203)
          : answer
      }
    },
  }),
  corruption(
    'service.instances.race-split',
    'each instance keeps the manifest that it took last for a tag',
    raced,
    storing('manifests', (manifests) => {
      const last = new Map<string, Manifest>()
      return {
        put(name, manifest, tags) {
          for (const tag of tags) last.set(`${name} ${tag}`, manifest)
          return manifests.put(name, manifest, tags)
        },
        find: async (name, reference) => last.get(`${name} ${reference}`) ?? manifests.find(name, reference),
      }
    }),
  ),
  corruption(
    'service.instances.race-listed-twice',
    'a tag that is pushed to two instances at once is listed twice',
    raced,
    { registry: rewording(/\/tags\/list$/, (text) => text.replace('"raced"', '"raced","raced"')) },
  ),
  interoperability(
    'service.instances.own-progress',
    'an instance tells nothing of uploads that were opened at another',
    progress,
    ownProgress(),
    'asks where it opened the upload',
  ),
  corruption('service.instances.blob-twice', 'a blob that two instances stored is gone', blobs, blobsOfTwo()),
  corruption(
    'service.instances.tag-wavers',
    'a tag that was pushed through all instances goes back and forth between the manifests',
    settled,
    wavering(),
  ),
  corruption(
    'service.instances.tag-first-comer',
    'a tag is moved only by the instance that took it first',
    settled,
    firstComer(),
  ),
  corruption(
    'service.instances.tags-late',
    'a new tag is known only to the instance that took it until it is moved',
    written,
    localTags(false),
  ),
]
