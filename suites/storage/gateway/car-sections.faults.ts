import { rewriting, withBody } from '../../../harness/rewrite.ts'
import { type Bytes, queryOf, type Seam } from '../seams.faults.ts'
import { readVarint } from '../varint.ts'
import { isContent } from './seams.faults.ts'

/** Requests that ask for a format by Accept. */
export const accepts = (name: string) => (request: Request) =>
  isContent(request) && request.headers.get('accept') === `application/vnd.ipld.${name}`
/** Requests that ask for a format in either way. */
export const asks = (format: string) => (request: Request) =>
  isContent(request) && (queryOf(request).get('format') === format || accepts(format)(request))

type When = (request: Request) => boolean
/** Changes successful answers. */
export const answered = (when: When, change: (response: Response) => Response | Promise<Response>): Seam =>
  rewriting(when, (response) => (response.status === 200 ? change(response) : response))

/** A CAR in the sections that it is made of, each with its length. */
interface Car {
  readonly header: Bytes
  readonly blocks: readonly Bytes[]
}

function sectionsOf(bytes: Bytes): Car {
  const sections: Bytes[] = []
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = readVarint(bytes, at)
    sections.push(bytes.slice(at, end + value))
    at = end + value
  }
  const [header = new Uint8Array(), ...blocks] = sections
  return { header, blocks }
}

/** Changes the CARs that are asked for in either way. */
export const cars = (change: (car: Car) => readonly Bytes[]) =>
  answered(asks('car'), (response) =>
    withBody(response, (bytes) => new Uint8Array(Buffer.concat([...change(sectionsOf(bytes))]))),
  )
