import type { GraphqlRequest } from '../../fixtures/graphql-documents.ts'
import type { Answer } from '../../harness/answer.ts'
import { expectThat } from '../../harness/finding.ts'
import { isObject, jsonOf } from './answers.ts'

/** Types that the language itself names. */
const rootTypes = /^(?:Query|Mutation|Subscription|__\w+)$/

/** Names in quotes in the messages of an answer that the request did not name itself. */
function namesGivenAway(answer: Answer, { query }: GraphqlRequest): readonly string[] {
  const body = jsonOf(answer)
  const errors = [isObject(body) ? body['errors'] : []].flat()
  return errors
    .map((error) => (isObject(error) ? String(error['message']) : ''))
    .flatMap((message) =>
      [...message.matchAll(/["'`]([A-Za-z_]\w*)[!\]]*["'`]/g)].map((match) => match[1] ?? ''),
    )
    .filter((name) => !rootTypes.test(name) && !query.includes(name))
}

/** The messages name nothing of the schema that the request did not. */
export function expectNothingGivenAway(answer: Answer, request: GraphqlRequest): void {
  const names = namesGivenAway(answer, request)
  expectThat(names.length === 0, 'no names of the schema', names.join(', '))
}
