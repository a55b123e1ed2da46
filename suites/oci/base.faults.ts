import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { changing, errorAnswer, having, moving, path, setting } from './wire.ts'

const { corruption, security, interoperability, cosmetic } = faultKinds<Seams>()
const { root, manifest, blob } = path

const redirect = (location: string, status = 307) => new Response(null, { status, headers: { location } })
const resolvable = ['oci.base.redirect.resolvable']
const malformed = ['oci.base.reference.malformed-digest']
const refused405 = (change: (response: Response, request: Request) => Response) => ({
  registry: rewriting(to('*', /\/v2\//), having(405, change)),
})

export const faults = [
  interoperability(
    'oci.base.ping.404',
    'the API root answers 404 to a client with a token',
    ['oci.base.ping.200'],
    { registry: changing('GET', root, (response) => withStatus(response, 404)) },
    'takes the registry for one of another protocol',
  ),
  interoperability('oci.base.ping.204', 'the API root answers 204', ['oci.base.ping.200'], {
    registry: changing('GET', root, (response) => withStatus(response, 204)),
  }),
  interoperability(
    'oci.base.ping.403',
    'the API root answers 403 to a client without a token',
    ['oci.base.ping.unauth-status'],
    {
      registry: rewriting(
        to('GET', root),
        having(401, (response) => withStatus(response, 403)),
      ),
    },
    'asks for a token where there is a challenge',
  ),
  interoperability(
    'oci.base.ping.500',
    'the API root answers 500 to a client without a token',
    ['oci.base.ping.unauth-status'],
    {
      registry: rewriting(
        to('GET', root),
        having(401, (response) => withStatus(response, 500)),
      ),
    },
  ),
  cosmetic(
    'oci.base.docker-version-header.other',
    'Docker-Distribution-API-Version is not registry/2.0',
    ['oci.base.docker-version-header.optional'],
    { registry: setting('GET', root, { 'docker-distribution-api-version': 'registry/2.1' }) },
  ),
  corruption('oci.base.redirect.nowhere', 'GET of a blob is redirected to where nothing is', resolvable, {
    registry: changing('GET', blob, () => redirect('/v2/nowhere/blobs/gone')),
  }),
  corruption(
    'oci.base.redirect.login',
    'GET of a manifest is redirected to a page that answers 200',
    resolvable,
    { registry: changing('GET', manifest, () => redirect('/v2/', 302)) },
    'checks what it received, not only its status',
  ),
  interoperability(
    'oci.base.redirect.loop',
    'GET of a blob is redirected to itself',
    resolvable,
    { registry: changing('GET', blob, (_, { url }) => redirect(url)) },
    'follows a few redirects and no more',
  ),
  interoperability(
    'oci.base.redirect.head-nowhere',
    'HEAD of a blob is redirected to where nothing is',
    resolvable,
    { registry: changing('HEAD', blob, () => redirect('/v2/nowhere/blobs/gone')) },
  ),
  interoperability(
    'oci.base.redirect.other-host-wants-token',
    'a blob is redirected to another host that wants the token of this one',
    ['oci.base.redirect.no-auth-needed-cross-host'],
    {
      registry: changing('GET', blob, (response, { url }) =>
        new URL(url).hostname === 'localhost' ? response : redirect(url.replace(/\/\/[^:/]+/, '//localhost')),
      ),
    },
    'sends no credentials to another host',
  ),
  corruption(
    'oci.base.redirect.other-host-serves-other',
    'a blob is redirected to another host that serves something else',
    ['oci.base.redirect.no-auth-needed-cross-host', ...resolvable],
    {
      registry: (next) =>
        changing('GET', blob, (_, { url }) => redirect(`http://localhost:${new URL(url).port}/other`))(
          answering(to('GET', /^\/other$/), () => new Response('something else'))(next),
        ),
    },
    'hashes what it received',
  ),
  interoperability(
    'oci.base.reference.malformed-500',
    'a malformed digest of a manifest answers 500',
    malformed,
    {
      registry: rewriting(
        to('*', manifest),
        having(400, (response) => withStatus(response, 500)),
      ),
    },
  ),
  corruption('oci.base.reference.as-tag', 'a malformed digest is taken for a tag', malformed, {
    registry: moving('PUT', /\/manifests\/sha256:zz$/, (at) => at.replace('sha256:zz', 'sha256-zz')),
  }),
  interoperability(
    'oci.base.reference.capitals',
    'a digest in capitals is taken for the same in small letters',
    malformed,
    {
      registry: moving('GET', /\/manifests\/sha256:[0-9A-F]{64}$/, (at) =>
        at.replace(/sha256:.*/, (digest) => digest.toLowerCase()),
      ),
    },
  ),
  corruption(
    'oci.base.reference.tag-and-colon',
    'what follows a colon in a reference is ignored',
    malformed,
    { registry: moving('GET', /\/manifests\/image:latest$/, (at) => at.replace(':latest', '')) },
  ),
  interoperability('oci.base.reference.deleted', 'DELETE of a malformed digest answers 202', malformed, {
    registry: answering(to('DELETE', /\/manifests\/sha256:zz$/), () => new Response(null, { status: 202 })),
  }),
  interoperability(
    'oci.base.http.405-without-allow',
    'a 405 has no Allow',
    ['oci.base.http.405-allow'],
    refused405((response) => withHeaders(response, { allow: null })),
  ),
  interoperability(
    'oci.base.http.405-allows-refused',
    'Allow of a 405 names the method that was refused',
    ['oci.base.http.405-allow'],
    refused405((response, { method }) =>
      withHeaders(response, { allow: `${response.headers.get('allow')}, ${method}` }),
    ),
  ),
  interoperability(
    'oci.base.http.405-allow-prose',
    'Allow of a 405 is a sentence',
    ['oci.base.http.405-allow'],
    refused405((response) => withHeaders(response, { allow: 'see the manual; ask an administrator' })),
  ),
  security('oci.proxy.ns.other', 'ns is repeated as another namespace', ['oci.proxy.ns'], {
    registry: setting('GET', manifest, { 'oci-namespace': 'docker.io' }),
  }),
  interoperability('oci.proxy.ns.501', 'a pull with ns answers 501', ['oci.proxy.ns'], {
    registry: answering(
      ({ url }) => url.includes('?ns='),
      () => errorAnswer(501, 'UNSUPPORTED'),
    ),
  }),
  corruption(
    'oci.proxy.ns.other-content',
    'a pull with ns answers with other content',
    ['oci.proxy.ns'],
    {
      registry: answering(
        ({ url }) => url.includes('?ns='),
        () => Response.json({ schemaVersion: 2 }),
      ),
    },
    'hashes what it received',
  ),
]
