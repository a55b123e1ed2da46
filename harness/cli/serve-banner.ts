import type { Targets } from '../../mocks/stack/targets.ts'

const rights = {
  owner: 'may pull and push',
  reader: 'may pull',
  stranger: 'may do neither',
  special: 'an owner with an awkward password',
} as const

/** What `assay serve` tells a person: where everything is, and how to get in. */
export function banner(targets: Targets, readyMs: number): string {
  return [
    `ready in ${Math.round(readyMs)} ms`,
    '',
    ...addresses(targets).map(([name, url]) => `  ${name.padEnd(10)}${url}`),
    ...loginLines(targets),
    ...dockerLines(targets),
    '',
    '  Ctrl-C ends it',
    '',
  ].join('\n')
}

function addresses({ registry, storage, gateway, graphql }: Targets): [string, string][] {
  const first = registry?.url ?? storage?.url ?? (graphql && new URL(graphql.url).origin)
  return [
    ...(registry ? [['registry', registry.url] as [string, string]] : []),
    ...(registry?.instances ?? []).map((url): [string, string] => ['', url]),
    ...(storage ? [['storage', storage.url] as [string, string]] : []),
    ...(gateway ? [['gateway', `${gateway.url}/${gateway.prefix}/CID`] as [string, string]] : []),
    ...(graphql ? [['graphql', graphql.url] as [string, string]] : []),
    ['control', `${first}/_mock/`],
  ]
}

function loginLines({ registry, graphql }: Targets): string[] {
  const logins = Object.entries(registry?.accounts ?? {}).map(
    ([name, { username, password }]) =>
      `  ${username.padEnd(10)}${password}  (${rights[name as keyof typeof rights]})`,
  )
  return [
    ...(logins.length > 0 ? ['', '  logins of the registry, made for this run:', ...logins] : []),
    ...(graphql ? ['', '  token of the platform API:', `  Bearer    ${graphql.tokens.valid}`] : []),
  ]
}

function dockerLines({ registry }: Targets): string[] {
  if (!registry) return []
  const { host } = new URL(registry.url)
  const owner = registry.accounts?.owner
  return [
    '',
    ...(owner ? [`  docker login ${host} --username ${owner.username} --password ${owner.password}`] : []),
    `  docker push ${host}/team/app:1`,
  ]
}
