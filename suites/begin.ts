import { beginRun } from '../harness/standby.ts'

// The one module that Vitest reads. The suites may be there already, waiting for this.
beginRun()
await import('./every.ts')
