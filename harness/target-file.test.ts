import { describe, expect, test } from 'vitest'
import { UsageError } from './errors.ts'
import { parseTargets } from './target-file.ts'

const parse = (value: unknown, environment: NodeJS.ProcessEnv = {}) =>
  parseTargets(JSON.stringify(value), 'targets.json', environment)

describe('parseTargets', () => {
  test('reads a target and takes the slash from its end', () => {
    expect(parse({ registry: { url: 'http://127.0.0.1:5000/' } }).registry?.url).toBe('http://127.0.0.1:5000')
  })

  test('reads values from the environment', () => {
    const owner = { username: 'owner', password: 'env:REGISTRY_PASSWORD' }
    const { registry } = parse(
      { registry: { url: 'http://127.0.0.1:5000', accounts: { owner } } },
      { REGISTRY_PASSWORD: 'sesame' },
    )
    expect(registry?.accounts?.owner?.password).toBe('sesame')
  })

  test.each([
    ['no JSON', '{', 'targets.json is not JSON'],
    [
      'an unknown key',
      { registry: { url: 'http://x', acounts: {} } },
      '/registry: unknown key "acounts"; known are url, instances',
    ],
    [
      'an unknown part',
      { registy: {} },
      '/: unknown key "registy"; known are registry, storage, gateway, graphql, allow',
    ],
    ['no url', { storage: {} }, '/storage: the key "url" is missing'],
    [
      'another scheme',
      { storage: { url: 'ftp://x' } },
      '/storage/url: must be a URL that begins with http:// or https://',
    ],
    ['an unknown permission', { allow: ['everything'] }, '/allow/0: must be one of gc, mutations, large'],
    [
      'a missing variable',
      { storage: { url: 'env:NOT_SET' } },
      '/storage/url asks for the variable NOT_SET, which is not set',
    ],
  ])('%s is a usage error that names it', (_, value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect(() => parseTargets(text, 'targets.json', {})).toThrow(UsageError)
    expect(() => parseTargets(text, 'targets.json', {})).toThrow(message)
  })
})
