import { expect, test } from 'vitest'
import { secretsOf, type Targets } from './target.ts'

test('secretsOf names every secret of the targets', () => {
  const targets: Targets = {
    registry: {
      url: 'http://x',
      token: 'registry-token',
      signingKey: '-----BEGIN PRIVATE KEY-----',
      accounts: { owner: { username: 'owner', password: 'sesame' } },
    },
    graphql: { url: 'http://x', tokens: { valid: 'af_test_1' } },
  }
  expect(secretsOf(targets)).toEqual([
    ['sesame', 'password of owner'],
    [Buffer.from('owner:sesame').toString('base64'), 'basic credentials of owner'],
    ['registry-token', 'registry token'],
    ['-----BEGIN PRIVATE KEY-----', 'signing key'],
    ['af_test_1', 'valid platform token'],
  ])
})
