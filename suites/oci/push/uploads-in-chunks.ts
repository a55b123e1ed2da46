import type { Content } from '../../../fixtures/content.ts'
import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { type Outcome, outcomeOf } from '../../outcome.ts'
import { closeUpload, locationOf, need } from '../../push.ts'
import { readBlob } from '../../readback.ts'
import type { Registry } from '../../registry.ts'
import { append, type Chunk, closeWith, send, startChunks } from './chunks.ts'

/** Uploads in chunks, each made once, that all look at who judge a step of one. */

/** What all of them have. */
interface InChunks {
  readonly whole: Content
  readonly chunk: (index: number) => Chunk
  readonly closed: Outcome<Answer>
  /** The first read of the blob, where its upload was closed with 201. */
  readonly read: Outcome<Answer>
}

/** Two chunks of full length, and an empty PUT. */
export interface TwoChunks extends InChunks {
  readonly first: Answer
  readonly second: Outcome<Answer>
}

/** Each goes where the answer to the one before says. */
export const twoChunks = (registry: Registry): Promise<TwoChunks> =>
  registry.once('two-chunks', async ({ client, repository, content }) => {
    const upload = await startChunks(client, repository, content, 3)
    const { location, chunk } = upload
    const whole = upload.whole.slice(0, chunk(2).start)
    const first = await send(client, location, chunk(0))
    const second = await outcomeOf(async () => send(client, goesOnAt(first), chunk(1)))
    const closed = await outcomeOf(async () => closeUpload(client, goesOnAt(second()), whole.digest))
    return { whole, chunk, first, second, closed, read: await firstRead(client, repository, whole, closed) }
  })

/** One chunk, and a PUT that brings the last. */
export interface FinalChunk extends InChunks {
  readonly first: Answer
}

/** The PUT goes where the answer to the chunk says. */
export const finalChunk = (registry: Registry): Promise<FinalChunk> =>
  registry.once('final-chunk', async ({ client, repository, content }) => {
    const { location, whole, chunk } = await startChunks(client, repository, content, 2)
    const first = await send(client, location, chunk(0))
    const closed = await outcomeOf(async () => closeWith(client, goesOnAt(first), whole.digest, chunk(1)))
    return { whole, chunk, first, closed, read: await firstRead(client, repository, whole, closed) }
  })

/** Two chunks, the status after each, and a PUT that brings the last chunk where the second status says. */
export interface WatchedUpload extends InChunks {
  readonly statuses: readonly [Answer, Outcome<Answer>]
}

/** An upload that is asked for its status. */
export const watchedUpload = (registry: Registry): Promise<WatchedUpload> =>
  registry.once('watched-upload', async ({ client, repository, content }) => {
    const { location, whole, chunk } = await startChunks(client, repository, content, 3)
    const one = await append(client, location, chunk(0))
    const first = await client.get(one, { fresh: true })
    const second = await outcomeOf(async () => {
      need('the status of an upload', first, 204)
      return client.get(await append(client, one, chunk(1)), { fresh: true })
    })
    const closed = await outcomeOf(async () => {
      const told = need('the status of an upload', second(), 204)
      return closeWith(client, locationOf(told), whole.digest, chunk(2))
    })
    const read = await firstRead(client, repository, whole, closed)
    return { whole, chunk, statuses: [first, second], closed, read }
  })

const goesOnAt = (taken: Answer) => locationOf(need('a chunk', taken, 202))

const firstRead = (
  client: RegistryClient,
  repository: string,
  whole: Content,
  closed: Outcome<Answer>,
): Promise<Outcome<Answer>> =>
  outcomeOf(async () => {
    need('closing the upload', closed(), 201)
    return readBlob(client, repository, whole.digest)
  })
