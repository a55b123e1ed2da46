import { defineConfig } from 'vitest/config'
import { RealParts } from './harness/real-parts.ts'

export default defineConfig({
  // Without this, Vite gives our sources graphql's ES modules and yoga its CommonJS: two copies of GraphQLError, and
  // every test of mocks/graphql fails.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{harness,mocks,fixtures,suites,reports}/**/*.test.ts'],
    exclude: ['harness/cli/{containers,clients}/**'],
    // Tests that start real parts (PostgreSQL, the command line) need their time on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', new RealParts()],
  },
})
