import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { restatus } from '../seams.faults.ts'
import { errorAnswer, having, moving, path, type Wire } from '../wire.ts'

const { corruption, security, interoperability } = faultKinds<Seams>()
const { tag } = path

const names = ['oci.base.name.grammar-accepted']
const badNames = ['oci.base.name.invalid-rejected']
const lengths = ['oci.base.name.length']
const dots = ['oci.base.name.dot-segments']
const tags = ['oci.base.tag.grammar-accepted']
const badTags = ['oci.base.tag.invalid-rejected']
const nests = 'keeps to names of plain components'

const refusing = (where: RegExp) => ({
  registry: answering(to('*', where), () => errorAnswer(400, 'NAME_INVALID')),
})
const taking = (where: RegExp) => ({
  registry: answering(
    to('POST', where),
    () => new Response(null, { status: 202, headers: { location: '/v2/x/blobs/uploads/1' } }),
  ),
})
const retagging = (method: string, where: RegExp, change: (reference: string) => string) =>
  moving(method, where, (at) => at.replace(/[^/]+$/, change))
const merged = (name: string) => name.replace('__', '_')
const cut = (name: string) => name.slice(0, 250)

export const faults = [
  interoperability('oci.base.name.no-dot', 'a dot in a name is refused', names, refusing(/\/a\.b\//), nests),
  interoperability(
    'oci.base.name.no-underscores',
    'two underscores in a name are refused',
    names,
    refusing(/__.*\/(?:blobs|manifests)\//),
    nests,
  ),
  interoperability(
    'oci.base.name.no-hyphens',
    'more than one hyphen in a name is refused',
    names,
    refusing(/---.*\/(?:blobs|manifests)\//),
    nests,
  ),
  interoperability(
    'oci.base.name.no-digit',
    'a component that begins with a digit is refused',
    names,
    refusing(/\/\d[\w.]*\/(?:blobs|manifests)\//),
    nests,
  ),
  interoperability(
    'oci.base.name.no-nesting',
    'names may have a few components only',
    names,
    refusing(/(?:\/[\w.-]+){7,}\/(?:blobs|manifests)\//),
    nests,
  ),
  interoperability(
    'oci.base.name.pull-without-dot',
    'what was pushed under a name with a dot is not found',
    names,
    { registry: rewriting(to('GET', /\/a\.b\/manifests\//), (response) => withStatus(response, 404)) },
  ),
  interoperability(
    'oci.base.name.nested-202',
    'a manifest under a name with a component of one digit is acknowledged with 202',
    names,
    restatus('PUT', /\/0\/manifests\//, 201, 202),
  ),
  corruption('oci.base.name.underscores-merged', 'two underscores in a name are read as one', names, {
    stores: ({ manifests, ...rest }) => ({
      ...rest,
      manifests: {
        ...manifests,
        find: (name, reference) => manifests.find(merged(name), reference),
        put: (name, manifest, given) => manifests.put(merged(name), manifest, given),
      },
    }),
  }),
  security(
    'oci.base.name.capitals',
    'a name in capitals is taken',
    badNames,
    taking(/\/[^/]*[A-Z][^/]*\/blobs\/uploads\//),
  ),
  security(
    'oci.base.name.capitals-inside',
    'only the last component of a name is checked',
    badNames,
    taking(/\/[^/]*[A-Z][^/]*\/[a-z]+\/blobs\/uploads\//),
  ),
  interoperability(
    'oci.base.name.ends-in-separator',
    'a component may end in a separator',
    badNames,
    taking(/[-_.]\/blobs\/uploads\//),
  ),
  interoperability(
    'oci.base.name.begins-with-separator',
    'a component may begin with a separator',
    badNames,
    taking(/\/[-_.][a-z]\/blobs\/uploads\//),
  ),
  interoperability(
    'oci.base.name.separators',
    'any run of separators is taken',
    badNames,
    taking(/[a-z](?:\.\.|___|_\.)[a-z]\/blobs\/uploads\//),
  ),
  interoperability(
    'oci.base.name.accent',
    'a letter outside ASCII in a name is taken',
    badNames,
    taking(/%C3%A9\/blobs\/uploads\//i),
  ),
  interoperability('oci.base.name.pull-500', 'a pull from a name that is none answers 500', badNames, {
    registry: rewriting(to('GET', /\/a\.\.b\/manifests\//), (response) => withStatus(response, 500)),
  }),
  interoperability('oci.base.name.long-500', 'a name of 1000 characters answers 500', lengths, {
    registry: answering(to('*', /^\/v2\/.{1000}/), () => errorAnswer(500, 'UNKNOWN')),
  }),
  corruption('oci.base.name.cut', 'names are cut to the width of a column', lengths, {
    stores: ({ manifests, ...rest }) => ({
      ...rest,
      manifests: {
        ...manifests,
        find: (name, reference) => manifests.find(cut(name), reference),
        put: (name, manifest, given) => manifests.put(cut(name), { ...manifest, sparse: true }, given),
      },
    }),
  }),
  corruption('oci.base.name.long-lost', 'what is pushed under a long name is not found again', lengths, {
    registry: rewriting(to('GET', /[^?]{240,}\/manifests\//), (response) => withStatus(response, 404)),
  }),
  interoperability('oci.base.name.encoded-slash-500', 'an encoded slash in a name answers 500', dots, {
    registry: rewriting(to('*', /%2f/i), (response) => withStatus(response, 500)),
  }),
  interoperability(
    'oci.base.name.encoded-slash-upload-500',
    'an upload under a name with an encoded slash answers 500',
    dots,
    {
      registry: rewriting(to('POST', /%2f/i), (response) => withStatus(response, 500)),
    },
  ),
  security('oci.base.name.host-file', 'dot segments in a name lead out of the registry', dots, {
    registry: answering(
      to('GET', /\/etc\/blobs\/passwd$|etc%2fpasswd|%2fetc\/blobs\/passwd$/i),
      () => new Response('root:x:0:0:root:/root:/bin/sh\n'),
    ),
  }),
  security(
    'oci.base.name.dots-dropped',
    'a name with encoded dot segments is read as another repository',
    dots,
    {
      registry: answering(to('GET', /a%2f\.\.%2fb\/manifests\//), () => Response.json({ schemaVersion: 2 })),
    },
  ),
  interoperability(
    'oci.base.tag.no-underscore',
    'a tag that begins with an underscore is refused',
    tags,
    refusing(/\/manifests\/_/),
  ),
  interoperability(
    'oci.base.tag.no-capitals',
    'a capital letter in a tag is refused',
    tags,
    refusing(/\/manifests\/[^/:]*[A-Z][^/:]*$/),
  ),
  interoperability(
    'oci.base.tag.127',
    'a tag of 128 characters is refused',
    tags,
    refusing(/\/manifests\/[^/:]{128}$/),
  ),
  corruption('oci.base.tag.cut-to-127', 'tags are cut to 127 characters', tags, {
    registry: rewriting(to('GET', /\/manifests\/[^/:]{128}$/), (response) => withStatus(response, 404)),
  }),
  interoperability(
    'oci.base.tag.no-last-dot',
    'a tag that ends in a dot or hyphen is refused',
    tags,
    refusing(/\/manifests\/[^/:]*[.-]$/),
  ),
  interoperability('oci.base.tag.digit', 'a tag of one digit is taken for an index', tags, {
    registry: rewriting(to('GET', /\/manifests\/\d$/), (response) => withStatus(response, 404)),
  }),
  corruption('oci.base.tag.separators-merged', 'tags that differ in a separator are one', tags, {
    registry: retagging('*', /\/manifests\/a\.$/, () => 'a-'),
  }),
  corruption('oci.base.tag.cut-to-128', 'a longer tag is cut to 128 characters', badTags, {
    registry: retagging('*', /\/manifests\/[^/:]{129}$/, (given) => given.slice(0, 128)),
  }),
  corruption('oci.base.tag.dot-dropped', 'a dot before a tag is dropped', badTags, {
    registry: retagging('PUT', /\/manifests\/\.[^/]+$/, (given) => given.slice(1)),
  }),
  corruption('oci.base.tag.space', 'a space in a tag becomes a hyphen', badTags, {
    registry: retagging('PUT', /%20/, (given) => given.replace('%20', '-')),
  }),
  corruption(
    'oci.base.tag.dropped',
    'a push under a bad tag is taken, and tagged with nothing',
    badTags,
    { registry: retagging('PUT', /\/manifests\/a%2Bb$/, () => 'good') },
    'reads back what it tagged',
  ),
  corruption(
    'oci.base.tag.tagged-though-refused',
    'a push under a bad tag is refused and tagged all the same',
    badTags,
    {
      registry: (next: Wire) =>
        rewriting(
          to('PUT', /\/manifests\/-x$/),
          having(201, () => errorAnswer(400, 'MANIFEST_INVALID')),
        )(retagging('PUT', /\/manifests\/-x$/, () => 'x')(next)),
    },
  ),
  interoperability('oci.base.tag.bad-500', 'GET of a bad tag answers 500', badTags, {
    registry: rewriting(to('GET', /caf%C3%A9/i), (response) => withStatus(response, 500)),
  }),
  corruption(
    'oci.base.tag.small-letters',
    'tags are kept in small letters',
    ['oci.base.tag.case-sensitive'],
    { registry: retagging('*', tag, (given) => given.toLowerCase()) },
  ),
  corruption(
    'oci.base.tag.found-in-any-case',
    'a tag is found in any spelling of its letters',
    ['oci.base.tag.case-sensitive'],
    { registry: retagging('GET', /\/manifests\/rEl$/, () => 'rel') },
  ),
]
