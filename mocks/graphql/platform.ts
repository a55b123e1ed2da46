import { useDisableIntrospection } from '@graphql-yoga/plugin-disable-introspection'
import { createYoga } from 'graphql-yoga'
import type { Clock } from '../clock.ts'
import type { Handler } from '../handler.ts'
import { type AccessToken, takeSecret } from './access-token.ts'
import { contextFor } from './context.ts'
import { useAliasLimit } from './rules/aliases.ts'
import { useAnswer } from './rules/answer.ts'
import { useAuthentication } from './rules/authentication.ts'
import { useComplexityLimit } from './rules/complexity.ts'
import { corsOfLoopback } from './rules/cors.ts'
import { useDepthLimit } from './rules/depth.ts'
import { useDocumentSizeLimit } from './rules/document-size.ts'
import { useRequestBody } from './rules/request-body.ts'
import { type Extension, platformSchema } from './schema.ts'
import type { PlatformSeed } from './seed.ts'
import { tokenOfSession } from './session.ts'
import { startState } from './start.ts'
import { copyState } from './state.ts'

/** A personal access token that exists at start, under the name of the user whose projects it sees. */
export interface PlatformToken {
  readonly token: string
  readonly user: string
  readonly state: 'valid' | 'expired' | 'revoked'
}

/** How much one document may ask for. */
export interface Limits {
  readonly complexity: number
  readonly depth: number
  readonly aliases: number
  readonly tokens: number
}

export interface PlatformOptions {
  readonly clock: Clock
  readonly tokens: readonly PlatformToken[]
  /** What the schema offers beyond the specification's resources. Default: none. */
  readonly extensions?: readonly Extension[]
  readonly limits?: Partial<Limits>
  readonly seed?: PlatformSeed
}

export interface Platform {
  readonly handle: Handler
  /** Returns to the state after start. */
  reset(): void
  close(): Promise<void>
}

/** Complexity and depth are those of the public service, which has no other limits. */
const defaultLimits: Limits = { complexity: 15_000, depth: 10, aliases: 200, tokens: 5_000 }

const endpoint = '/graphql'
/** Longer bodies are refused while they are read. */
const longestBody = 4 * 1024 * 1024

const notFound = () =>
  Response.json({ errors: [{ message: `The API answers at ${endpoint}` }], data: null }, { status: 404 })

/** The platform GraphQL API: one endpoint, and a state that is its own. */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { clock } = options
  const limits = { ...defaultLimits, ...options.limits }
  const start = startState(options)
  let state = copyState(start)
  const callers = new WeakMap<Request, AccessToken>()
  const ownerOf = async (credential: string) =>
    takeSecret(state.tokens, clock, credential) ?? tokenOfSession(state, clock, credential)

  const yoga = createYoga({
    schema: platformSchema(options.extensions),
    context: ({ request }) => contextFor(state, clock, callers.get(request), request.headers),
    plugins: [
      useRequestBody(),
      useAuthentication(ownerOf, callers),
      useDocumentSizeLimit(limits.tokens),
      // Where several limits are passed, the last one that says so is heard.
      useComplexityLimit(limits.complexity),
      useAliasLimit(limits.aliases),
      useDepthLimit(limits.depth),
      useDisableIntrospection(),
      useAnswer(),
    ],
    cors: corsOfLoopback,
    graphqlEndpoint: endpoint,
    // A URL never holds a space: yoga would answer its health check to any URL that ends like this.
    healthCheckEndpoint: ' ',
    graphiql: false,
    landingPage: false,
    maxRequestBodySize: longestBody,
    // It would keep a thousand documents of any length.
    parserAndValidationCache: false,
    maskedErrors: { isDev: false },
    logging: 'error',
  })

  return {
    handle: (request, context) =>
      new URL(request.url).pathname === endpoint ? yoga.fetch(request, context) : notFound(),
    reset() {
      state = copyState(start)
    },
    async close() {
      await yoga.dispose()
    },
  }
}
