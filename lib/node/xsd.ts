import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * XML Schema validation on the tester's side, by libxmljs2: `docs/decisions/0004-xml-validator.md` says why, and what
 * it costs. It is an optional dependency: who needs it says what cannot be verified without it.
 */

/** The schemas of the contract -> file below contract/xsd. */
export const xsdFiles = {
  fa2: 'fa2.xsd',
  fa3: 'fa3.xsd',
  'auth-2.0': 'auth-token-request-2.0.xsd',
  'auth-2.1': 'auth-token-request-2.1.xsd',
  upo: 'upo-4-3.xsd',
} as const
export type XsdId = keyof typeof xsdFiles

export interface XsdValidator {
  /** What is wrong with a document; empty when it is valid. Never throws for a document. */
  problems(xml: Uint8Array | string): string[]
}

/** libxmljs2 is not installed, or cannot be loaded: the message says why. */
export class ValidatorMissing extends Error {
  override readonly name = 'ValidatorMissing'
}

const opened = new Map<XsdId, XsdValidator>()

/**
 * The validator for a schema of the contract; opened once for a process.
 * @throws {ValidatorMissing} when libxmljs2 cannot be loaded
 */
export function xsdValidator(id: XsdId): XsdValidator {
  let validator = opened.get(id)
  if (validator === undefined) {
    validator = openXsd(readFileSync(xsdPath(id)))
    opened.set(id, validator)
  }
  return validator
}

/** Where a schema of the contract lies. */
export const xsdPath = (id: XsdId): URL =>
  new URL(`../../contract/xsd/${xsdFiles[id]}`, import.meta.url)

/**
 * A validator for any schema that imports no other.
 * @throws {ValidatorMissing} when libxmljs2 cannot be loaded
 */
export function openXsd(schema: Uint8Array): XsdValidator {
  const native = loadNative()
  const parsed = native.parseXml(Buffer.from(schema), { nonet: true })
  return {
    problems: guarded((bytes) => {
      const document = native.parseXml(bytes, { nonet: true, noent: false, huge: false })
      // The schema is compiled anew here, at every document: hence some 2 ms each for FA(3).
      if (document.validate(parsed)) return []
      return document.validationErrors.map(({ message, line }) => at(message, line))
    }),
  }
}

/** Why nothing can be validated here, or undefined when it can. */
export function validatorMissing(): string | undefined {
  try {
    loadNative()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

// The optional package is described here, so that the project compiles without it too.
interface NativeDocument {
  validate(schema: NativeDocument): boolean
  readonly validationErrors: readonly { readonly message: string; readonly line: number | null }[]
}
interface Native {
  parseXml(
    xml: Buffer,
    options: Readonly<Record<'nonet', boolean> & Partial<Record<'noent' | 'huge', boolean>>>,
  ): NativeDocument
}

function loadNative(): Native {
  try {
    return createRequire(import.meta.url)('libxmljs2') as Native
  } catch (cause) {
    const reason = (cause as Error).message.split('\n', 1)[0]
    throw new ValidatorMissing(`libxmljs2 cannot be loaded: ${reason}`, { cause })
  }
}

const at = (message: string, line: number | null): string =>
  `${line === null ? '' : `line ${line}: `}${message.trim()}`

// An old libxml2 must never meet a document type, whatever the encoding that would hide it.
const guarded =
  (validate: (bytes: Buffer) => string[]) =>
  (xml: Uint8Array | string): string[] => {
    const bytes = Buffer.from(xml)
    if (bytes.includes(0)) return ['the document is not UTF-8']
    if (bytes.includes('<!DOCTYPE')) return ['the document has a document type declaration']
    try {
      return validate(bytes)
    } catch (error) {
      return [`the document is not well-formed: ${(error as Error).message.trim()}`]
    }
  }
