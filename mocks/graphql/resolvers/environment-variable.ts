import type { Context } from '../context.ts'
import { checkVariable, setVariable, type VariableInput } from '../environment-variable.ts'
import { notFound } from '../errors.ts'
import { ownService } from '../ownership.ts'
import type { EnvVar, Service } from '../state.ts'

const mask = '••••••••'

interface KeyArguments {
  readonly serviceId: string
  readonly key: string
}

function setServiceEnvVar(_: unknown, args: KeyArguments & VariableInput, context: Context): EnvVar {
  const service = ownService(args.serviceId, context)
  checkVariable(args)
  return setVariable(context, service, { key: args.key, value: args.value, secret: args.secret ?? null })
}

interface BulkArguments {
  readonly serviceId: string
  readonly vars: readonly VariableInput[]
}

function bulkSetServiceEnvVars(_: unknown, { serviceId, vars }: BulkArguments, context: Context): EnvVar[] {
  const service = ownService(serviceId, context)
  for (const variable of vars) checkVariable(variable)
  return vars.map((input) => setVariable(context, service, input))
}

function variable({ serviceId, key }: KeyArguments, context: Context): EnvVar {
  const service = ownService(serviceId, context)
  const found = context.state.envVars.of(service.id).find((row) => row.key === key)
  if (!found) throw notFound(`Env var "${key}" not found on service`)
  return found
}

function deleteServiceEnvVar(_: unknown, args: KeyArguments, context: Context): boolean {
  context.state.envVars.delete(variable(args, context).id)
  return true
}

export const environmentVariableResolvers = {
  Mutation: {
    setServiceEnvVar,
    bulkSetServiceEnvVars,
    deleteServiceEnvVar,
    revealServiceEnvVar: (_: unknown, args: KeyArguments, context: Context) => variable(args, context).value,
  },
  Service: {
    envVars: ({ id }: Service, _: unknown, { state }: Context) => state.envVars.of(id),
  },
  ServiceEnvVar: {
    value: ({ secret, value }: EnvVar) => (secret ? mask : value),
  },
}
