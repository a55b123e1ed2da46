import { type GraphQLError, Lexer, Source, TokenKind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { overLimit } from '../errors.ts'

/** Brackets inside each other: beyond any depth that the other limits let through, and far below what a stack holds. */
const deepestNesting = 200

const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

function* tokensOf(body: string): Generator<string> {
  const lexer = new Lexer(new Source(body))
  while (lexer.advance().kind !== TokenKind.EOF) yield lexer.token.kind
}

/** The error for a document that is too long or too deeply nested to be parsed; undefined for any other, broken or not. */
function sizeError(body: string, limit: number): GraphQLError | undefined {
  let count = 0
  let nesting = 0
  for (const kind of tokensOf(body)) {
    if (++count > limit) {
      return overLimit(
        'tokens',
        `The document has ${count} tokens or more`,
        limit,
        count,
        'Send several requests',
      )
    }
    if (opening.has(kind)) nesting++
    if (closing.has(kind)) nesting--
    if (nesting > deepestNesting) {
      const message = `The document has brackets ${nesting} deep or more`
      return overLimit('nesting', message, deepestNesting, nesting, 'Pass deep values as variables')
    }
  }
  return undefined
}

/** Refuses a document before it is parsed: the parser would go as deep as the document does. */
export function useDocumentSizeLimit(limit: number): Plugin {
  return {
    onParse({ params: { source }, setParseFn, parseFn }) {
      setParseFn((...args: Parameters<typeof parseFn>) => {
        const error = sizeError(typeof source === 'string' ? source : source.body, limit)
        if (error) throw error
        return parseFn(...args)
      })
    },
  }
}
