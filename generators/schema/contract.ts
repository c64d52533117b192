import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import type { Schema } from './model.ts'
import { parseSchema } from './parse.ts'

const read = new Map<string, Schema>()

/** The model of a schema of the contract, by its file below contract/xsd; read once. */
export function contractSchema(file: string): Schema {
  let schema = read.get(file)
  if (!schema) {
    const url = new URL(`../../contract/xsd/${file}`, import.meta.url)
    schema = parseSchema({ text: readFileSync(url, 'utf8'), file: fileURLToPath(url) })
    read.set(file, schema)
  }
  return schema
}

/** The model of an invoice schema. */
export const invoiceSchema = (id: InvoiceSchemaId): Schema => contractSchema(invoiceSchemas[id].xsd)

/** The models of all invoice schemas, by namespace. */
export const invoiceSchemasByNamespace = (): ReadonlyMap<string, Schema> =>
  new Map(
    (Object.keys(invoiceSchemas) as InvoiceSchemaId[]).map((id) => [
      invoiceSchemas[id].namespace,
      invoiceSchema(id),
    ]),
  )
