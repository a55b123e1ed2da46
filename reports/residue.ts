import type { Residue } from '../harness/report.ts'
import { plural, shortened } from './words.ts'

const nouns: Readonly<Record<Residue['kind'], string>> = {
  manifest: 'manifest',
  tag: 'tag',
  blob: 'blob',
  upload: 'open upload',
  pin: 'pin',
  block: 'block',
  project: 'project',
  'access-token': 'access token',
  fault: 'switched fault',
}

/** What a run left behind, a sentence for each kind and reason: `12 blobs in assay/04ee2979/a, …: DELETE of a blob answered 405`. */
export function residueSentences(residue: readonly Residue[] = []): readonly string[] {
  return residue.map(({ kind, count, reason, places }) => {
    const where = `${places.map((place) => shortened(place, 80)).join(', ')}${count > places.length && places.length > 1 ? ', …' : ''}`
    return `${plural(count, nouns[kind])} ${onService(kind) ? 'on' : 'in'} ${where}: ${reason}`
  })
}

const onService = (kind: Residue['kind']) =>
  ['pin', 'block', 'project', 'access-token', 'fault'].includes(kind)
