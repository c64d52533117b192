import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A value from the environment or a file. Whether a plain string is a path or the text itself depends on the key. */
export type Secret = string | { readonly env: string } | { readonly file: string }

export interface SecretSource {
  /** Directory that a relative path starts from. */
  readonly from: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A secret is not where the profile says. */
export class SecretError extends Error {
  override readonly name = 'SecretError'
}

const fromEnvironment = (what: string, name: string, env: SecretSource['env']): string => {
  const value = env[name]
  if (value !== undefined && value !== '') return value
  throw new SecretError(`${what}: the environment variable ${name} is not set`)
}

const fromFile = (what: string, file: string, from: string): Buffer => {
  const path = resolve(from, file)
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new SecretError(`${what}: ${path} ${reason}`, { cause })
  }
}

/**
 * The text of a secret, without surrounding white space.
 * @throws {SecretError} when the variable is not set or the file cannot be read
 */
export function readText(
  what: string,
  secret: Secret,
  plain: 'path' | 'text',
  { from, env }: SecretSource,
): string {
  if (typeof secret === 'string')
    return plain === 'text' ? secret : fromFile(what, secret, from).toString('utf8').trim()
  if ('env' in secret) return fromEnvironment(what, secret.env, env)
  return fromFile(what, secret.file, from).toString('utf8').trim()
}

/**
 * The bytes of a secret file; an environment variable holds them in Base64.
 * @throws {SecretError} when the variable is not set or the file cannot be read
 */
export function readBytes(what: string, secret: Secret, { from, env }: SecretSource): Buffer {
  if (typeof secret === 'string') return fromFile(what, secret, from)
  if ('env' in secret) return Buffer.from(fromEnvironment(what, secret.env, env), 'base64')
  return fromFile(what, secret.file, from)
}
