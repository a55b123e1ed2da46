import { describe } from 'vitest'
import { PrerequisiteFailure } from '../../../harness/errors.ts'
import { expectThat } from '../../../harness/finding.ts'
import { createRegistryClient } from '../../../harness/registry-client.ts'
import { must } from '../../../harness/requirement.ts'
import { test } from '../../registry.ts'
import { ociDistribution } from '../../specifications.ts'
import { anotherClient, plainRepositories } from './another-client.ts'
import { visit } from './visit.ts'

describe('Clients', () => {
  test(
    'oci.base.client.any',
    must(
      'Content is pushed, pulled, listed and refused alike whatever the client calls itself and the repository is called.',
      ociDistribution('Workflow Categories', '#workflow-categories'),
      { needs: ['push'] },
    ),
    async ({ run, registry, http, session, repository, content }) => {
      const own = await visit(registry.as(), registry.as('anonymous'), repository, content)
      const works = own.some(([, outcome]) => outcome === '200 with what was pushed')
      if (!works) throw new PrerequisiteFailure('nothing that was pushed could be read back')

      const options = {
        target: registry.target,
        access: run.access,
        http: anotherClient(http, run),
        redactor: session.redactor,
        tokens: new Map(),
      }
      const client = createRegistryClient({ ...options, account: 'owner' })
      const anonymous = createRegistryClient({ ...options, account: 'anonymous' })
      for (const other of plainRepositories(run)) {
        const seen = await visit(client, anonymous, other, content.fork('another client'))
        const confined =
          run.elsewhere !== undefined && other.startsWith(`${run.elsewhere}/`) && isDenied(seen)
        if (confined) continue
        const differing = own.findIndex(([, outcome], step) => outcome !== seen[step]?.[1])
        const [name, usual] = own[differing] ?? []
        expectThat(
          differing < 0,
          `${name} in ${other} as another client goes as for this suite: ${usual}`,
          seen[differing]?.[1] ?? '',
        )
        break
      }
    },
  )
})

/** An account may be confined to some names: then every step is refused, and nothing else is wrong. */
const isDenied = (steps: readonly (readonly [string, string])[]) =>
  steps.every(([, outcome]) => /\b(401|403|404)\b/.test(outcome) || outcome === 'none')
