import schema from '../matrix.schema.json' with { type: 'json' }
import { schemaCheck } from '../schema-check.ts'
import type { Matrix } from './matrix.ts'

/** The value as a matrix. Throws `InvalidReport` where it is none. */
export const readMatrix = schemaCheck<Matrix>(schema, 'matrix')

/** The matrix as JSON text. Throws `InvalidReport` rather than give out what `matrix.schema.json` does not describe. */
export const matrixJson = (matrix: Matrix): string => `${JSON.stringify(readMatrix(matrix), null, 2)}\n`
