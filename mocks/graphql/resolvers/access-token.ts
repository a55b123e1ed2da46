import { useSecret } from '../access-token.ts'
import type { Context } from '../context.ts'
import { platformError } from '../errors.ts'
import { openSession } from '../session.ts'

interface LoginArguments {
  readonly data: { readonly personalAccessToken: string; readonly projectId?: string | null }
}

function login(_: unknown, { data }: LoginArguments, { state, clock }: Context): Promise<string> {
  const token = useSecret(state.tokens, clock, data.personalAccessToken)
  if (!token) {
    // The SDK finds the class of an error by this name.
    throw platformError('Invalid or expired personal access token', 'UNAUTHORIZED', {
      name: 'UnauthorizedError',
    })
  }
  return openSession(state, clock, token)
}

export const accessTokenResolvers = {
  Mutation: { loginWithPersonalAccessToken: login },
}
