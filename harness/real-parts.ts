import type { Reporter, TestCase, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** The real part that a test used, with its version, or why it was left out. */
    realPart?: { readonly name: string; readonly found?: string; readonly missing?: string }
  }
}

/** Ends a run of the project's tests with one line for each real part that tests use: its version, or why it was left out. */
export class RealParts implements Reporter {
  readonly #parts = new Map<string, string>()

  onTestCaseResult(test: TestCase): void {
    const part = test.meta().realPart
    if (!part) return
    const line = part.found ?? (this.#parts.get(part.name) || `${part.name}: no, ${part.missing}`)
    this.#parts.set(part.name, line)
  }

  onTestRunEnd(_modules: readonly TestModule[]): void {
    const lines = [...this.#parts.values()].sort()
    if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}
