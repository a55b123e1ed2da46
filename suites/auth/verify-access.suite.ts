import { describe } from 'vitest'
import { expectStatus } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { need, pushBlob, withParameter } from '../push.ts'
import { theService } from '../specifications.ts'
import {
  expectUntouched,
  occupy,
  readManifest,
  readsOf,
  send,
  sessionWritesOf,
  writesOf,
} from './attempts.ts'
import { actionsOn, claimsOf } from './json-web-token.ts'
import { test } from './login.ts'
import { expectDenied, expectUnauthorized } from './refusals.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const errors = theService('Errors', '#errors')
const withPush = { needs: ['auth', 'credentials', 'push'] } as const
const withPrivate = { needs: [...withPush.needs, 'private'] } as const

/** Refused, hidden, or not offered to anyone. */
const shut = [401, 403, 404, 405]

describe('What a token allows', () => {
  test(
    'auth.verify.other-repo',
    must(
      'A token for one repository opens no other, whose name begins the same, lies below or above',
      authentication,
      withPrivate,
    ),
    async ({ login, present, client, registry, content }) => {
      const own = registry.repository('t/a')
      const issued = await login.issue({ scopes: [`repository:${own}:pull,push`] })
      need('an upload with the token', await present(issued, 'POST', `/v2/${own}/blobs/uploads/`), 202)
      for (const hint of ['t/ab', 't/a/b', 't', 't/a-b', 't/b', 's/t/a']) {
        const other = registry.repository(hint)
        const blob = await pushBlob(client, other, content.bytes(100))
        expectStatus(await present(issued, 'GET', `/v2/${other}/blobs/${blob.digest}`), ...shut)
        expectStatus(await present(issued, 'POST', `/v2/${other}/blobs/uploads/`), ...shut)
      }
    },
  )

  test(
    'auth.verify.pull-cannot-push',
    must(
      'A token for pull cannot start, continue or end an upload, put a manifest or delete',
      authentication,
      withPush,
    ),
    async ({ login, present, client, repository, content }) => {
      const occupied = await occupy(client, repository, content)
      const issued = await login.issue({ scopes: [`repository:${repository}:pull`] })
      const { method, path, options } = readManifest(occupied)
      need('a pull with the token', await present(issued, method, path, options), 200)
      for (const attempt of writesOf(occupied, content.bytes(128))) {
        expectStatus(await present(issued, attempt.method, attempt.path, attempt.options), ...shut)
      }
      await expectUntouched(client, occupied)
    },
  )

  test(
    'auth.verify.push-needed-for-session',
    must('Who knows the URL of an upload still needs a token to ask, continue, end or cancel it', errors, {
      needs: ['auth', 'push'],
    }),
    async ({ present, client, repository, content }) => {
      const occupied = await occupy(client, repository, content)
      const status = { method: 'GET', path: occupied.session, options: {} }
      for (const { method, path, options } of [status, ...sessionWritesOf(occupied, content.bytes(128))]) {
        expectUnauthorized(await present(undefined, method, path, options))
      }
      await expectUntouched(client, occupied)
    },
  )

  test(
    'auth.verify.empty-access',
    must('A token without access opens no private repository', authentication, withPrivate),
    async ({ login, present, client, repository, content }) => {
      const occupied = await occupy(client, repository, content)
      const issued = await login.issue()
      for (const { method, path, options } of [
        ...readsOf(occupied),
        ...writesOf(occupied, content.bytes(128)),
      ]) {
        expectStatus(await present(issued, method, path, options), ...shut)
      }
      await expectUntouched(client, occupied)
    },
  )

  test(
    'auth.verify.push-without-pull',
    should('A token that holds push alone cannot pull', authentication, withPrivate),
    async ({ login, present, client, repository, content, skip }) => {
      const occupied = await occupy(client, repository, content)
      const issued = await login.issue({ scopes: [`repository:${repository}:push`] })
      const actions = actionsOn(claimsOf(issued.token), repository)
      skip(
        actions.join() !== 'push',
        `a token for push alone cannot be had; this one holds ${actions.join() || 'nothing'}`,
      )
      const { method, path, options } = readManifest(occupied)
      expectDenied(await present(issued, method, path, options))
      expectDenied(await present(issued, 'GET', `/v2/${repository}/blobs/${occupied.blob.digest}`))
    },
  )

  test(
    'auth.verify.stranger',
    must(
      'An account without rights gets nothing from a private repository, whatever it asks for',
      authentication,
      {
        needs: [...withPrivate.needs, 'stranger'],
      },
    ),
    async ({ registry, client, repository, content }) => {
      const occupied = await occupy(client, repository, content)
      const stranger = registry.as('stranger')
      const uploads = `/v2/${registry.repository('elsewhere')}/blobs/uploads/`
      const mount = withParameter(`${uploads}?mount=${occupied.blob.digest}`, 'from', repository)
      const attempts = [
        ...readsOf(occupied),
        ...writesOf(occupied, content.bytes(128)),
        { method: 'POST', path: mount },
      ]
      for (const attempt of attempts) expectStatus(await send(stranger, attempt), ...shut)
      await expectUntouched(client, occupied)
    },
  )
})
