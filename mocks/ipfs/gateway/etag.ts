/** Entity tags and what a request says about them. https://www.rfc-editor.org/rfc/rfc9110#section-13 */

const tag = /^\s*,*\s*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")/

/** The tags of an If-None-Match or If-Match header, up to the first that is none. */
function* tagsOf(header: string): Generator<string> {
  for (let rest = header, found = tag.exec(rest); found; found = tag.exec(rest)) {
    yield found[1] ?? ''
    rest = rest.slice(found[0].length)
  }
}

const weak = (text: string) => text.replace(/^W\//, '')

/** Whether If-None-Match names one of the tags, weak or strong. */
export function matches(header: string, tags: readonly string[]): boolean {
  if (header.trim().startsWith('*')) return true
  return [...tagsOf(header)].some((given) => tags.some((each) => weak(each) === weak(given)))
}

/** Whether If-Match lets the request pass. */
export function passesIfMatch(header: string, own: string): boolean {
  if (header.trim().startsWith('*')) return true
  return !own.startsWith('W/') && [...tagsOf(header)].includes(own)
}
