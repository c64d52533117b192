import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, FrameMaker } from './xsd-frame.ts'
import { fitsFrame, frameMaker } from './xsd-frame.ts'

/**
 * XML Schema validation on the tester's side, by libxmljs2: `docs/decisions/0004-xml-validator.md` says why, and what
 * it costs. It is an optional dependency: code that needs it reports what cannot be verified without it.
 */

/** The schemas of the contract -> file below contract/xsd. */
const xsdFiles = {
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
  /**
   * The same for each of many documents, in their order, about six times as fast: the schema is compiled once for
   * hundreds of them. Reads documents as it needs them, and holds no more than a few megabytes of them.
   */
  problemsOfEach(documents: Iterable<Uint8Array | string>): Generator<string[], void, undefined>
}

/** libxmljs2 is not installed, or cannot be loaded: the message says why. */
class ValidatorMissing extends Error {
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
  const alone = (bytes: Buffer): string[] => {
    try {
      const document = native.parseXml(bytes, safely)
      // The schema is compiled anew here, at every document: hence some 2 ms each for FA(3).
      return findings(document, parsed).map(({ message, line }) => at(message, line))
    } catch (error) {
      return [`the document is not well-formed: ${(error as Error).message.trim()}`]
    }
  }
  let framed: readonly [FrameMaker, NativeDocument] | undefined
  const frames = () => {
    if (framed !== undefined) return framed
    const maker = frameMaker(Buffer.from(schema).toString('utf8'))
    if (maker) framed = [maker, native.parseXml(maker.schema, { nonet: true })]
    return framed
  }
  const problems = (xml: Uint8Array | string): string[] => {
    const bytes = Buffer.from(xml)
    return hostile(bytes) ?? alone(bytes)
  }
  return {
    problems,
    *problemsOfEach(documents) {
      let [held, bytes]: [Buffer[], number] = [[], 0]
      const judge = () => {
        const judged = judgeTogether(held, alone, frames(), native)
        ;[held, bytes] = [[], 0]
        return judged
      }
      for (const xml of documents) {
        const document = Buffer.from(xml)
        held.push(document)
        bytes += document.length
        if (held.length === maxHeld || bytes >= maxHeldBytes) yield* judge()
      }
      yield* judge()
    },
  }
}

const safely = { nonet: true, noent: false, huge: false } as const
const maxHeld = 1_000
const maxHeldBytes = 8_000_000

/** Findings of each document: those that fit into frames are judged in them, the others alone. */
function judgeTogether(
  documents: readonly Buffer[],
  alone: (bytes: Buffer) => string[],
  frames: readonly [FrameMaker, NativeDocument] | undefined,
  native: Native,
): string[][] {
  const judged: (string[] | undefined)[] = documents.map((each) => hostile(each))
  if (frames !== undefined && documents.length > 1) {
    const [maker, schema] = frames
    let waiting = documents.flatMap((each, i) => (!judged[i] && fitsFrame(each) ? [i] : []))
    let checked = false
    while (waiting.length > 0) {
      const frame = maker.fill(documents, waiting)
      const made = judgeFrame(frame, maker, schema, native)
      if (made !== undefined) {
        for (const [index, found] of made) judged[index] ??= found
        waiting = waiting.slice(frame.documents.length)
      } else if (checked) {
        // Each document is well-formed, but all of them together are not: one may be as deep as possible, for example.
        waiting = waiting.slice(frame.documents.length)
      } else {
        for (const index of waiting) judged[index] = notWellFormed(documents[index]!, native)
        waiting = waiting.filter((index) => judged[index] === undefined)
        checked = true
      }
    }
  }
  return judged.map((found, index) => found ?? alone(documents[index]!))
}

/**
 * Findings of the documents of a frame, without those that must be judged alone.
 * @returns undefined when the frame is not well-formed, or does not hold what was put into it
 */
function judgeFrame(
  { xml, documents }: Frame,
  maker: FrameMaker,
  schema: NativeDocument,
  native: Native,
): Map<number, string[]> | undefined {
  let parsed: NativeDocument
  try {
    parsed = native.parseXml(xml, safely)
  } catch {
    return undefined
  }
  if (parsed.get(maker.count) !== documents.length) return undefined
  const made = new Map(documents.map(({ index }): [number, string[]] => [index, []]))
  const validatedAlone = new Set<number>()
  for (const { message, line } of findings(parsed, schema)) {
    const place = documents.findLast(({ firstLine }) => firstLine <= (line ?? 0))
    if (place === undefined) return undefined
    const { index, firstLine } = place
    if (maker.concerns(message)) validatedAlone.add(index)
    made.get(index)?.push(at(message, (line ?? 0) - firstLine + 1))
  }
  for (const index of validatedAlone) made.delete(index)
  return made
}

const findings = (document: NativeDocument, schema: NativeDocument) =>
  document.validate(schema) ? [] : document.validationErrors

function notWellFormed(bytes: Buffer, native: Native): string[] | undefined {
  try {
    native.parseXml(bytes, safely)
    return undefined
  } catch (error) {
    return [`the document is not well-formed: ${(error as Error).message.trim()}`]
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

// The types of the optional package are declared here, so that the project compiles without it too.
interface NativeDocument {
  validate(schema: NativeDocument): boolean
  get(xpath: string): unknown
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
function hostile(bytes: Buffer): string[] | undefined {
  if (bytes.includes(0)) return ['the document is not UTF-8']
  if (bytes.includes('<!DOCTYPE')) return ['the document has a document type declaration']
  return undefined
}
