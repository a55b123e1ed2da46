import { type Dispatcher, errors } from 'undici'
import { type HeaderList, headerList } from './answer.ts'

/** An answer that has arrived whole, without what was asked. */
export interface Gathered {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** Told while an answer is gathered. */
export interface Gathering {
  /** The request can be ended from here on; the reason becomes the rejection. */
  begun(abort: (reason: Error) => void): void
  /** So many bytes arrived; 0 for the headers. */
  progressed(bytes: number): void
}

/** Sends a request and gathers the answer, without the stream that undici would make of every body. */
export function gather(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { begun, progressed }: Gathering,
): Promise<Gathered> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let ended: Error | undefined
    let head: Omit<Gathered, 'body'> | undefined
    const parts: Uint8Array[] = []
    begun((reason) => {
      ended = reason
      controller?.abort(reason)
      reject(reason)
    })
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started
        // It waited for a connection until it was too late.
        if (ended) controller.abort(ended)
      },
      onResponseStart({ rawHeaders }, status) {
        // An interim answer says nothing of the final one.
        if (status < 200) return
        head = { status, headers: headerList(rawHeaders) }
        progressed(0)
      },
      onResponseData(_, part) {
        parts.push(part)
        progressed(part.length)
      },
      onResponseEnd() {
        const body = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
        if (head) resolve({ ...head, body })
        else reject(new Error('an answer ended before it began'))
      },
      onResponseError(_, error) {
        // A 304 may tell the length of what it leaves out, and undici waits for it: RFC 9110, section 8.6.
        const leftOut = error instanceof errors.ResponseContentLengthMismatchError
        if (head?.status === 304 && leftOut) resolve({ ...head, body: Buffer.concat(parts) })
        else reject(error)
      },
    })
  })
}
