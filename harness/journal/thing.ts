/** Something that a run may have made on a target, named as its removal needs it. */
export type Thing =
  | {
      readonly kind: 'manifest'
      readonly repository: string
      /** `sha256:` of what was sent. */
      readonly digest: string
      /** The digest that it was pushed under, where that is another. */
      readonly alias?: string
      /** Digests of the manifests that it refers to: it goes before them. */
      readonly refers?: readonly string[]
    }
  | { readonly kind: 'tag'; readonly repository: string; readonly tag: string }
  | { readonly kind: 'blob'; readonly repository: string; readonly digest: string }
  /** An open upload; without `url` its answer has not come. */
  | { readonly kind: 'upload'; readonly repository: string; readonly id: string; readonly url?: string }
  /** A pin of the storage node; `unclear` where it may have been there before. */
  | { readonly kind: 'pin'; readonly cid: string; readonly unclear?: true }
  /** The topmost block of content that was not on the node before: without it, nobody finds the content. */
  | { readonly kind: 'block'; readonly cid: string }
  /** `by` is whose token made it, as the target file names tokens. */
  | {
      readonly kind: 'project' | 'access-token'
      readonly name: string
      readonly id?: string
      readonly by?: string
    }
  /** A fault that was switched on at the control surface of a mock. */
  | { readonly kind: 'fault'; readonly url: string }

export type ThingKind = Thing['kind']

/** What makes two mentions the same thing. */
export function keyOf(thing: Thing): string {
  switch (thing.kind) {
    case 'manifest':
      return `manifest ${thing.repository} ${thing.digest} ${thing.alias ?? ''}`
    case 'tag':
      return `tag ${thing.repository} ${thing.tag}`
    case 'blob':
      return `blob ${thing.repository} ${thing.digest}`
    case 'upload':
      return `upload ${thing.id}`
    case 'pin':
    case 'block':
      return `${thing.kind} ${thing.cid}`
    case 'project':
    case 'access-token':
      return `${thing.kind} ${thing.name} ${thing.id ?? ''}`
    case 'fault':
      return `fault ${thing.url}`
  }
}

/** Where a thing lies, for a reader: its repository, or the node or platform. */
export function placeOf(thing: Thing): string {
  if ('repository' in thing) return thing.repository
  return 'cid' in thing || thing.kind === 'fault' ? 'the storage node' : 'the platform'
}
