import type { Plugin } from 'graphql-yoga'
import { overLimit } from '../errors.ts'
import { foldDocument, type Measure } from './fold-operation.ts'

const depth: Measure = {
  field: (_node, _type, inner) => (inner === undefined ? 0 : 1 + inner),
  join: Math.max,
}

/** Limits how many objects lie inside each other. */
export function useDepthLimit(limit: number): Plugin {
  return {
    onValidate({ params: { documentAST, schema }, setResult }) {
      const actual = foldDocument(documentAST, schema, depth)
      if (actual <= limit) return
      const how = 'Ask for the inner objects by their ids, in a query of their own'
      setResult([overLimit('depth', `The query is ${actual} objects deep`, limit, actual, how)])
    },
  }
}
