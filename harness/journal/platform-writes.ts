import type { Answer } from '../answer.ts'
import type { GraphqlTarget } from '../target.ts'
import type { Outgoing, Recogniser } from './observer.ts'
import type { Thing } from './thing.ts'

type Named = Extract<Thing, { name: string }>

const creations = [
  { field: 'createProject', kind: 'project' },
  { field: 'createPersonalAccessToken', kind: 'access-token' },
] as const

/** A name in variables or in a document, also where that document is a JSON string itself. */
const nameGiven = /\\?"?\bname\\?"?\s*:\s*\\?"([^"\\]+)\\?"/g

/** Recognises the creation of projects and access tokens, whatever form the request has. */
export function platformWrites({ url, tokens = {} }: GraphqlTarget): Recogniser {
  return {
    recognise(request) {
      if (request.url !== url && !request.url.startsWith(`${url}?`)) return undefined
      const text = textOf(request)
      const creation = creations.find(({ field }) => text.includes(field))
      if (!creation) return undefined
      const names = new Set([...text.matchAll(nameGiven)].map(([, name = '']) => name))
      const sent = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
      const by = Object.entries(tokens).find(([, token]) => sent.endsWith(token))?.[0]
      const making = [...names].map((name): Named => ({ kind: creation.kind, name, ...(by && { by }) }))
      return { making, settled: (answer) => identified(making, answer) }
    },
  }
}

function textOf({ url, body }: Outgoing): string {
  const { searchParams } = new URL(url)
  return [...[...searchParams.values()], Buffer.from(body ?? []).toString()].join('\n')
}

/** An answer that tells the id of what was made; without one it stays open, as a refusal is hard to tell here. */
function identified(making: readonly Named[], answer: Answer) {
  const found = objectsIn(bodyOf(answer)).flatMap(({ id, name }) => {
    const thing = making.find((one) => one.name === name)
    return thing && typeof id === 'string' ? [{ ...thing, id }] : []
  })
  if (found.length === 0) return []
  const settled = making.filter(({ name }) => found.some((one) => one.name === name))
  return [{ made: found }, { refused: settled }]
}

function bodyOf(answer: Answer): unknown {
  try {
    return answer.json()
  } catch {
    return undefined
  }
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  const object = value as Readonly<Record<string, unknown>>
  return [object, ...Object.values(object).flatMap(objectsIn)]
}
