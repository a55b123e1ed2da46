/** A login of the registry. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** The four personal access tokens of the platform that a run needs; `valid` and `other` belong to two users. */
export interface PlatformTokens {
  readonly valid: string
  readonly other: string
  readonly expired: string
  readonly revoked: string
}

/** What a registry holds at start, so that a run that only reads has something to read. */
export type StartContent = readonly {
  readonly repository: string
  readonly tag: string
  readonly digest: string
}[]

/** Where a stack is and how to get in: the target file of `assay test --targets`. */
export interface Targets {
  readonly registry?: {
    readonly url: string
    readonly instances?: readonly string[]
    readonly domain: string
    readonly accounts?: Readonly<Record<'owner' | 'reader' | 'stranger' | 'special', Login>>
    readonly namespace: string
    /** PEM. */
    readonly publicKey: string
    /** PEM. */
    readonly signingKey: string
    readonly content: readonly {
      readonly repository: string
      readonly tag: string
      readonly digest: string
    }[]
    /** A file with the registry's structured log. */
    readonly logs: string
  }
  readonly storage?: { readonly url: string; readonly control?: string }
  readonly gateway?: { readonly url: string; readonly prefix: string; readonly private: boolean }
  readonly graphql?: { readonly url: string; readonly tokens: PlatformTokens }
  readonly allow: readonly ('gc' | 'mutations' | 'large')[]
}
