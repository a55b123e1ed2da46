import { type GraphQLType, isListType, isNonNullType } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { overLimit } from '../errors.ts'
import { foldDocument, type Measure } from './fold-operation.ts'

const scalarCost = 1
const objectCost = 2
const listFactor = 10

function factorOf(type: GraphQLType | undefined): number {
  if (isNonNullType(type)) return factorOf(type.ofType)
  return isListType(type) ? listFactor * factorOf(type.ofType) : 1
}

const complexity: Measure = {
  field: (_node, type, inner) => factorOf(type) * (inner === undefined ? scalarCost : objectCost + inner),
  join: (a, b) => a + b,
}

/** Queries are limited by complexity (specification, section 8), with the figures of the public service. */
export function useComplexityLimit(limit: number): Plugin {
  return {
    onValidate({ params: { documentAST, schema }, setResult }) {
      const actual = foldDocument(documentAST, schema, complexity)
      if (actual <= limit) return
      const how = 'Ask for fewer lists inside lists: each makes what is in it count ten times'
      setResult([overLimit('complexity', `The query has a complexity of ${actual}`, limit, actual, how)])
    },
  }
}
