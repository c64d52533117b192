import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import type { Draw } from '../draw/draw.ts'
import { simplestDraw } from '../draw/draw.ts'
import { minimalDocument } from '../invoice/invoice.ts'
import { invoiceSchema } from '../schema/contract.ts'
import type { Element } from '../schema/document.ts'
import { graft } from '../schema/graft.ts'
import type { SchemaPlace, SchemaPlaces } from '../schema/places.ts'
import { placesOf } from '../schema/places.ts'
import { asRead } from '../schema/as-read.ts'
import { serialize } from '../schema/serialize.ts'
import { validate } from '../schema/validate.ts'
import type { BrokenDocument, Fault, InvoiceMalformation } from './malformation.ts'
import { everySchema } from './malformation.ts'
import { neutrally } from './neutral.ts'

/** What the layers that are derived from the schemas share. */

const known = new Map<InvoiceSchemaId, SchemaPlaces>()

export function invoicePlaces(schema: InvoiceSchemaId): SchemaPlaces {
  let places = known.get(schema)
  if (!places) {
    places = placesOf(invoiceSchema(schema), invoiceSchemas[schema].root)
    known.set(schema, places)
  }
  return places
}

/** Which schema a document is of. */
export function schemaOf(document: Element): InvoiceSchemaId {
  return document.namespace === invoiceSchemas.fa2.namespace ? 'fa2' : 'fa3'
}

/** The place of a path in the schema of a document. */
export function placeIn(document: Element, path: string): SchemaPlace {
  const place = invoicePlaces(schemaOf(document)).byPath.get(path)
  if (!place) throw new RangeError(`${path} is not in the schema`)
  return place
}

/** The document with the element of a path in it. */
export const withPlace = (document: Element, path: string, draw: Draw, times?: number): Element =>
  graft(document, placeIn(document, path), {
    draw,
    steering: neutrally(document),
    ...(times !== undefined && { times }),
  })

/** Whether our own validator accepts a document. */
function isValid(document: Element): boolean {
  return validate(invoiceSchema(schemaOf(document)), asRead(document)).length === 0
}

export const broken = (document: Element, fault: Fault): BrokenDocument => ({
  bytes: serialize(document),
  fault,
})

/** The simplest document of each schema, to try on whether a change is a fault at all. */
const plain = new Map<InvoiceSchemaId, Element>()

function plainest(schema: InvoiceSchemaId): Element {
  let document = plain.get(schema)
  if (!document) {
    document = minimalDocument({
      schema,
      seller: '5265877635',
      number: '1',
      issueDate: '2026-03-02',
    })
    plain.set(schema, document)
  }
  return document
}

type Change = Pick<InvoiceMalformation, 'prepare'> & {
  readonly change: (document: Element, draw: Draw) => { document: Element; fault: Fault }
}

export interface SchemaClass extends Change {
  readonly id: string
  readonly summary: string
  /** The schemas that can have it. */
  readonly schemas?: readonly InvoiceSchemaId[]
  /** A fault in all of them beyond doubt: not tried on the plainest document. */
  readonly sure?: true
}

/** The schemas in which a change is a fault: not those whose plainest document it leaves valid. */
function faultIn({ schemas = everySchema, sure, prepare, change }: SchemaClass) {
  return schemas.filter((schema) => {
    if (sure) return true
    const ready = prepare(plainest(schema), simplestDraw)
    return !isValid(change(ready, simplestDraw).document)
  })
}

/**
 * Turns changes into malformations that schema validation detects. The schemas in which one is a fault are found when
 * first asked for: trying all of them takes seconds.
 */
export function schemaMalformations(
  layer: string,
  classes: readonly SchemaClass[],
): InvoiceMalformation[] {
  return classes.map((each) => {
    const { id, summary, prepare, change } = each
    let found: readonly InvoiceSchemaId[] | undefined
    return {
      id,
      layer,
      of: 'invoice',
      rule: 'invoices.content.invalid-rejected',
      refusedAs: 'invoice-invalid',
      seenBy: 'schema',
      get schemas() {
        return (found ??= faultIn(each))
      },
      summary,
      prepare,
      apply: (document: Element, draw: Draw) => {
        const made = change(document, draw)
        return broken(made.document, made.fault)
      },
    } satisfies InvoiceMalformation
  })
}

/** The places that a class of faults is tried at: each content model once, where it stands first. */
export function representativePlaces(wanted: (place: SchemaPlace) => boolean): {
  readonly path: string
  readonly schemas: readonly InvoiceSchemaId[]
}[] {
  const out = new Map<string, InvoiceSchemaId[]>()
  for (const schema of everySchema) {
    const seen = new Map<unknown, Set<string>>()
    for (const place of invoicePlaces(schema).elements) {
      if (!place.parent || !wanted(place)) continue
      const model = place.parent.particle.type()
      const names = seen.get(model) ?? new Set()
      seen.set(model, names)
      if (names.has(place.particle.name)) continue
      names.add(place.particle.name)
      out.set(place.path, [...(out.get(place.path) ?? []), schema])
    }
  }
  return [...out].map(([path, schemas]) => ({ path, schemas }))
}
