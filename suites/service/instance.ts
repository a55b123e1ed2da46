import type { Answer } from '../../harness/answer.ts'
import { expectThat } from '../../harness/finding.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import type { AccountName } from '../../harness/target.ts'
import { errorCodes } from '../error-codes.ts'
import type { Registry } from '../registry.ts'

/** A client at each instance of the registry, the one that `url` names first. */
export const instancesOf = (
  registry: Registry,
  account?: AccountName | 'anonymous',
): readonly RegistryClient[] =>
  [registry.target.url, ...(registry.target.instances ?? [])].map((url) => registry.at(url, account))

/** The URL of an upload, at another instance. */
export function onInstance(location: string, instance: string): string {
  const { pathname, search } = new URL(location)
  return `${new URL(instance).origin}${pathname}${search}`
}

const compared = ['content-type', 'content-length', 'docker-content-digest', 'etag', 'link']

/**
 * The answers, to one request at several instances, agree in status, body and the headers that tell of the content;
 * refusals in their status and codes, as a body may name the one request that it answers.
 */
export function expectSameAnswers([first, ...others]: readonly Answer[]): void {
  if (!first) return
  for (const other of others) {
    const [left, right] = [traits(first), traits(other)]
    expectThat(left === right, `at ${other.url} what ${first.url} answers: ${left}`, right)
    const same = isRefusal(first) || Buffer.compare(first.body, other.body) === 0
    expectThat(same, `at ${other.url} the body of ${first.url}`, `${other.body.length} other bytes`)
  }
}

const isRefusal = ({ status }: Answer) => status >= 400

const traits = (answer: Answer): string =>
  isRefusal(answer)
    ? `${answer.status} with ${errorCodes(answer)?.join() ?? 'no JSON'}`
    : [answer.status, ...compared.map((name) => `${name}: ${answer.header(name) ?? 'none'}`)].join(', ')
