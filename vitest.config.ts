import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Vite would give our sources graphql's ES modules while yoga gets its CommonJS: two copies of GraphQLError.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
})
