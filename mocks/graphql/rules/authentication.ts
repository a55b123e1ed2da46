import { type DocumentNode, getOperationAST, parse } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import type { AccessToken } from '../access-token.ts'
import { notAuthenticated } from '../errors.ts'

const bearer = /^Bearer +(\S+) *$/i
const loginFields = new Set(['loginWithPersonalAccessToken', '__typename'])

/** The credential of an `Authorization: Bearer` header; any other scheme or form counts as none. */
const credentialOf = (request: Request) => bearer.exec(request.headers.get('authorization') ?? '')?.[1]

function documentOf(query: string): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens: 100, noLocation: true })
  } catch {
    return undefined
  }
}

/** Whether all that is asked for is the SDK's login, plain and without fragments. */
function isLogin({ query, operationName }: GraphQLParams): boolean {
  const document = documentOf(query ?? '')
  const operation = document && getOperationAST(document, operationName)
  return (
    operation?.operation === 'mutation' &&
    operation.selectionSet.selections.every(
      (node) => node.kind === 'Field' && loginFields.has(node.name.value),
    )
  )
}

/**
 * Decides who asks before anything is read, checked or executed, so that `data` is null whatever the document is
 * (specification, section 5.2). Only the SDK's login goes through without a token.
 */
export function useAuthentication(
  ownerOf: (credential: string) => Promise<AccessToken | undefined>,
  callers: WeakMap<Request, AccessToken>,
): Plugin {
  return {
    async onRequestParse({ request, requestParser, setRequestParser }) {
      const credential = credentialOf(request)
      const token = credential === undefined ? undefined : await ownerOf(credential)
      if (token) {
        callers.set(request, token)
        return
      }
      setRequestParser(async (limited) => {
        const params = await Promise.resolve(requestParser?.(limited)).catch(() => undefined)
        if (params && 'query' in params && isLogin(params)) return params
        throw notAuthenticated()
      })
    },
  }
}
