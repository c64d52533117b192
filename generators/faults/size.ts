import { limits } from '../../contract/limits.ts'
import { attachment } from '../invoice/attachment.ts'
import { addDays } from '../invoice/dates.ts'
import { elementsOf } from '../invoice/draft.ts'
import { fillTo } from '../invoice/size.ts'
import type { Element } from '../schema/document.ts'
import { children, textAt } from '../schema/document.ts'
import type { Draw } from '../draw/draw.ts'
import { hasPlace } from './edit.ts'
import type { BrokenDocument, InvoiceMalformation } from './malformation.ts'
import { schemaOf } from './schema-classes.ts'

const without = (document: Element): Element => ({
  ...document,
  content: children(document).filter(({ name }) => name !== 'Zalacznik'),
})

const withAttachment = (document: Element, draw: Draw): Element => {
  const fa = children(document).find(({ name }) => name === 'Fa')
  if (fa === undefined || hasPlace(document, 'Faktura/Zalacznik')) return document
  const schema = schemaOf(document)
  const part = attachment(
    {
      draw,
      schema,
      kind: 'VAT',
      profile: 'general',
      seller: '',
      issueDate: textAt(document, 'Fa', 'P_1') ?? addDays('2026-03-02', 0),
      el: elementsOf(schema),
    },
    fa,
    { kind: 'services', overTheCounter: false, about: new Set() },
  )
  return { ...document, content: [...children(document), part] }
}

function filled(document: Element, size: number): BrokenDocument {
  const made = fillTo(document, size)
  // An invoice that is longer already has the fault without being filled.
  if (!made) throw new RangeError(`the document is longer than ${size} bytes`)
  return { bytes: made.bytes, fault: { path: '(bytes)', new: `${size} bytes` } }
}

const shared = {
  layer: 'size',
  of: 'invoice',
  refusedAs: 'invoice-too-large',
  seenBy: 'service',
} as const

/** Documents that are valid but for their size. */
export function sizes(): InvoiceMalformation[] {
  const plain = limits['invoice.bytes'].value
  const attached = limits['invoice.bytesWithAttachment'].value
  const over = (id: string, summary: string, bytes: number): InvoiceMalformation => ({
    ...shared,
    id: `size:${id}`,
    rule: 'invoices.size.without-attachments',
    summary,
    schemas: ['fa3', 'fa2'],
    prepare: without,
    apply: (document) => filled(document, bytes),
  })
  return [
    over('one-over', 'one byte more than an invoice may have', plain + 1),
    over('twice', 'twice as long as an invoice may be', 2 * plain),
    over('like-attached', 'without attachment, and as long as one with it may be', attached),
    {
      ...shared,
      id: 'size:attached-one-over',
      rule: 'invoices.size.with-attachments',
      summary: 'one byte more than an invoice with an attachment may have',
      schemas: ['fa3'],
      prepare: withAttachment,
      apply: (document) => filled(document, attached + 1),
    },
  ]
}
