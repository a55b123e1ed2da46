import { setTimeout as pause } from 'node:timers/promises'
import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { replying, rewording, type Wire } from './wire.ts'

const { interoperability, security } = faultKinds<Seams>()

const isLarge = (text: string) => text.length > 1e7
const heavy = /a9999:|a \{ a \{|id id id|F29|fragment A|@a @a|nosuch19999/

/** Answers one such request as it should, and no other after it. */
const downAfter =
  (when: (text: string) => boolean) =>
  (next: Wire): Wire => {
    let down = false
    return replying((response, { text }) => {
      if (down) return new Response(null, { status: 503 })
      down = when(text)
      return response
    })(next)
  }

/** What becomes of the service under documents and bodies that ask for too much. */
export const faults = [
  security(
    'graphql.complexity.slow',
    'what asks for too much is refused, but only after it was worked on for seconds',
    [
      'graphql.complexity.no-execution',
      'graphql.complexity.deep',
      'graphql.complexity.wide',
      'graphql.complexity.fragment-bomb',
      'graphql.complexity.fragment-cycle',
      'graphql.complexity.directives',
      'graphql.complexity.many-errors',
      'graphql.body.too-large',
    ],
    {
      graphql: replying(async (response, { text }) => {
        if (heavy.test(text)) await pause(5100)
        if (isLarge(text)) await pause(10_100)
        return response
      }),
    },
    'sets a deadline of its own for each request',
  ),
  security(
    'graphql.complexity.down-afterwards',
    'what asks for too much is refused, and nothing is served from then on',
    ['graphql.complexity.fragment-cycle', 'graphql.body.too-large'],
    { graphql: downAfter((text) => isLarge(text) || text.includes('fragment B')) },
  ),
  interoperability(
    'graphql.complexity.flood',
    'each of many faults is told at length',
    ['graphql.complexity.many-errors'],
    {
      graphql: rewording((body, { text }) =>
        text.includes('nosuch19999')
          ? { ...body, errors: Array.from({ length: 20_000 }, () => ({ message: 'not known. '.repeat(30) })) }
          : undefined,
      ),
    },
  ),
]
