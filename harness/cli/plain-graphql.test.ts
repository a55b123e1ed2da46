import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { createSchema, createYoga } from 'graphql-yoga'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../report.ts'
import { assay } from './command.test-support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-plain-graphql-'))
})
afterAll(() => rm(folder, { recursive: true }))

const typeDefs = `
  type Project { id: ID!, name: String! }
  type ProjectList { data: [Project!]! }
  type Query { projects: ProjectList! }
`
const resolvers = { Query: { projects: () => ({ data: [{ id: '1', name: 'one' }] }) } }

interface Plain {
  readonly url: string
  close(): Promise<unknown>
}

async function plainYoga(): Promise<Plain> {
  const server = createServer(createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${port}/graphql`, close }
}

async function plainApollo(): Promise<Plain> {
  const server = new ApolloServer({ typeDefs, resolvers, introspection: true })
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } })
  return { url, close: () => server.stop() }
}

/** A server without authentication, with its framework's habits: what it does right holds, what it does not is found. */
test.each([
  ['graphql-yoga', plainYoga],
  ['Apollo Server', plainApollo],
])('a plain %s is told apart from the platform API', async (_, start) => {
  const { url, close } = await start()
  const input = JSON.stringify({ graphql: { url, tokens: { valid: 'made-up' } } })
  const ended = await assay(['test', '--targets', '-', '--report', 'json=report.json'], {
    cwd: folder,
    input,
  })
  await close()
  const { requirements } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
  const verdictOf = (wanted: string) => requirements.find(({ id }) => id === wanted)?.verdict
  expect(ended.code).toBe(1)
  expect(verdictOf('graphql.projects')).toBe('holds')
  expect(verdictOf('graphql.response.aliases')).toBe('holds')
  expect(verdictOf('graphql.auth.missing.code')).toBe('violated')
  expect(verdictOf('graphql.auth.missing.data-null')).toBe('violated')
  expect(verdictOf('graphql.errors.http-200')).toBe('violated')
  expect(verdictOf('graphql.introspection-off')).toBe('violated')
  expect(requirements.filter(({ verdict }) => verdict === 'error')).toEqual([])
})
