import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['coverage/build/{harness,mocks,fixtures,suites,reports}/**/*.test.js'],
    exclude: ['coverage/build/dist/**', 'coverage/build/harness/cli/{containers,clients}/**'],
    pool: 'threads',
    server: { deps: { external: [/\/coverage\/build\/(?!.*\.test\.js)/] } },
  },
})
