/** At least so many digits have to be changed for the result to be nobody's. */
const fewestDigits = 8

/**
 * The URL of a session that was never opened, in the form of one that was: the digits at the end of its identifier
 * are others. `undefined` where the URL does not show its identifier.
 */
export function otherSession(location: string, repository: string): string | undefined {
  const url = new URL(location)
  const found = /^(.*\/)([^/]*?)([0-9a-f]+)$/i.exec(url.pathname)
  const [, before, start, digits] = found ?? []
  if (!before?.includes(`/v2/${repository}/`) || digits === undefined || digits.length < fewestDigits) {
    return undefined
  }
  url.pathname = `${before}${start}${digits.replace(/./g, otherDigit)}`
  return url.href
}

/** The same session below another repository; `undefined` where the URL does not show its repository. */
export function sessionIn(location: string, from: string, to: string): string | undefined {
  const url = new URL(location)
  if (!url.pathname.includes(`/v2/${from}/`)) return undefined
  url.pathname = url.pathname.replace(`/v2/${from}/`, `/v2/${to}/`)
  return url.href
}

const otherDigit = (digit: string) => (15 - Number.parseInt(digit, 16)).toString(16)
