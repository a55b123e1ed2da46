/**
 * The worker of `suite-thread.ts`: that of Vitest's threads, which moreover loads the suites before it is told to. They
 * are read, compiled and linked then; whatever declares a requirement waits in `harness/test.ts`.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import { standBy } from './standby.ts'

if (!parentPort) throw new Error('this is the entry of a worker thread')
const port = parentPort

init({
  post: (response) => port.postMessage(response),
  on: (callback) => port.on('message', callback),
  off: (callback) => port.off('message', callback),
  teardown: () => port.removeAllListeners('message'),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
})
standBy()
// What is wrong with a suite is told when Vitest imports it.
import(workerData).catch(() => {})
