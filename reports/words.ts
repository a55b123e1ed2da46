/** `1 tag`, `2 tags`, `1,204 tags`. */
export function plural(count: number, noun: string, plurals = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : plurals}`
}

/** A count with its thousands set apart: `1,204`. */
export function number(count: number): string {
  return count.toLocaleString('en-US')
}

/** A time that a person reads: `0.4 ms`, `320 ms`, `4.2 s`, `3 min 12 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A size that a person reads: `512 bytes`, `4.0 KiB`, `32 MiB`. */
export function bytes(size: number): string {
  if (size < 1024) return plural(size, 'byte')
  const power = Math.min(3, Math.floor(Math.log2(size) / 10))
  const value = size / 1024 ** power
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${['', 'KiB', 'MiB', 'GiB'][power]}`
}

/** A point in time in UTC to the second: `2026-11-21 03:00:00 UTC`. */
export function moment(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The text cut to so many bytes of UTF-8, with a note at the end where something was cut. */
export function clipped(text: string, limit: number, note = '… (cut)'): string {
  const encoded = Buffer.from(text)
  if (encoded.length <= limit) return text
  const room = Math.max(0, limit - Buffer.byteLength(note))
  // A character that the cut falls into decodes to U+FFFD: leave it out.
  return encoded.subarray(0, room).toString().replace(/�+$/, '') + note
}

/** The text in at most so many characters: what is too long loses its middle, as both ends tell more. */
export function shortened(text: string, width: number): string {
  if (text.length <= width) return text
  const tail = Math.floor(width / 3)
  return `${text.slice(0, width - tail - 1)}…${text.slice(-tail)}`
}
