import { withholding } from '../../../harness/fault.ts'
import { rewriting, to, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { relocating, sending, variation } from '../variation.faults.ts'
import { errorAnswer, path, rewording, type Wire } from '../wire.ts'

const all = () => true

/** Names of headers in another case. */
const spelling = (change: (name: string) => string): Seams => ({
  registry: sending((res) => {
    res.setHeaders = (headers) => {
      for (const [name, value] of headers) res.setHeader(change(name), value)
      return res
    }
  }),
})

const titled = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** Answers the first of some requests with 429. */
const busyAtFirst =
  (method: string, where: RegExp) =>
  (next: Wire): Wire => {
    const met = new Set<string>()
    return (request, context) => {
      const { pathname } = new URL(request.url)
      if (!to(method, where)(request) || met.has(pathname)) return next(request, context)
      met.add(pathname)
      return errorAnswer(429, 'TOOMANYREQUESTS', { 'retry-after': '0' })
    }
  }

export const variations = [
  variation(
    'oci.variation.headers-in-capitals',
    'names of headers are in capitals',
    spelling((name) => name.toUpperCase()),
  ),
  variation(
    'oci.variation.headers-titled',
    'names of headers begin their words with capitals',
    spelling(titled),
  ),
  variation('oci.variation.headers-reversed', 'headers come in another order', {
    registry: sending((res) => {
      res.setHeaders = (headers) => {
        for (const [name, value] of [...headers].reverse()) res.setHeader(name, value)
        return res
      }
    }),
  }),
  variation('oci.variation.headers-spaced', 'values of headers have spaces around them', {
    registry: sending((res) => {
      res.setHeaders = (headers) => {
        // Parsers of HTTP/1.1 take no tab where they read how the message is framed.
        const framing = ['content-length', 'connection']
        for (const [name, value] of headers) {
          res.setHeader(name, framing.includes(name) ? value : `  ${value}\t`)
        }
        return res
      }
    }),
  }),
  variation('oci.variation.interim', 'an interim answer (102) goes ahead of each', {
    registry: sending((res) => res.writeProcessing()),
  }),
  variation('oci.variation.early-hints', 'an interim answer (103) with a Link goes ahead of each', {
    registry: sending((res) => res.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })),
  }),
  variation('oci.variation.no-date', 'answers have no Date', {
    registry: sending((res) => {
      res.sendDate = false
    }),
  }),
  variation(
    'oci.variation.locations-absolute',
    'every Location is absolute',
    relocating((location, url) => new URL(location, url).href),
  ),
  variation(
    'oci.variation.locations-without-scheme',
    'every Location leaves out the scheme (RFC 3986, 4.2)',
    relocating((location, url) => new URL(location, url).href.replace(/^https?:/, '')),
  ),
  withholding(
    variation('oci.variation.all-chunked', 'no answer with a body tells its length', {
      registry: rewriting(all, (response) => {
        if (response.body === null) return response
        const body = response.body.pipeThrough(
          new TransformStream({
            async transform(piece, controller) {
              await new Promise(setImmediate)
              controller.enqueue(piece)
            },
          }),
        )
        return withHeaders(new Response(body, response), { 'content-length': null })
      }),
    }),
  ),
  variation(
    'oci.variation.busy-for-uploads',
    'the first upload of each repository is answered with 429 once',
    {
      registry: busyAtFirst('POST', /\/blobs\/uploads\/$/),
    },
  ),
  variation('oci.variation.busy-for-manifests', 'the first push of each manifest is answered with 429 once', {
    registry: busyAtFirst('PUT', path.manifest),
  }),
  variation('oci.variation.busy-for-lists', 'the first look at each list is answered with 429 once', {
    registry: busyAtFirst('GET', /\/tags\/list$|\/referrers\//),
  }),
  variation('oci.variation.json-pretty', 'JSON that the registry makes is indented', {
    registry: (next) =>
      rewriting(to('GET', /\/tags\/list$|\/_catalog$/), async (response) =>
        response.headers.get('content-type')?.includes('json')
          ? withHeaders(new Response(`${JSON.stringify(await response.json(), null, 2)}\n`, response), {
              'content-length': null,
            })
          : response,
      )(next),
  }),
  variation('oci.variation.json-escaped', 'slashes in JSON that the registry makes are escaped', {
    registry: rewording(/\/tags\/list$|\/_catalog$/, (text) => text.replaceAll('/', '\\/')),
  }),
]
