import { defineConfig } from 'vitest/config'

/** The tests that stand for the modules of `stryker.config.json`, which mutates what decides a verdict. */
export default defineConfig({
  test: {
    include: [
      'harness/{answer,baseline,capability,challenge,finding,requirement,selection,summary,verdict}.test.ts',
      'harness/probe/*.test.ts',
    ],
  },
})
