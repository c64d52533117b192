import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * XML Schema validation on the tester's side: libxmljs2, or where it could not be installed the parser that the
 * reference uses, which is said then. `docs/decisions/0004-xml-validator.md` has the reasons and the measurements.
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
  /** What validates. */
  readonly engine: Engine
  /** Why it is not the preferred engine; undefined when it is. */
  readonly instead: string | undefined
  /** What is wrong with a document; empty when it is valid. Never throws for a document. */
  problems(xml: Uint8Array | string): string[]
}

export type Engine = 'libxmljs2' | 'libxml2-wasm'

/** No engine could be loaded. */
export class ValidatorMissing extends Error {
  override readonly name = 'ValidatorMissing'
}

const open = new Map<string, Promise<XsdValidator>>()

/**
 * The validator for a schema of the contract; opened once for a process.
 * @throws {ValidatorMissing} when no engine can be loaded
 */
export function xsdValidator(id: XsdId, engine?: Engine): Promise<XsdValidator> {
  const key = `${id} ${engine ?? ''}`
  let validator = open.get(key)
  if (validator === undefined) {
    validator = openXsd(readFileSync(xsdPath(id)), engine)
    open.set(key, validator)
  }
  return validator
}

/** Where a schema of the contract lies. */
export const xsdPath = (id: XsdId): URL =>
  new URL(`../../contract/xsd/${xsdFiles[id]}`, import.meta.url)

/**
 * A validator for any schema that imports no other.
 * @throws {ValidatorMissing} when no engine can be loaded
 */
export async function openXsd(schema: Uint8Array, engine?: Engine): Promise<XsdValidator> {
  if (engine === 'libxml2-wasm') return openWasm(schema, undefined)
  const native = loadNative()
  if (native instanceof Error) {
    const reason = `libxmljs2 cannot be loaded (${firstLine(native.message)})`
    if (engine === 'libxmljs2') throw new ValidatorMissing(reason)
    return openWasm(schema, reason)
  }
  const parsed = native.parseXml(Buffer.from(schema), { nonet: true })
  return {
    engine: 'libxmljs2',
    instead: undefined,
    problems: guarded((bytes) => {
      const document = native.parseXml(bytes, { nonet: true, noent: false, huge: false })
      if (document.validate(parsed)) return []
      return document.validationErrors.map(({ message, line }) => at(message, line))
    }),
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

function loadNative(): Native | Error {
  try {
    return createRequire(import.meta.url)('libxmljs2') as Native
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function openWasm(schema: Uint8Array, instead: string | undefined): Promise<XsdValidator> {
  const {
    ParseOption,
    XmlDocument,
    XmlValidateError,
    XsdValidator: Xsd,
  } = await import('libxml2-wasm').catch((cause: unknown) => {
    throw new ValidatorMissing(`${instead ?? ''} and libxml2-wasm cannot be loaded either`, {
      cause,
    })
  })
  const parsed = XmlDocument.fromBuffer(schema)
  const validator = Xsd.fromDoc(parsed)
  return {
    engine: 'libxml2-wasm',
    instead,
    problems: guarded((bytes) => {
      const document = XmlDocument.fromBuffer(bytes, {
        option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE,
      })
      try {
        validator.validate(document)
        return []
      } catch (error) {
        if (!(error instanceof XmlValidateError)) throw error
        return error.details.map(({ message, line }) => at(message, line))
      } finally {
        document.dispose()
      }
    }),
  }
}

const at = (message: string, line: number | null): string =>
  `${line === null ? '' : `line ${line}: `}${message.trim()}`

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

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
