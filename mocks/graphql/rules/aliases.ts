import type { Plugin } from 'graphql-yoga'
import { overLimit } from '../errors.ts'
import { foldDocument, type Measure } from './fold-operation.ts'

const aliases: Measure = {
  field: (node, _type, inner = 0) => inner + (node.alias ? 1 : 0),
  join: (a, b) => a + b,
}

/** Limits how often a document can ask for the same under another name, what fragments repeat included. */
export function useAliasLimit(limit: number): Plugin {
  return {
    onValidate({ params: { documentAST, schema }, setResult }) {
      const actual = foldDocument(documentAST, schema, aliases)
      if (actual <= limit) return
      const how = 'Send several requests'
      setResult([overLimit('aliases', `The query has ${actual} aliases`, limit, actual, how)])
    },
  }
}
