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

/** What a good client does about a fault of a kind, where the fault itself has no advice. */
export const adviceByKind: Readonly<Record<FaultKind, string>> = {
  corruption:
    'compares digest and size of what it gets with what it asked for, and reads back what it must not lose',
  security:
    'cannot protect itself: it sends no secret to a host that it does not trust, and leaves the rest to the operator',
  interoperability: 'names the request and the answer in its error, and neither hangs nor tries for ever',
  cosmetic: 'goes on as if nothing had happened',
}
