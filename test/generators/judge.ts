import { ParseOption, XmlDocument, XmlParseError, XmlValidateError } from 'libxml2-wasm'
import type { XsdValidator } from 'libxml2-wasm'

/** What a schema objects to, with the place where the engine names one; a parse error is one objection. */
export interface Objection {
  readonly message: string
  readonly line?: number
  readonly xpath?: string
}

/** The objections of a compiled schema to a document. */
export function objectionsOf(schema: XsdValidator, bytes: Uint8Array): Objection[] {
  let document: XmlDocument | undefined
  try {
    document = XmlDocument.fromBuffer(bytes, {
      option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE,
    })
    schema.validate(document)
    return []
  } catch (error) {
    if (error instanceof XmlParseError || error instanceof XmlValidateError) {
      return error.details.map(({ message, line, xpath }) => ({
        message: message.trim(),
        ...(line !== undefined && { line }),
        ...(xpath !== undefined && { xpath }),
      }))
    }
    throw error
  } finally {
    document?.dispose()
  }
}

/** The messages alone, for documents that should have none. */
export const judged = (schema: XsdValidator, bytes: Uint8Array): string[] =>
  objectionsOf(schema, bytes).map(({ message }) => message)
