import { type Answer, createAnswer } from './answer.ts'
import type { HttpClient, RequestOptions } from './http.ts'

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly options: RequestOptions
}

export type Reply = readonly [status: number, headers?: Readonly<Record<string, string>>, body?: unknown]

/** An HTTP client without a network: `reply` says what each request is answered, `sent` is what went out. */
export function fakeHttp(reply: (sent: Sent) => Reply): { readonly http: HttpClient; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const request = async (method: string, url: string, options: RequestOptions = {}): Promise<Answer> => {
    const list = Array.isArray(options.headers) ? options.headers : Object.entries(options.headers ?? {})
    const headers = Object.fromEntries(list.map(([name, value]) => [name.toLowerCase(), value]))
    const one = { method, url, headers, body: String(options.body ?? ''), options }
    sent.push(one)
    const [status, answered = {}, body = ''] = reply(one)
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return createAnswer(method, url, status, Object.entries(answered), bytes)
  }
  return { http: { exchanges: [], recall: () => {}, request }, sent }
}
