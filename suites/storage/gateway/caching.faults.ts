import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { having, talkative } from '../../oci/wire.ts'
import { changing, excusing, type Seam } from '../seams.faults.ts'
import { content, heading, isContent, overhearing, pathOf, serving } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const etag = ['storage.gateway.etag']
const matching = ['storage.gateway.if-none-match']
const others = ['storage.gateway.if-none-match.other']
const cached = ['storage.gateway.cache-control']
const errors = ['storage.gateway.error-not-cached']
const aYear = 'public, max-age=29030400, immutable'

const tagsOf = (request: Request) => request.headers.get('if-none-match')
const unchanged = () => new Response(null, { status: 304 })

/** Answers 304 to some requests with If-None-Match. */
const unchangedIf = (when: (tags: string) => boolean): Seam =>
  answering((request) => isContent(request) && when(tagsOf(request) ?? ''), unchanged)

/** Lets some If-None-Match pass unseen. */
const overlooking = (when: (tags: string) => boolean): Seam =>
  overhearing(
    (headers) => headers.delete('if-none-match'),
    (request) => when(tagsOf(request) ?? ''),
  )

/** Keeps the error for a path, and gives it again whatever comes; `change` makes the answer of it. */
const remembering =
  (change: (kept: Response) => Response): Seam =>
  (next) => {
    const missing = new Map<string, Response>()
    return async (request, context) => {
      const kept = missing.get(pathOf(request))
      if (kept) return change(kept.clone())
      const answer = await next(request, context)
      if (answer.status === 404) missing.set(pathOf(request), answer.clone())
      return answer
    }
  }

export const faults = [
  interoperability('gateway.etag.missing', 'no ETag is sent', etag, { gateway: heading({ etag: null }) }),
  interoperability(
    'gateway.etag.first-missing',
    'the content that is asked for first never has an ETag',
    etag,
    {
      gateway: (next) => {
        let first: string | undefined
        return changing(content, (response, request) => {
          first ??= pathOf(request)
          return first === pathOf(request) ? withHeaders(response, { etag: null }) : response
        })(next)
      },
    },
  ),
  corruption(
    'gateway.etag.constant',
    'all content has one ETag',
    etag,
    { gateway: heading({ etag: '"content"' }) },
    'takes ETags of two URLs for different things',
  ),
  interoperability('gateway.etag.changes', 'the ETag changes with each answer', etag, {
    gateway: (next) => {
      let count = 0
      return changing(content, (response) => withHeaders(response, { etag: `"${++count}"` }))(next)
    },
  }),
  corruption(
    'gateway.etag.of-length',
    'contents of one length have one ETag',
    [...etag, ...others],
    {
      gateway: (next) => {
        const tag = (response: Response) => `"${response.headers.get('content-length')}"`
        return rewriting(
          isContent,
          having(200, (response, request) =>
            tagsOf(request)?.includes(tag(response))
              ? unchanged()
              : withHeaders(response, { etag: tag(response) }),
          ),
        )(next)
      },
    },
    'takes ETags of two URLs for different things',
  ),
  interoperability('gateway.if-none-match.ignored', 'If-None-Match is ignored', matching, {
    gateway: overlooking(() => true),
  }),
  interoperability('gateway.if-none-match.strong', 'a weak ETag in If-None-Match is ignored', matching, {
    gateway: overlooking((tags) => tags.startsWith('W/')),
  }),
  interoperability('gateway.if-none-match.first', 'only the first ETag in If-None-Match counts', matching, {
    gateway: overlooking((tags) => tags.includes(',')),
  }),
  interoperability('gateway.if-none-match.any', 'If-None-Match: * is ignored', matching, {
    gateway: overlooking((tags) => tags === '*'),
  }),
  interoperability('gateway.if-none-match.412', 'If-None-Match with the ETag answers 412', matching, {
    gateway: rewriting(
      isContent,
      having(304, () => new Response(null, { status: 412 })),
    ),
  }),
  corruption(
    'gateway.if-none-match.always',
    'any If-None-Match is answered with 304',
    others,
    { gateway: unchangedIf((tags) => tags !== '') },
    'sends only ETags that it was given for the URL',
  ),
  corruption(
    'gateway.if-none-match.well-formed',
    'any ETag that names a CID is answered with 304',
    others,
    { gateway: unchangedIf((tags) => tags.startsWith('"Qm')) },
    'sends only ETags that it was given for the URL',
  ),
  corruption(
    'gateway.if-none-match.empty',
    'If-None-Match with another ETag gives empty content',
    others,
    {
      gateway: serving(
        () => '',
        (request) => tagsOf(request)?.includes('nope') === true,
      ),
    },
    'checks what it has against the CID',
  ),
  interoperability(
    'gateway.304-body',
    'a 304 has a body',
    ['storage.gateway.304-no-body'],
    { gateway: talkative('GET', 304) },
    'closes the connection after a 304',
  ),
  interoperability('gateway.cache.missing', 'no Cache-Control is sent', cached, {
    gateway: heading({ 'cache-control': null }),
  }),
  interoperability('gateway.cache.private', 'content is for one client alone', cached, {
    gateway: heading({ 'cache-control': 'private, max-age=29030400, immutable' }),
  }),
  interoperability('gateway.cache.minute', 'content may be kept for a minute', cached, {
    gateway: heading({ 'cache-control': 'public, max-age=60, immutable' }),
  }),
  interoperability('gateway.cache.changeable', 'content is not called immutable', cached, {
    gateway: heading({ 'cache-control': 'public, max-age=29030400' }),
  }),
  interoperability(
    'gateway.cache.errors',
    'what is no CID is refused for ever',
    cached,
    { gateway: excusing(content, (response) => withHeaders(response, { 'cache-control': aYear })) },
    'keeps no error',
  ),
  corruption(
    'gateway.cache.missing-for-ever',
    'content that is absent today is absent for ever',
    errors,
    {
      gateway: rewriting(
        isContent,
        having(404, (response) => withHeaders(response, { 'cache-control': 'public, immutable' })),
      ),
    },
    'keeps no error',
  ),
  corruption(
    'gateway.cache.missing-for-a-year',
    'content that is absent today is absent for a year',
    errors,
    {
      gateway: rewriting(
        isContent,
        having(404, (response) => withHeaders(response, { 'cache-control': 'public, max-age=31536000' })),
      ),
    },
    'keeps no error',
  ),
  corruption(
    'gateway.cache.remembers-404',
    'the gateway remembers that content was absent, and does not look again',
    errors,
    { gateway: remembering((kept) => kept) },
    'adds a query to the URL',
  ),
  corruption(
    'gateway.cache.remembers-nothing',
    'content that was absent once is empty afterwards',
    errors,
    { gateway: remembering(() => new Response('')) },
    'checks what it has against the CID',
  ),
]
