export interface AccountCredentials {
  readonly username: string
  readonly password: string
}

export type AccountName = 'owner' | 'reader' | 'stranger' | 'special'

export interface RegistryTarget {
  readonly url: string
  readonly instances?: readonly string[]
  readonly domain?: string
  readonly accounts?: Readonly<Partial<Record<AccountName, AccountCredentials>>>
  readonly token?: string
  readonly namespace?: string
  readonly publicKey?: string
  readonly signingKey?: string
  readonly content?: readonly {
    readonly repository: string
    readonly tag?: string
    readonly digest?: string
  }[]
  readonly logs?: string
}

export interface GraphqlTarget {
  readonly url: string
  readonly tokens?: Readonly<Partial<Record<'valid' | 'other' | 'expired' | 'revoked', string>>>
}

/** What a run is pointed at: the object that `assay serve --json` prints and a target file holds. */
export interface Targets {
  readonly registry?: RegistryTarget
  readonly storage?: { readonly url: string; readonly control?: string }
  readonly gateway?: { readonly url: string; readonly prefix?: string; readonly private?: boolean }
  readonly graphql?: GraphqlTarget
  readonly allow?: readonly ('gc' | 'mutations' | 'large')[]
}

/** Every secret of the targets, with the name that stands for it in a report. */
export function secretsOf({
  registry,
  graphql,
}: Targets): readonly (readonly [secret: string, label: string])[] {
  const secrets: [string, string][] = []
  for (const [name, account] of Object.entries(registry?.accounts ?? {})) {
    secrets.push([account.password, `password of ${name}`])
    const basic = Buffer.from(`${account.username}:${account.password}`).toString('base64')
    secrets.push([basic, `basic credentials of ${name}`])
  }
  if (registry?.token) secrets.push([registry.token, 'registry token'])
  if (registry?.signingKey) secrets.push([registry.signingKey, 'signing key'])
  for (const [name, token] of Object.entries(graphql?.tokens ?? {})) {
    secrets.push([token, `${name} platform token`])
  }
  return secrets
}
