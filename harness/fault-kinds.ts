import type { Fault, FaultKind } from './fault.ts'

/**
 * Ways to declare a fault, by what it does to people: `corruption` loses bytes or gives others, `security` lets
 * somebody at what is not theirs, `interoperability` fails a client that follows the specification, `cosmetic`
 * misleads a person or a log.
 */
export const faultKinds = <Seams>() => ({
  corruption: of<Seams>('corruption'),
  security: of<Seams>('security'),
  interoperability: of<Seams>('interoperability'),
  cosmetic: of<Seams>('cosmetic'),
})

const of =
  <Seams>(kind: FaultKind) =>
  (id: string, what: string, breaks: readonly string[], seams: Seams, client?: string): Fault<Seams> => ({
    id,
    what,
    kind,
    breaks,
    seams,
    ...(client !== undefined && { client }),
  })
