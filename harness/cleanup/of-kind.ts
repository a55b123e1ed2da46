import type { Thing, ThingKind } from '../journal/thing.ts'

/** A thing of one kind. */
export type Of<K extends ThingKind> = Thing & { readonly kind: K }

/** The things of one kind. */
export const ofKind = <K extends ThingKind>(things: readonly Thing[], kind: K): readonly Of<K>[] =>
  things.filter((thing): thing is Of<K> => thing.kind === kind)
