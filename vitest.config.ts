import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Vite would give our sources graphql's ES modules while yoga gets its CommonJS: two copies of GraphQLError.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{harness,mocks,fixtures,suites,reports}/**/*.test.ts'],
    // Tests that start real parts (PostgreSQL, the command line) need their time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
