import type { Parts, PartsOptions } from './parts.ts'

/** Opens the services that are asked for; what is not asked for is not even imported. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const platform = options.services.has('graphql') ? await openPlatform(options) : undefined
  return {
    ...(platform && { graphql: { handle: options.wrap('graphql', platform.handle) } }),
    snapshot: async () => async () => platform?.reset(),
    close: async () => platform?.close(),
  }
}

async function openPlatform({ clock, tokens, extensions }: PartsOptions) {
  const { createPlatform } = await import('./graphql/platform.ts')
  return createPlatform({
    clock,
    tokens: [
      { token: tokens.valid, user: 'owner', state: 'valid' },
      { token: tokens.other, user: 'other', state: 'valid' },
      { token: tokens.expired, user: 'owner', state: 'expired' },
      { token: tokens.revoked, user: 'owner', state: 'revoked' },
    ],
    ...(extensions && { extensions }),
  })
}
