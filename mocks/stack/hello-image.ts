import { createHash } from 'node:crypto'

/** A blob or manifest with the digest of its bytes. */
interface Content {
  readonly mediaType: string
  readonly bytes: Buffer
  readonly digest: string
  readonly size: number
}

/** The smallest image that is one: a layer with one file, its config, its manifest. */
export interface HelloImage {
  readonly layer: Content
  readonly config: Content
  readonly manifest: Content
}

function content(mediaType: string, bytes: Buffer): Content {
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return { mediaType, bytes, digest, size: bytes.length }
}

const json = (mediaType: string, value: object) => content(mediaType, Buffer.from(JSON.stringify(value)))

const descriptor = ({ mediaType, digest, size }: Content) => ({ mediaType, digest, size })

/** A ustar archive of one file: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
function tarOf(name: string, text: string): Buffer {
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`
  const archive = Buffer.alloc(4 * 512)
  archive.write(name, 0)
  archive.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(text.length, 12) + octal(0, 12), 100)
  archive.write(' '.repeat(8), 148)
  archive.write('0', 156)
  archive.write('ustar\x0000', 257)
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  archive.write(`${octal(sum, 7)} `, 148)
  archive.write(text, 512)
  return archive
}

export function helloImage(): HelloImage {
  const layer = content('application/vnd.oci.image.layer.v1.tar', tarOf('hello.txt', 'Hello.\n'))
  const config = json('application/vnd.oci.image.config.v1+json', {
    architecture: 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  })
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const layers = [descriptor(layer)]
  const manifest = json(mediaType, { schemaVersion: 2, mediaType, config: descriptor(config), layers })
  return { layer, config, manifest }
}
