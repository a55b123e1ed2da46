import type { RunPlan } from './conduct.ts'

/** What a run will write where, and as whom: one line for each target. */
export function announcement({ targets, namespace, elsewhere, readOnly }: RunPlan): readonly string[] {
  const { registry, storage, gateway, graphql, allow = [] } = targets
  const writes = (what: string) => (readOnly ? ', read-only' : `, ${what}`)
  const places = elsewhere === undefined ? namespace : `${namespace} and ${elsewhere}`
  const account = registry?.accounts?.owner?.username ?? (registry?.token ? 'the given token' : 'nobody')
  const others = Object.entries(registry?.accounts ?? {}).flatMap(([name, { username }]) =>
    name === 'owner' || username === account ? [] : [username],
  )
  const helped = others.length > 0 ? ` (and ${others.join(', ')})` : ''
  const token = graphql?.tokens?.valid ? 'with a token' : 'as nobody'
  const mutations = allow.includes('mutations')
    ? writes('creates and deletes projects named assay-…')
    : ', reads only'
  const collects = allow.includes('gc') ? ' and collects garbage' : ''
  return [
    ...(registry
      ? [`registry  ${registry.url} as ${account}${helped}${writes(`writes below ${places}`)}`]
      : []),
    ...(storage
      ? [`storage   ${storage.url} as nobody${writes(`adds and pins small files${collects}`)}`]
      : []),
    ...(gateway ? [`gateway   ${gateway.url}, reads only`] : []),
    ...(graphql ? [`graphql   ${graphql.url} ${token}${mutations}`] : []),
  ]
}
