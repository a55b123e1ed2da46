import { expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

const password = 'p"a s%s+w:ö\\rd&='

test.each([
  ['as it is', password],
  ['in JSON', JSON.stringify({ password }).slice(13, -2)],
  ['in a query', encodeURIComponent(password)],
  ['in a form', new URLSearchParams({ password }).toString().slice('password='.length)],
  ['in base64', Buffer.from(password).toString('base64')],
])('takes a secret out %s', (_, spelling) => {
  const redactor = createRedactor()
  redactor.add(password, 'password of owner')
  expect(redactor.redact(`before ${spelling} after`)).toBe('before [password of owner] after')
})

test('takes out tokens that nobody announced', () => {
  const token = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvd25lciJ9.${'a'.repeat(20)}`
  expect(createRedactor().redact(`{"token":"${token}"}`)).toBe('{"token":"[token]"}')
})

test('takes opaque tokens out of the answers of token services', () => {
  const answer = '{"token": "dXNlcjpwYXNz", "access_token":"q.w+/=", "expires_in":300, "refresh_token":"r"}'
  expect(createRedactor().redact(answer)).toBe(
    '{"token": "[token]", "access_token":"[token]", "expires_in":300, "refresh_token":"[token]"}',
  )
})

test('takes the longer of two secrets out first', () => {
  const redactor = createRedactor()
  redactor.add('secret', 'short')
  redactor.add('secret-and-more', 'long')
  expect(redactor.redact('secret-and-more, secret')).toBe('[long], [short]')
})

test('leaves text alone that only looks short and alike', () => {
  const redactor = createRedactor()
  redactor.add('ab', 'too short to tell')
  expect(redactor.redact('abc')).toBe('abc')
})
