import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Markup, markup, trusted } from './markup.ts'

/** A page of one file that needs no network. */
export interface Page {
  readonly title: string
  readonly description: string
  /** What the icon says: all is well, something is wrong, or nothing is known. */
  readonly icon: keyof typeof icons
  readonly style: string
  readonly script: string
  readonly body: Markup
}

/** The text of a file, by its path from this one. */
export const asset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')

/** The whole document. Nothing is loaded, and nothing that a target slipped in could run. */
export function document({ title, description, icon, style, script, body }: Page): string {
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${icons[icon]}">
<style>${trusted(style)}</style>
</head>
<body>
${body}
<script type="module">${trusted(script)}</script>
</body>
</html>
`)
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function drawn(colour: string, lines: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${colour}"/><g fill="none" stroke="#fff" stroke-width="2">${lines}</g></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const icons = {
  well: drawn('#1b7f5c', '<path d="m4.5 8.5 2.5 2.5 5-5.5"/>'),
  wrong: drawn('#c6341f', '<path d="m5 5 6 6m0-6-6 6"/>'),
  unknown: drawn('#69707d', '<path d="M4.5 8h7"/>'),
}
