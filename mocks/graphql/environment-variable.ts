import type { Context } from './context.ts'
import { badInput } from './errors.ts'
import { newId } from './identifier.ts'
import type { EnvVar, Service } from './state.ts'

const keyForm = /^[A-Za-z_][A-Za-z0-9_]*$/
const longestKey = 255
const longestValue = 64 * 1024

export interface VariableInput {
  readonly key: string
  readonly value: string
  readonly secret?: boolean | null
  readonly source?: string
}

/** Refuses a key that no shell could export, and a value of more than 64 Ki characters. */
export function checkVariable({ key, value }: { readonly key: string; readonly value: string }): void {
  if (!keyForm.test(key) || key.length > longestKey) {
    throw badInput(
      `The key of a variable is letters, digits and _, and does not begin with a digit: "${key}"`,
    )
  }
  if (value.length > longestValue) {
    throw badInput(`The value of "${key}" has more than ${longestValue} characters`)
  }
}

/** Sets a variable. One that is there keeps its id, and stays secret unless it is told otherwise. */
export function setVariable({ state, clock }: Context, service: Service, input: VariableInput): EnvVar {
  const now = clock.now()
  const old = state.envVars.of(service.id).find(({ key }) => key === input.key)
  return state.envVars.put({
    id: old?.id ?? newId('env'),
    serviceId: service.id,
    key: input.key,
    value: input.value,
    secret: input.secret ?? old?.secret ?? false,
    ...(input.source === undefined ? {} : { source: input.source }),
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
  })
}
