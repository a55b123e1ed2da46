import { afterEach, expect, test, vi } from 'vitest'
import { configured } from './capability.ts'
import type { Targets } from './target.ts'

const account = { username: 'u', password: 'p' }
const offeredBy = (targets: Targets) =>
  Object.entries(configured(targets))
    .filter(([, { offered }]) => offered)
    .map(([need]) => need)
    .sort()

afterEach(() => vi.unstubAllEnvs())

test('an empty configuration offers nothing, and each need says what it needs', () => {
  expect(offeredBy({})).toEqual([])
  expect(configured({}).reader).toEqual({
    offered: false,
    cause: 'not-configured',
    reason: 'needs an account that may only pull (accounts.reader)',
  })
})

test('a registry alone', () => {
  vi.stubEnv('http_proxy', '')
  vi.stubEnv('HTTP_PROXY', '')
  vi.stubEnv('https_proxy', '')
  vi.stubEnv('HTTPS_PROXY', '')
  expect(offeredBy({ registry: { url: 'http://r.example' } })).toEqual(['direct', 'registry'])
  expect(offeredBy({ registry: { url: 'https://r.example' } })).toEqual(['direct', 'https', 'registry'])
  expect(offeredBy({ registry: { url: 'http://r.example', token: 't' } })).toContain('credentials')
})

test('a proxy stands between us and the registry, except on this machine', () => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.example')
  expect(offeredBy({ registry: { url: 'https://r.example' } })).toEqual(['https', 'registry'])
  expect(offeredBy({ registry: { url: 'http://127.0.0.1:1' } })).toContain('direct')
})

test('accounts and keys', () => {
  const registry = { url: 'http://127.0.0.1', publicKey: 'k', signingKey: 'k', domain: 'd', logs: 'l' }
  const { owner, ...others } = { owner: account, reader: account, stranger: account, special: account }
  expect(offeredBy({ registry: { ...registry, accounts: { owner } } })).toEqual(
    ['credentials', 'direct', 'domain', 'logs', 'public-key', 'registry', 'signing-key'].sort(),
  )
  expect(offeredBy({ registry: { url: registry.url, accounts: others } })).toEqual(
    ['direct', 'reader', 'registry', 'special', 'stranger'].sort(),
  )
})

test('an empty list of content or of instances offers none', () => {
  const url = 'http://127.0.0.1'
  const content = [{ repository: 'a', tag: 't', digest: 'd' }]
  expect(offeredBy({ registry: { url, content: [], instances: [] } })).toEqual(['direct', 'registry'])
  expect(offeredBy({ registry: { url, content, instances: [url] } })).toEqual(
    ['content', 'direct', 'instances', 'registry'].sort(),
  )
})

test('the other services', () => {
  const url = 'http://127.0.0.1'
  const tokens = { valid: 'a', other: 'b', expired: 'c', revoked: 'd' }
  expect(offeredBy({ storage: { url, control: url }, gateway: { url, private: true } })).toEqual(
    ['gateway', 'gateway.private', 'storage', 'storage.control'].sort(),
  )
  expect(offeredBy({ storage: { url }, gateway: { url, private: false } })).toEqual(['gateway', 'storage'])
  expect(offeredBy({ graphql: { url, tokens } })).toEqual(
    ['graphql', ...Object.keys(tokens).map((name) => `token.${name}`)].sort(),
  )
})

test.each(['gc', 'mutations', 'large'] as const)('leave for %s is leave for that alone', (leave) => {
  expect(offeredBy({ allow: [leave] })).toEqual([`allow.${leave}`])
})
