import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{harness,mocks,fixtures,suites,reports}/**/*.test.ts'],
    // Tests that start real parts (PostgreSQL, the command line) need their time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
