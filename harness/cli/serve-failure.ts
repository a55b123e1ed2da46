import { ControlError } from '../../mocks/control/control-error.ts'
import { StackError } from '../../mocks/stack/error.ts'
import { UsageError } from '../errors.ts'

/** The options of a stack, in the words of the command line. */
const flags: Readonly<Record<string, string>> = {
  'ports.registry': '--registry-port',
  'ports.storage': '--storage-port',
  'ports.gateway': '--gateway-port',
  'ports.graphql': '--graphql-port',
  database: '--database',
  storageUrl: '--storage-url',
  data: '--data',
  instances: '--instances',
  signingSecret: 'REGISTRY_SIGNING_SECRET',
  domain: 'REGISTRY_DOMAIN',
}

/** What stopped a stack from starting, for the user who can mend it; any other error as it is. */
export function explainStartFailure(error: unknown): unknown {
  if (error instanceof ControlError) return new UsageError(`--fault: ${error.message}`)
  if (!(error instanceof StackError)) return error
  const flag = flags[error.option] ?? error.option
  if (error.code !== 'ERR_PORT_TAKEN') return new UsageError(`${flag}: ${error.message}`)
  const airplay =
    process.platform === 'darwin' && / (5000|7000) /.test(error.message)
      ? ' (by the AirPlay Receiver, perhaps)'
      : ''
  return new UsageError(
    `${error.message}${airplay}: choose another with ${flag}, or ${flag} 0 for any free one`,
  )
}
