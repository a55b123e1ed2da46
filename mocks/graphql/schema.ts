import { readdirSync, readFileSync } from 'node:fs'
import type { GraphQLSchema } from 'graphql'
import { createSchema } from 'graphql-yoga'
import type { Context } from './context.ts'
import { accessTokenResolvers } from './resolvers/access-token.ts'
import { billingResolvers } from './resolvers/billing.ts'
import { buildResolvers } from './resolvers/build.ts'
import { compatDeploymentResolvers } from './resolvers/compat-deployment.ts'
import { compatRegionResolvers } from './resolvers/compat-region.ts'
import { deploymentResolvers } from './resolvers/deployment.ts'
import { environmentVariableResolvers } from './resolvers/environment-variable.ts'
import { legacyArgumentResolvers } from './resolvers/legacy-arguments.ts'
import { legacyCustomerResolvers } from './resolvers/legacy-customer.ts'
import { legacyInvoiceResolvers } from './resolvers/legacy-invoice.ts'
import { legacyPaymentMethodResolvers } from './resolvers/legacy-payment-method.ts'
import { legacySubscriptionResolvers } from './resolvers/legacy-subscription.ts'
import { linkResolvers } from './resolvers/link.ts'
import { portResolvers } from './resolvers/port.ts'
import { projectResolvers } from './resolvers/project.ts'
import { scalarResolvers } from './resolvers/scalar.ts'
import { serviceResolvers } from './resolvers/service.ts'
import { templateResolvers } from './resolvers/template.ts'
import { userResolvers } from './resolvers/user.ts'
import { versionResolvers } from './resolvers/version.ts'
import { workspaceMetricsResolvers } from './resolvers/workspace-metrics.ts'

/** What the schema can offer beyond the specification's resources. */
export type Extension = 'compat' | 'legacy'

type ResolverMaps = Extract<Parameters<typeof createSchema<Context>>[0]['resolvers'], unknown[]>

const baseResolvers: ResolverMaps = [
  scalarResolvers,
  projectResolvers,
  userResolvers,
  versionResolvers,
  serviceResolvers,
  environmentVariableResolvers,
  portResolvers,
  linkResolvers,
  deploymentResolvers,
  templateResolvers,
  billingResolvers,
  accessTokenResolvers,
  workspaceMetricsResolvers,
  buildResolvers,
]

const extensionResolvers: Readonly<Record<Extension, ResolverMaps>> = {
  compat: [compatDeploymentResolvers, compatRegionResolvers],
  legacy: [
    legacyArgumentResolvers,
    legacyCustomerResolvers,
    legacyInvoiceResolvers,
    legacyPaymentMethodResolvers,
    legacySubscriptionResolvers,
  ],
}

/** The text of every SDL file of a folder. */
function definitionsIn(folder: string): string[] {
  const url = new URL(`schema/${folder}`, import.meta.url)
  return readdirSync(url)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(new URL(name, url), 'utf8'))
}

/**
 * The schema of the platform with its resolvers. A field of an extension is merged into the one that has its name, and
 * wins; a resolver of a field that the SDL does not know is an error.
 */
export function platformSchema(extensions: readonly Extension[] = []): GraphQLSchema {
  return createSchema<Context>({
    typeDefs: ['', ...extensions.map((name) => `${name}/`)].flatMap(definitionsIn),
    resolvers: [...baseResolvers, ...extensions.flatMap((name) => extensionResolvers[name])],
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  })
}
