import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import type { Draw } from '../draw/draw.ts'
import type { Attribute, Element } from '../schema/document.ts'
import { element } from '../schema/document.ts'
import type { InvoiceKind, ProfileId } from './options.ts'

/** What every part of an invoice needs to be built. */
export interface Draft {
  readonly draw: Draw
  readonly schema: InvoiceSchemaId
  readonly kind: InvoiceKind
  readonly profile: ProfileId
  readonly seller: string
  readonly issueDate: string
  /** Makes an element of the schema's namespace. */
  readonly el: (
    name: string,
    content: string | readonly Element[],
    attributes?: readonly Attribute[],
  ) => Element
}

export function elementsOf(schema: InvoiceSchemaId): Draft['el'] {
  const { namespace } = invoiceSchemas[schema]
  return (name, content, attributes) => element(namespace, name, content, attributes)
}
