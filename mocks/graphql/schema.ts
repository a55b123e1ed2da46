import { readdirSync, readFileSync } from 'node:fs'
import { type GraphQLSchema, parse } from 'graphql'
import { createSchema } from 'graphql-yoga'
import type { Context } from './context.ts'
import { accessTokenResolvers } from './resolvers/access-token.ts'
import { projectResolvers } from './resolvers/project.ts'
import { scalarResolvers } from './resolvers/scalar.ts'

/** The text of every SDL file of a folder beside this module. */
const definitions = (folder: string) => {
  const url = new URL(`${folder}/`, import.meta.url)
  return readdirSync(url)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(new URL(name, url), 'utf8'))
}

/** The schema of the platform with its resolvers; one that names a field that is not in the SDL is refused. */
export function platformSchema(): GraphQLSchema {
  return createSchema<Context>({
    typeDefs: parse(definitions('schema').join('\n')),
    resolvers: [scalarResolvers, projectResolvers, accessTokenResolvers],
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  })
}
