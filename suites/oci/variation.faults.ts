import type { Variation } from '../../harness/fault.ts'
import { rewriting, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Wire } from './wire.ts'

/** Declares correct behaviour that differs from that of the mocks. */
export const variation = (id: string, what: string, seams: Seams): Variation<Seams> => ({ id, what, seams })

/** Writes the Location of answers in another way. */
export const relocating = (change: (location: string, url: URL) => string): Seams => ({
  registry: rewriting(
    () => true,
    (response, { url }) => {
      const location = response.headers.get('location')
      return location === null
        ? response
        : withHeaders(response, { location: change(location, new URL(url)) })
    },
  ),
})

/** Lets the server's own answer be changed on its way, past the headers of a Response, which have one form only. */
export const sending =
  (change: (answer: NonNullable<Parameters<Wire>[1]['res']>) => void) =>
  (next: Wire): Wire =>
  (request, context) => {
    if (context.res) change(context.res)
    return next(request, context)
  }
