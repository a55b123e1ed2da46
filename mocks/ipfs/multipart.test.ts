import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMultipart } from './multipart.ts'

async function* pieces(body: Buffer, cuts: readonly number[]) {
  const edges = [...new Set([0, ...cuts.map((cut) => cut % body.length), body.length])].sort((a, b) => a - b)
  for (const [index, edge] of edges.entries()) yield body.subarray(edge, edges[index + 1] ?? body.length)
}

async function read(source: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const parts: Buffer[] = []
  for await (const part of readMultipart(source, 'bound')) {
    const chunks: Uint8Array[] = []
    for await (const chunk of part.body) chunks.push(Buffer.from(chunk))
    parts.push(Buffer.concat(chunks))
  }
  return parts
}

/** Content full of what looks like the begin of a boundary. */
const tricky = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', '\r\n--', '\r\n--boun', 'bound', 'x', ''), {
    maxLength: 20,
  })
  .map((words) => words.join(''))
  .filter((text) => !`\r\n${text}\r\n--bound`.slice(0, -9).includes('\r\n--bound'))

test('finds every part wherever the chunks are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(tricky, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      async (contents, cuts) => {
        const body = Buffer.from(
          `${contents.map((content) => `--bound\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`).join('')}--bound--\r\n`,
        )
        const parts = await read(pieces(body, cuts))
        expect(parts.map(String)).toEqual(contents)
      },
    ),
  )
})

test('passes over parts that nobody reads', async () => {
  const body = Buffer.from(
    'preamble\r\n--bound\r\nA: 1\r\n\r\nfirst\r\n--bound\r\nA: 2\r\n\r\nsecond\r\n--bound--',
  )
  const headers: (string | undefined)[] = []
  for await (const part of readMultipart(pieces(body, [20, 40]), 'bound')) headers.push(part.headers.get('a'))
  expect(headers).toEqual(['1', '2'])
})
