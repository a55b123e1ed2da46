import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { changing, having, path, setting, talkative, unknownIs } from '../wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { manifest, tag, blob } = path

const headTrue = ['oci.base.http.head-content-length-true']
const lengthTrue = ['oci.base.http.content-length-true']
const parity = ['oci.base.http.head-get-parity']
const no5xx = ['oci.base.http.no-5xx-on-bad-input']

const lengthChanged = (change: (length: number) => number) => (response: Response) =>
  withHeaders(response, { 'content-length': String(change(Number(response.headers.get('content-length')))) })

/** Turns the refusals (400) of some requests into a failure of the server. */
const failing = (method: string, where: RegExp, from = 400) => ({
  registry: rewriting(
    to(method, where),
    having(from, (response) => withStatus(response, 500)),
  ),
})

export const faults = [
  interoperability(
    'oci.base.http.head-body',
    'an answer to HEAD has a body',
    ['oci.base.http.head-no-body'],
    { registry: talkative('HEAD', 200) },
    'closes the connection after HEAD',
  ),
  interoperability(
    'oci.base.http.head-body-of-error',
    'a 404 to HEAD has a body',
    ['oci.base.http.head-no-body'],
    { registry: talkative('HEAD', 404) },
  ),
  interoperability(
    'oci.base.http.head-other-type',
    'HEAD of a manifest has another Content-Type than GET',
    parity,
    { registry: setting('HEAD', manifest, { 'content-type': 'application/json' }) },
  ),
  interoperability(
    'oci.base.http.head-without-digest',
    'HEAD of a blob lacks the digest that GET tells',
    parity,
    { registry: setting('HEAD', blob, { 'docker-content-digest': null }) },
  ),
  interoperability(
    'oci.base.http.head-other-status',
    'HEAD of what is not there answers 400, and GET 404',
    parity,
    { registry: unknownIs('HEAD', blob, 400) },
  ),
  corruption(
    'oci.base.http.head-other-length',
    'HEAD of a manifest tells another size than GET',
    [...parity, ...headTrue],
    {
      registry: changing(
        'HEAD',
        manifest,
        lengthChanged((length) => length + 1),
      ),
    },
  ),
  corruption('oci.base.http.head-length-zero', 'HEAD of a blob tells a size of 0', headTrue, {
    registry: changing(
      'HEAD',
      blob,
      lengthChanged(() => 0),
    ),
  }),
  corruption('oci.base.http.head-length-16-bit', 'HEAD of a blob tells its size in 16 bits', headTrue, {
    registry: changing(
      'HEAD',
      blob,
      lengthChanged((length) => length & 0xffff),
    ),
  }),
  corruption(
    'oci.base.http.head-length-never-zero',
    'HEAD of a blob of no bytes tells a size of 1',
    headTrue,
    {
      registry: changing(
        'HEAD',
        blob,
        lengthChanged((length) => Math.max(1, length)),
      ),
    },
  ),
  corruption('oci.base.http.head-length-by-tag', 'HEAD of a tag tells the size of something else', headTrue, {
    registry: changing(
      'HEAD',
      tag,
      lengthChanged(() => 2),
    ),
  }),
  interoperability(
    'oci.base.http.length-too-long',
    'Content-Length of a blob says one byte more than follows',
    lengthTrue,
    {
      registry: changing(
        'GET',
        blob,
        lengthChanged((length) => length + 1),
      ),
    },
    'gives up after a time',
  ),
  interoperability(
    'oci.base.http.length-too-short',
    'Content-Length of a manifest says one byte less than follows',
    lengthTrue,
    {
      registry: changing(
        'GET',
        manifest,
        lengthChanged((length) => length - 1),
      ),
    },
  ),
  interoperability(
    'oci.base.http.length-of-whole',
    'Content-Length of a part is that of the whole',
    lengthTrue,
    {
      registry: rewriting(
        to('GET', blob),
        having(
          206,
          lengthChanged((length) => length + 100),
        ),
      ),
    },
  ),
  interoperability('oci.base.http.length-of-error', 'Content-Length of an error is wrong', lengthTrue, {
    registry: rewriting(
      to('GET', manifest),
      having(404, (response) => withHeaders(response, { 'content-length': '5' })),
    ),
  }),
  interoperability(
    'oci.base.http.bad-digest-500',
    'a malformed digest answers 500',
    no5xx,
    failing('GET', /sha256:baddigest/),
  ),
  interoperability(
    'oci.base.http.bad-name-500',
    'a name in capitals answers 500',
    no5xx,
    failing('GET', /UPPER/),
  ),
  interoperability(
    'oci.base.http.nul-500',
    'a NUL in a name answers 500',
    no5xx,
    failing('GET', /%00\/manifests/),
  ),
  interoperability(
    'oci.base.http.bad-encoding-500',
    'bytes that are not UTF-8 answer 500',
    no5xx,
    failing('GET', /%ff/i),
  ),
  interoperability(
    'oci.base.http.long-tag-500',
    'a tag of thousands of characters answers 500',
    no5xx,
    failing('GET', /x{5000}/),
  ),
  interoperability(
    'oci.base.http.bad-page-500',
    'a page size that is no number answers 500',
    no5xx,
    failing('GET', /\/tags\/list$/),
  ),
  interoperability(
    'oci.base.http.bad-manifest-500',
    'a manifest that is not JSON answers 500',
    no5xx,
    failing('PUT', /\/manifests\/broken$/),
  ),
  interoperability('oci.base.http.bad-mount-500', 'a mount of a malformed digest answers 500', no5xx, {
    registry: rewriting(
      ({ url }) => url.includes('mount=sha256:zz'),
      (response) => withStatus(response, 500),
    ),
  }),
  interoperability(
    'oci.base.http.no-digest-500',
    'an upload that is closed without a digest answers 500',
    no5xx,
    failing('PUT', /\/blobs\/uploads\//),
  ),
  interoperability(
    'oci.base.http.bad-chunk-500',
    'a chunk with a broken Content-Range answers 500',
    no5xx,
    failing('PATCH', /\/blobs\/uploads\//),
  ),
]
