import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { certificatePage } from './certificate-page.ts'
import type { Certificate } from './certificate-page.ts'
import { keyIdOf, seal, serialized } from './dsse.ts'
import type { Described } from './statement.ts'
import { payloadType, sha256, statementOf } from './statement.ts'

/** An evidence pack: a folder of files, and a signed statement that names each with its hash. */

export interface Evidence extends Certificate {
  /** Further files, by name: findings, histories, profile. Secrets are redacted before they get here. */
  readonly files: Readonly<Record<string, string>>
  /** What was tested, where it is a file: hashed, not copied. */
  readonly tested?: { readonly name: string; readonly bytes: Uint8Array } | undefined
  /** Every planned part reported. */
  readonly isComplete: boolean
}

export const envelopeFile = 'statement.dsse.json'
export const keyFile = 'signer.pub.pem'

/** Files that a pack of an earlier run may have left, and no others. */
const own =
  /^(?:certificate\.html|findings\.ndjson|histories\.ndjson|run\.json|signer\.pub\.pem|statement\.dsse\.json)$/

/**
 * Writes a pack into a separate folder, and signs it where a key is given.
 * @returns paths of the files
 */
export function writePack(folder: string, evidence: Evidence, key?: KeyObject): string[] {
  makeDirectory(folder)
  for (const name of readdirSync(folder)) if (own.test(name)) rmSync(path.join(folder, name))
  const files: Record<string, string> = {
    'certificate.html': certificatePage(evidence, key && keyIdOf(key)),
    ...evidence.files,
    ...(key && {
      [keyFile]: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    }),
  }
  const described = Object.entries(files).map(([name, text]): Described => ({
    name,
    digest: { sha256: sha256(text) },
  }))
  const { tested } = evidence
  const subject =
    tested === undefined
      ? described
      : [{ name: tested.name, digest: { sha256: sha256(tested.bytes) } }, ...described]
  const configuration: Described[] = [
    { name: `contract ${evidence.contract.dialect}`, digest: { sha256: evidence.contract.sha256 } },
  ]
  const statement = statementOf(evidence.rules, subject, configuration, evidence.isComplete)
  const payload = Buffer.from(JSON.stringify(statement))
  const envelope = seal(payloadType, payload, key)
  files[envelopeFile] = serialized(envelope)
  return Object.entries(files).map(([name, text]) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  })
}
