import { expect, test } from 'vitest'
import { bearerChallenge, parseChallenges } from './challenge.ts'

const bearer = (header: string) => bearerChallenge([header])?.parameters

test('reads scheme and parameters, quoted or not, whatever the case and spacing', () => {
  const [challenge] = parseChallenges(
    'bEARER  Realm = "https://a/token?x=1,2" ,SERVICE=a.example,,scope="r:x:pull,push"',
  )
  expect(challenge).toEqual({
    scheme: 'bEARER',
    parameters: { realm: 'https://a/token?x=1,2', service: 'a.example', scope: 'r:x:pull,push' },
    quoted: ['realm', 'scope'],
    repeated: [],
  })
})

test('takes escapes out of quoted strings', () => {
  expect(bearer('Bearer realm="a\\"b\\\\c, d=e"')).toEqual({ realm: 'a"b\\c, d=e' })
})

test.each([
  ['Basic realm="b", Bearer realm="x"'],
  ['Bearer realm="x", Basic realm="b"'],
  ['Negotiate, Bearer realm="x"'],
  ['Negotiate YII=, NTLM TlRMTVNTUAAC==, Bearer realm="x"'],
  ['Bearer realm="x", NTLM'],
  ['Digest qop="auth,auth-int", algorithm=MD5, Bearer realm="x"'],
])('finds Bearer among other challenges: %s', (header) => {
  expect(bearer(header)).toEqual({ realm: 'x' })
})

test('finds Bearer in a second header line', () => {
  expect(bearerChallenge(['Basic realm="b"', 'Bearer realm="x"'])?.parameters).toEqual({ realm: 'x' })
})

test('reads a URL that should have been quoted to its end, and says that it was not', () => {
  const [challenge] = parseChallenges('Bearer realm=https://a.example/token?x=1,service="a"')
  expect(challenge?.parameters).toEqual({ realm: 'https://a.example/token?x=1', service: 'a' })
  expect(challenge?.quoted).toEqual(['service'])
})

test('keeps the first of a parameter that stands twice, and names it', () => {
  const [challenge] = parseChallenges('Bearer realm="x",scope="a:b:c",Scope="d:e:f",constructor="z"')
  expect(challenge?.parameters).toEqual({ realm: 'x', scope: 'a:b:c', constructor: 'z' })
  expect(challenge?.repeated).toEqual(['scope'])
})

test.each(['', 'realm="x"', 'Bearer realm="open', '"Bearer"', '=,='])(
  'ends at what is no challenge: %s',
  (header) => {
    expect(bearer(header)?.['realm']).toBeUndefined()
  },
)

test('white space around a header, and a parameter that stands three times', () => {
  const [challenge] = parseChallenges('  Bearer realm="a",realm="b",realm="c" ')
  expect(challenge).toMatchObject({ parameters: { realm: 'a' }, repeated: ['realm'] })
})

test('a space in what follows without a separator is kept', () => {
  expect(bearer('Bearer realm="a"scope="b c"')).toEqual({ realm: 'a', scope: 'b c' })
})
