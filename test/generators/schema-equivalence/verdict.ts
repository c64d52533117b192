import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlParseError,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { publishedFolder } from '../../../lib/node/published.ts'

/** Published schemas and documents. */
export const PUBLISHED = pathToFileURL(`${publishedFolder}/`)
/** Our schemas. */
export const OWN = new URL('../../../contract/xsd/', import.meta.url)

const BASE_TYPES = 'http://crd.gov.pl/xml/schematy/dziedzinowe/mf/2022/01/05/eD/DefinicjeTypy/'
const BASE_FILES = ['StrukturyDanych', 'ElementarneTypyDanych', 'KodyKrajow']

export function havePublished(): boolean {
  return existsSync(new URL('xsd/', PUBLISHED))
}

export function readOwn(file: string): string {
  return readFileSync(new URL(file, OWN), 'utf8')
}

export function readPublished(file: string): string {
  return readFileSync(new URL(`xsd/${file}`, PUBLISHED), 'utf8')
}

/** Lets the import of the base types by their address find the published files, without a network. */
export function provideBaseTypes(): void {
  const files = BASE_FILES.map((name): [string, Buffer] => {
    const file = `${name}_v10-0E.xsd`
    return [BASE_TYPES + file, readFileSync(new URL(`xsd/fa/${file}`, PUBLISHED))]
  })
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(files)))
}

export function compile(schema: string, name: string): XsdValidator {
  // The address needs an empty authority: with two slashes the name would be taken for a host.
  // The document is not disposed of, because the schema keeps pointers into it.
  return XsdValidator.fromDoc(
    XmlDocument.fromBuffer(Buffer.from(schema), { url: `mem:///${name}.xsd` }),
  )
}

/** The places that the schema objects to, without repetition; none when the document is valid. */
function objections(schema: XsdValidator, document: XmlDocument): string[] {
  try {
    schema.validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    return [...new Set(error.details.map(({ xpath, message }) => xpath ?? message))]
  }
}

/** What each of two schemas objects to in a document; nothing when the document is not well-formed. */
export function compare(
  xml: string,
  own: XsdValidator,
  published: XsdValidator,
): { own: string[]; published: string[] } | undefined {
  let document: XmlDocument
  try {
    document = XmlDocument.fromBuffer(Buffer.from(xml))
  } catch (error) {
    if (error instanceof XmlParseError) return undefined
    throw error
  }
  try {
    return { own: objections(own, document), published: objections(published, document) }
  } finally {
    document.dispose()
  }
}
