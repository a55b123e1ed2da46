import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StackError } from './error.ts'

export interface SigningSecretOptions {
  readonly signingSecret?: string
  /** Where one that is made is kept, with mode 0600. */
  readonly folder: string
  /** The same number gives the same secret. */
  readonly random?: number
}

const least = 32

/** The secret that signs tokens: the one given, else the one kept in the folder, else a new one. */
export async function signingSecret(options: SigningSecretOptions): Promise<string> {
  const { signingSecret: given, folder, random } = options
  if (given !== undefined) return checked(given, 'the signing secret')
  const file = join(folder, 'signing-secret')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return checked(kept.trim(), file)
  const made =
    random === undefined
      ? randomBytes(32).toString('base64url')
      : createHash('sha256').update(`assay ${random}`).digest('base64url')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, `${made}\n`, { mode: 0o600 })
  return made
}

function checked(secret: string, what: string): string {
  if (secret.length >= least) return secret
  const message = `${what} has ${secret.length} characters and needs at least ${least}`
  throw new StackError('ERR_SIGNING_SECRET', 'signingSecret', message)
}
