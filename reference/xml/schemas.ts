/** The schemas of `contract/xsd`, compiled once per process and kept. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { XmlElement } from 'libxml2-wasm'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { diagnostics } from './xml.ts'

/** From the sources `contract` stands beside `reference`, from `dist` one level further up. */
const folder = (): string => {
  const here = dirname(fileURLToPath(import.meta.url))
  const places = [
    join(here, '..', '..', 'contract', 'xsd'),
    join(here, '..', '..', '..', 'contract', 'xsd'),
  ]
  const found = places.find((place) => existsSync(join(place, 'fa3.xsd')))
  if (found === undefined) throw new Error(`contract/xsd is at none of: ${places.join(', ')}`)
  return found
}

let home: string | undefined
const compiled = new Map<string, XsdValidator>()

const validator = (file: string): XsdValidator => {
  const ready = compiled.get(file)
  if (ready !== undefined) return ready
  home ??= folder()
  // The validator keeps reading the schema document: neither is freed while the process lives.
  const document = XmlDocument.fromBuffer(readFileSync(join(home, file)), {
    url: `file:///${file}`,
  })
  const made = XsdValidator.fromDoc(document)
  compiled.set(file, made)
  return made
}

/** Compiles a schema ahead of its first use. */
export const prepareSchema = (file: string): void => {
  validator(file)
}

/**
 * What a document breaks of a schema, one line each; empty when it conforms.
 * @param file name below `contract/xsd`
 */
export const schemaFindings = (document: XmlDocument | XmlElement, file: string): string[] => {
  const judge = validator(file)
  try {
    if (document instanceof XmlDocument) judge.validate(document)
    else judge.validate(document)
    return []
  } catch (error) {
    return diagnostics(error)
  }
}
