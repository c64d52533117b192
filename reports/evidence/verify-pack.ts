import { counted } from '../../lib/words.ts'
import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Envelope } from './dsse.ts'
import { isFit, keyIdOf, opened, serialized } from './dsse.ts'
import { envelopeFile, keyFile } from './pack.ts'
import type { Statement } from './statement.ts'
import { payloadType, sha256, statementType } from './statement.ts'

/** Verifies a pack offline: the signature, and every byte of every file. */

export interface PackVerdict {
  readonly valid: boolean
  /** One line: what was verified, or the first thing that is wrong. */
  readonly words: string
  readonly statement?: Statement | undefined
}

const invalid = (words: string): PackVerdict => ({ valid: false, words: `not valid: ${words}` })

/**
 * Verifies a pack against a key; against the key that is in the pack when none is given, which shows that the pack is
 * intact, but not who signed it.
 * @param tested what the pack is to be valid for: the build of a client
 */
export function verifyPack(
  folder: string,
  trusted?: KeyObject,
  tested?: { readonly name: string; readonly bytes: Uint8Array },
): PackVerdict {
  let envelope: Envelope
  let text: string
  try {
    text = readFileSync(path.join(folder, envelopeFile), 'utf8')
    envelope = JSON.parse(text) as Envelope
  } catch {
    return invalid(`${envelopeFile} cannot be read: expected a DSSE envelope`)
  }
  if (!Array.isArray(envelope.signatures) || envelope.signatures.length === 0)
    return invalid(`${envelopeFile} is not signed; write the pack with --sign`)
  const key = trusted ?? ownKey(folder)
  if (key === undefined) return invalid(`${keyFile} cannot be read; name the key with --key`)
  if (!isFit(key)) return invalid('the key is neither ECDSA P-256 nor Ed25519')
  const name = keyIdOf(key).slice(0, 16)
  let payload: Buffer | undefined
  try {
    payload = opened(envelope, key)
  } catch {
    payload = undefined
  }
  if (payload === undefined) {
    const signer = String(envelope.signatures[0]?.keyid).slice(0, 16)
    if (signer === name) return invalid(`${envelopeFile} was changed: its signature does not fit`)
    return invalid(
      trusted === undefined
        ? `${keyFile} or ${envelopeFile} was changed: signed by the key ${signer}, and the pack holds ${name}`
        : `signed by the key ${signer}, not by ${name}`,
    )
  }
  // The form of the file fixes what the signature does not cover, such as white space and key ids.
  if (text !== textOf(envelope, payload, keyIdOf(key)))
    return invalid(`${envelopeFile} was changed outside its signature`)
  const statement = JSON.parse(payload.toString('utf8')) as Statement
  if (envelope.payloadType !== payloadType || statement['_type'] !== statementType)
    return invalid(`${envelopeFile} holds no in-toto Statement`)
  return (
    filesOf(folder, statement, tested) ?? {
      valid: true,
      statement,
      words: `valid: ${statement.predicate.result}, ${counted(statement.predicate.passedTests.length, 'rule')} passed, ${statement.predicate.failedTests.length} failed; ${readdirSync(folder).length} files are whole; signed by the key ${name}${trusted === undefined ? ' that lies in the pack (--key shows who signed)' : ''}`,
    }
  )
}

/** The only form in which a pack writes the file. */
function textOf(envelope: Envelope, payload: Buffer, keyid: string): string {
  const signatures = envelope.signatures.map(({ sig }) => ({
    keyid,
    sig: Buffer.from(sig, 'base64').toString('base64'),
  }))
  return serialized({
    payloadType: envelope.payloadType,
    payload: payload.toString('base64'),
    signatures,
  })
}

function ownKey(folder: string): KeyObject | undefined {
  try {
    return createPublicKey(readFileSync(path.join(folder, keyFile)))
  } catch {
    return undefined
  }
}

/** The first file that does not match the statement. */
function filesOf(
  folder: string,
  { subject }: Statement,
  tested: { readonly name: string; readonly bytes: Uint8Array } | undefined,
): PackVerdict | undefined {
  const present = new Set(readdirSync(folder))
  if (tested !== undefined) {
    const found = sha256(tested.bytes)
    if (!subject.some(({ digest }) => digest.sha256 === found))
      return invalid(`the pack is about another build than ${tested.name} (sha256 ${found})`)
  }
  // What was tested is named by its hash and is not in the pack: only files of the pack are read here.
  const [first, ...rest] = subject
  const packed =
    first !== undefined && !present.has(first.name) && isTested(first.name) ? rest : subject
  for (const { name, digest } of packed) {
    if (!present.has(name)) return invalid(`${name} is missing`)
    const found = sha256(readFileSync(path.join(folder, name)))
    if (found !== digest.sha256)
      return invalid(`${name} was changed: expected sha256 ${digest.sha256}, found ${found}`)
  }
  const known = new Set([envelopeFile, ...subject.map(({ name }) => name)])
  const strange = [...present].find((name) => !known.has(name))
  return strange === undefined ? undefined : invalid(`${strange} is not part of the pack`)
}

/** The first subject is what was tested, unless it is a file that every pack has. */
const isTested = (name: string): boolean => name !== 'certificate.html'
