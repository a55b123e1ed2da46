import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 run code far longer before it optimises it. A run is over in seconds and does little of anything often: most of
 * what is optimised is hardly run again then, and optimising it takes an eighth of the run's processor time. Holds for
 * threads that begin later. For Node 20 alone: later V8 have no such flag, would say so on every run, and optimise in
 * smaller steps.
 */
export function optimiseLater(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000')
}
