import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Tests against real container engines and real container clients, which take too long for every `npm test`. */
export default defineConfig({
  test: {
    ...config.test,
    exclude: [],
    projects: [
      {
        ...config,
        test: {
          ...config.test,
          name: 'containers',
          include: ['harness/cli/containers/*.test.ts', 'harness/cli/testcontainers.test.ts'],
          exclude: [],
          globalSetup: 'harness/cli/containers/setup.test-support.ts',
          testTimeout: 300_000,
          // All of them look at what the engine holds.
          fileParallelism: false,
        },
      },
      {
        ...config,
        test: { ...config.test, name: 'clients', include: ['harness/cli/clients/*.test.ts'], exclude: [] },
      },
    ],
  },
})
