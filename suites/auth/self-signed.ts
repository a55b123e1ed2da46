import { type KeyObject, sign } from 'node:crypto'

/** A self-signed certificate in base64 DER, as `x5c` holds it: the least that RFC 5280 (4.1) allows. */
export function selfSigned(privateKey: KeyObject, publicKey: KeyObject): string {
  const name = sequence(set(sequence(objectId(commonName), tagged(0x0c, Buffer.from('assay')))))
  const validity = sequence(time('200101000000Z'), time('491231235959Z'))
  const algorithm = sequence(objectId(sha256WithRsa), tagged(0x05, Buffer.alloc(0)))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(tagged(0x02, Buffer.from([1])), algorithm, name, validity, name, key)
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  return sequence(body, algorithm, signature).toString('base64')
}

const commonName = [0x55, 0x04, 0x03]
const sha256WithRsa = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]

const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, Buffer.concat(parts))
const set = (...parts: readonly Uint8Array[]) => tagged(0x31, Buffer.concat(parts))
const objectId = (bytes: readonly number[]) => tagged(0x06, Buffer.from(bytes))
const time = (text: string) => tagged(0x17, Buffer.from(text))

function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}
