import { to, withBody, withHeaders } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { misread } from '../../seams.faults.ts'
import { changing, rewording } from '../../wire.ts'

/** Places at which the faults of lists of tags stand. */

export const list = /\/tags\/list$/

export interface TagList {
  readonly name: string
  readonly tags: readonly string[]
}

/** Changes the JSON of the list. */
export const relisting = (change: (list: TagList) => unknown): Seams => ({
  registry: rewording(list, (text) => JSON.stringify(change(JSON.parse(text)))),
})
export const retagging = (change: (tags: readonly string[]) => unknown): Seams =>
  relisting(({ name, tags }) => ({ name, tags: change(tags) }))

/** A parameter of the query. */
export const asksFor = ({ url }: Request, name: string) => new URL(url).searchParams.get(name)

/** Changes the tags of the pages that some requests ask for. */
export const retaggingWhere = (
  when: (request: Request) => boolean,
  change: (tags: readonly string[], request: Request) => readonly string[],
): Seams => ({
  registry: changing('GET', list, (response, request) =>
    when(request)
      ? withBody(response, (body) => {
          const { name, tags } = JSON.parse(Buffer.from(body).toString()) as TagList
          return JSON.stringify({ name, tags: change(tags, request) })
        })
      : response,
  ),
})

/** Changes what the query asks for. */
export const reasking = (change: (query: URLSearchParams) => void): Seams => ({
  registry: misread(to('GET', list), ({ url }) => {
    change(url.searchParams)
    return { url }
  }),
})

/** Changes the Link of a page that has one. */
export const relinking = (change: (link: string, request: Request) => string | null): Seams => ({
  registry: changing('GET', list, (response, request) => {
    const link = response.headers.get('link')
    return link === null ? response : withHeaders(response, { link: change(link, request) })
  }),
})
