import { isObject } from './json-web-token.ts'
import { test as base } from './login.ts'

const posts = ['post-json', 'post-form', 'post-basic'] as const

/** `test` for requirements on the token service: `posted` is what it answers to POST in each encoding. */
export const test = base.extend('posted', async ({ login }) => {
  const answers = await Promise.all(posts.map((way) => login.ask(way)))
  const read = answers.flatMap((answer, i) => {
    const way = posts[i] ?? 'post-json'
    return [{ way, answer, body: objectOf(answer) }]
  })
  return {
    good: read.flatMap(({ way, answer, body }) =>
      answer.status === 200 && body ? [{ way, answer, body }] : [],
    ),
    seen: read
      .map(({ way, answer, body }) => `${way}: ${answer.status}${body ? '' : ' without a JSON object'}`)
      .join(', '),
  }
})

function objectOf(answer: { json(): unknown }): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = answer.json()
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
