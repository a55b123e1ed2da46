/** A request to the gateway, taken apart. */
import type { ServerContext } from '../../handler.ts'
import type { ContentPath } from '../dag/path.ts'
import type { Repo } from '../store/repo.ts'
import type { RequestedFormat } from './format.ts'

export interface GatewayRequest {
  readonly repo: Repo
  readonly request: Request
  readonly context: ServerContext
  readonly url: URL
  readonly query: URLSearchParams
  readonly path: ContentPath
  /** The path as text, decoded, beginning with `/ipfs/`. */
  readonly text: string
  readonly format: RequestedFormat
}
