import { manifestTypes } from '../../../../fixtures/media-types.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import type { NewManifest, Referrer } from '../../../../mocks/registry/stores.ts'
import { storing } from '../../seams.faults.ts'
import { rewording } from '../../wire.ts'

/** Places at which the faults of lists of referrers stand. */

export const list = /\/referrers\/[^/]+$/

/** Changes the index that is the list. */
export const relisting = (change: (index: Readonly<Record<string, unknown>>) => unknown): Seams => ({
  registry: rewording(list, (text) => JSON.stringify(change(JSON.parse(text)))),
})

/** Changes each entry of the list. */
export const entries = (change: (entry: Referrer) => Referrer): Seams =>
  storing('manifests', (manifests) => ({
    referrers: async (name, subject, page) => (await manifests.referrers(name, subject, page)).map(change),
  }))

/** Changes what is indexed of a pushed manifest. */
export const indexed = (change: (manifest: NewManifest, tags: readonly string[]) => NewManifest): Seams =>
  storing('manifests', (manifests) => ({
    put: (name, manifest, tags) => manifests.put(name, change(manifest, tags), tags),
  }))

export const isIndex = ({ contentType }: { readonly contentType: string }) =>
  contentType === manifestTypes.ociIndex
