import type { Algorithm } from './stores.ts'

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const repositoryName = new RegExp(`^${component}(?:/${component})*$`)
const tagName = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/
const digestForm = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/
const hexDigits: Readonly<Record<Algorithm, number>> = { sha256: 64, sha512: 128 }

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests, and the column's width. */
export const isRepositoryName = (text: string) => text.length <= 255 && repositoryName.test(text)

export const isTag = (text: string) => tagName.test(text)

/** What the grammar of the image specification allows as a digest, of whatever algorithm. */
export const isDigest = (text: string) =>
  text.length <= 255 && digestForm.test(text) && (algorithmOf(text) === undefined || isSupportedDigest(text))

/** A digest that this registry can check: sha256 or sha512 with as many lower-case hexadecimal digits as it takes. */
export function isSupportedDigest(text: string): boolean {
  const algorithm = algorithmOf(text)
  if (!algorithm) return false
  const encoded = text.slice(algorithm.length + 1)
  return encoded.length === hexDigits[algorithm] && /^[0-9a-f]+$/.test(encoded)
}

export const isAlgorithm = (text: string): text is Algorithm => Object.hasOwn(hexDigits, text)

export function algorithmOf(digest: string): Algorithm | undefined {
  const name = digest.slice(0, Math.max(0, digest.indexOf(':')))
  return isAlgorithm(name) ? name : undefined
}
