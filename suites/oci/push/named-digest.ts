import { createHash, getHashes } from 'node:crypto'
import type { Content } from '../../../fixtures/content.ts'
import { expectThat } from '../../../harness/finding.ts'

/** A digest that a registry names is one of the content, under whatever algorithm it says. */
export function expectDigestOf(content: Content, named: string): void {
  const [algorithm = ''] = named.split(':')
  const known = getHashes().includes(algorithm)
  const own = known
    ? `${algorithm}:${createHash(algorithm).update(content.bytes).digest('hex')}`
    : content.digest
  expectThat(named === own, own, named)
}
