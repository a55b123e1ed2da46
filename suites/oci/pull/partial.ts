import type { Answer } from '../../../harness/answer.ts'
import { expectBytes, expectStatus, expectThat } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import type { Registry } from '../../registry.ts'
import { blobPath, type ExistingBlob } from '../named-content.ts'

/** Asks for a part of a blob, on a fresh connection. */
export function askForPart(
  client: RegistryClient,
  blob: ExistingBlob,
  range: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return client.get(blobPath(blob), { fresh: true, headers: { range, ...headers } })
}

/** The answer is 206 with the bytes from `first` to `last`, both included, and says so; or it is all of the blob. */
export function expectPart(answer: Answer, { bytes }: ExistingBlob, first: number, last: number): void {
  expectStatus(answer, 206, 200)
  if (answer.status === 206) {
    expectContentRange(answer.header('content-range'), first, last, bytes.length)
    expectBytes(answer, bytes.subarray(first, last + 1))
  } else expectBytes(answer, bytes)
}

/** A Content-Range names these bytes of a content of this size. */
export function expectContentRange(
  seen: string | undefined,
  first: number,
  last: number,
  size: number,
): void {
  const right = [`bytes ${first}-${last}/${size}`, `bytes ${first}-${last}/*`]
  expectThat(seen !== undefined && right.includes(seen), `Content-Range: ${right[0]}`, seen ?? 'none')
}

/** Why ranges cannot be judged, or `undefined` where the registry serves one. */
export async function noRanges(registry: Registry, blob: ExistingBlob): Promise<string | undefined> {
  const { status } = await registry.once('range', ({ client }) => askForPart(client, blob, 'bytes=0-0'))
  return status === 206 ? undefined : `GET with Range answered ${status}`
}
