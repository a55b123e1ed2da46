import { type Content, concat, literal } from '../fixtures/content.ts'

/** How a file is described in a form. */
export interface FormFile {
  /** `null`: the part has none. */
  readonly filename?: string | null
  /** The Content-Type of the part; `null`: the part has none. */
  readonly type?: string | null
}

export const boundary = 'assay-3f9c2a'

/** A `multipart/form-data` body with one field `file`, as browsers write it, and the header that goes with it. */
export function form(
  content: Content,
  { filename = 'blob', type = 'application/octet-stream' }: FormFile = {},
) {
  const named = filename === null ? '' : `; filename="${escaped(filename)}"`
  const typed = type === null ? '' : `\r\nContent-Type: ${type}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"${named}${typed}\r\n\r\n`
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: concat([literal(head), content, literal(`\r\n--${boundary}--\r\n`)]),
  }
}

const escaped = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
