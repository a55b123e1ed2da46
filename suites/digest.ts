import { createHash } from 'node:crypto'
import type { Answer } from '../harness/answer.ts'
import { expectThat } from '../harness/finding.ts'

/** The header in which a registry tells a digest. */
export const digestHeader = 'docker-content-digest'

const grammar = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/
const computable = ['sha256', 'sha384', 'sha512']

/** The digest of bytes under the algorithm that `like` names; that of sha256 where it names none of ours. */
export function digestLike(like: string, bytes: Uint8Array): string {
  const algorithm = computable.find((name) => like.startsWith(`${name}:`)) ?? 'sha256'
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`
}

/** Whether an answer tells a digest that can be checked here: one under another algorithm (blake3) cannot. */
export function tellsDigest(answer: Answer): boolean {
  const told = answer.header(digestHeader)
  if (told === undefined) return false
  return !grammar.test(told) || computable.some((name) => told.startsWith(`${name}:`))
}

/** What the answer tells in Docker-Content-Digest is a digest of these bytes, under the algorithm that it names. */
export function expectDigestTold(answer: Answer, bytes: Uint8Array): void {
  const told = answer.header(digestHeader) ?? 'none'
  const right = digestLike(told, bytes)
  const { method, url } = answer
  expectThat(told === right, `Docker-Content-Digest: ${right} on ${method} ${new URL(url).pathname}`, told)
}
