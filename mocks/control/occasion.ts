import { addressOf } from './address.ts'
import { glob } from './glob.ts'
import { objectWith, optionalCount, optionalText } from './shape.ts'

/** Which requests a fault meets. Every condition that is there has to hold. */
export interface Match {
  readonly method?: string
  /** `*` stands for any run of characters, slashes included. */
  readonly path?: string
  readonly query?: Readonly<Record<string, string>>
}

/** When an active fault misbehaves. Without any of these: always. */
export interface Occasion {
  readonly match?: Match
  /** How many requests it meets before it is spent. */
  readonly times?: number
  /** How many matching requests it lets pass first. */
  readonly after?: number
}

/** Reads the body of `PUT /_mock/faults/ID`. */
export function readOccasion(body: unknown): Occasion {
  const object = objectWith(body, ['match', 'times', 'after'], 'the body')
  const times = optionalCount(object, 'times', 1, 'the body')
  const after = optionalCount(object, 'after', 0, 'the body')
  return {
    ...(object['match'] !== undefined && { match: readMatch(object['match']) }),
    ...(times !== undefined && { times }),
    ...(after !== undefined && { after }),
  }
}

function readMatch(value: unknown): Match {
  const object = objectWith(value, ['method', 'path', 'query'], '"match"')
  const method = optionalText(object, 'method', '"match"')
  const path = optionalText(object, 'path', '"match"')
  return {
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(object['query'] !== undefined && { query: readQuery(object['query']) }),
  }
}

function readQuery(value: unknown): Record<string, string> {
  const object = objectWith(value, Object.keys(Object(value)), '"query"')
  return Object.fromEntries(
    Object.keys(object).map((key) => [key, optionalText(object, key, '"query"') ?? '']),
  )
}

/** Compiles a match into a test on requests. */
export function matcher({ method, path, query }: Match): (request: Request) => boolean {
  const wantedMethod = method?.toUpperCase()
  const pathFits = path === undefined ? () => true : glob(path)
  const wanted = Object.entries(query ?? {})
  return (request) => {
    if (wantedMethod !== undefined && request.method !== wantedMethod) return false
    if (path === undefined && wanted.length === 0) return true
    const address = addressOf(request.url)
    return pathFits(address.path) && wanted.every(([key, value]) => address.query.get(key) === value)
  }
}
