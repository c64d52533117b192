import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Secret } from '../../generators/requests/payload.ts'
import { readLeft } from '../../generators/corpus/write.ts'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { usageError } from '../io.ts'

const file = 'secret.json'

function bytesOption(name: string, text: string, length: number): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== length || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw usageError(
      `--${name}: expected ${length} bytes in Base64, received ${JSON.stringify(text)}`,
    )
  return bytes
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/**
 * The key and initialization vector of a directory: the given ones, or those of an earlier run, or random ones. They
 * are written before the first document, so that an interrupted run continues with the same key.
 *
 * @throws {Explained} where the directory holds others than the given ones
 */
export function secretOf(
  directory: string,
  given: { readonly key: string | undefined; readonly iv: string | undefined },
): Secret {
  const key = given.key === undefined ? undefined : bytesOption('key', given.key, 32)
  const iv = given.iv === undefined ? undefined : bytesOption('iv', given.iv, 16)
  const place = path.join(directory, file)
  if (existsSync(place)) {
    const kept = readLeft<{ key: string; iv: string }>(place)
    if ((key && base64(key) !== kept.key) || (iv && base64(iv) !== kept.iv))
      throw usageError(`${place} holds another key: empty the directory, or choose another one`)
    const left = {
      key: Buffer.from(kept.key ?? '', 'base64'),
      iv: Buffer.from(kept.iv ?? '', 'base64'),
    }
    if (left.key.length === 32 && left.iv.length === 16) return left
    throw usageError(`${place} is damaged: empty the directory, or choose another one`)
  }
  const secret = { key: key ?? randomBytes(32), iv: iv ?? randomBytes(16) }
  makeDirectory(directory)
  const text = JSON.stringify({ key: base64(secret.key), iv: base64(secret.iv) })
  writeFileSync(place, `${text}\n`, { mode: 0o600 })
  return secret
}
