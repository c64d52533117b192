import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import { withWrongCheckDigit, withoutCheckDigit, drawNip } from '../../lib/identifiers/nip.ts'
import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { textOf, withText } from './edit.ts'
import { drawInvoice } from '../invoice/invoice.ts'
import type { BrokenDocument, InvoiceMalformation } from './malformation.ts'
import { everySchema } from './malformation.ts'
import { broken, schemaOf, withPlace } from './schema-classes.ts'

/** Valid by the schema, refused by the service: dates, check digits, parties, attachments. */

interface Semantic {
  readonly id: string
  readonly summary: string
  readonly path: string
  readonly rule: RuleId
  readonly refusedAs: RefusalId
  readonly value: (old: string, draw: Draw) => string
  /** Where only some environments refuse it. */
  readonly onlyIn?: 'production'
}

const invalid = { rule: 'invoices.content.invalid-rejected', refusedAs: 'invoice-invalid' } as const

const digits = { ...invalid, rule: 'invoices.content.check-digits' } as const

const seller = 'Faktura/Podmiot1/DaneIdentyfikacyjne/NIP'

const classes: readonly Semantic[] = [
  {
    ...invalid,
    id: 'future-far',
    summary: 'issued long after the day of receipt',
    path: 'Faktura/Fa/P_1',
    value: (_, draw) => `20${draw.int(40, 49)}-01-0${draw.int(1, 9)}`,
  },
  {
    ...invalid,
    id: 'future-last',
    summary: 'issued on the last day that the schema knows',
    path: 'Faktura/Fa/P_1',
    value: () => '2050-01-01',
  },
  {
    id: 'other-seller',
    summary: 'the seller is someone that the context may not issue for',
    path: seller,
    rule: 'invoices.content.invalid-rejected',
    refusedAs: 'seller-not-allowed',
    value: (_, draw) => drawNip(draw),
  },
]

const checkDigits: readonly Semantic[] = [
  ['seller', seller],
  ['buyer', 'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP'],
  ['third-party', 'Faktura/Podmiot3/DaneIdentyfikacyjne/NIP'],
  ['authorised', 'Faktura/PodmiotUpowazniony/DaneIdentyfikacyjne/NIP'],
].map(([id, path]) => ({
  ...digits,
  id: `check-digit-${id}`,
  summary: `the check digit of the NIP of the ${id!.replace('-', ' ')} is wrong`,
  path: path!,
  onlyIn: 'production' as const,
  value: (old: string) => withWrongCheckDigit(old),
}))

const unit: Semantic = {
  ...digits,
  id: 'check-digit-sub-unit',
  summary: 'the check digit of the NIP within an internal identifier is wrong',
  path: 'Faktura/Podmiot3/DaneIdentyfikacyjne/IDWew',
  onlyIn: 'production',
  value: (old) => withWrongCheckDigit(old.slice(0, 10)) + old.slice(10),
}

const incomplete: Semantic = {
  ...digits,
  id: 'check-digit-impossible',
  summary: 'the first nine digits of the NIP of the buyer have no check digit',
  path: 'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP',
  onlyIn: 'production',
  value: withoutCheckDigit,
}

/** Characters beyond ASCII that the schema counts as digits. */
const fullWidth: Semantic = {
  ...digits,
  id: 'full-width-digits',
  summary: 'the NIP of the buyer has full-width digits',
  path: 'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP',
  onlyIn: 'production',
  value: (old) =>
    old.slice(0, 3) +
    old.slice(3).replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
}

export interface SemanticMalformation extends InvoiceMalformation {
  /** Environments other than this one accept the document. */
  readonly onlyIn?: 'production'
}

/** A document of the other form, where the session was opened for one. */
function otherForm(document: Element, draw: Draw): BrokenDocument {
  const schema = schemaOf(document) === 'fa3' ? 'fa2' : 'fa3'
  const text = (path: string) => textOf(document, path)
  const options = {
    schema,
    seller: text(seller),
    number: text('Faktura/Fa/P_2'),
    issueDate: text('Faktura/Fa/P_1'),
    kind: 'VAT',
  } as const
  const { document: made } = drawInvoice(options, draw)
  return broken(made, { path: 'Faktura', old: document.namespace, new: made.namespace })
}

const asIs = (document: Element) => document

/** Valid by themselves, refused for the session that they are sent in. */
const ofSessions: readonly SemanticMalformation[] = [
  {
    ...invalid,
    id: 'semantics:other-form',
    layer: 'semantics',
    of: 'invoice',
    seenBy: 'session',
    schemas: everySchema,
    summary: 'a valid invoice of the other version of the form',
    prepare: asIs,
    apply: otherForm,
  },
  {
    id: 'semantics:attachment-online',
    layer: 'semantics',
    of: 'invoice',
    rule: 'invoices.size.with-attachments',
    refusedAs: 'attachment-not-allowed',
    seenBy: 'service',
    schemas: ['fa3'],
    summary: 'an attachment in an interactive session',
    prepare: asIs,
    apply: (document, draw) => {
      const path = 'Faktura/Zalacznik'
      return broken(withPlace(document, path, draw), { path, seenAt: [path] })
    },
  },
]

export function semantics(): SemanticMalformation[] {
  return [...ofSessions, ...single()]
}

function single(): SemanticMalformation[] {
  return [...classes, ...checkDigits, incomplete, unit, fullWidth].map(
    ({ id, summary, path, rule, refusedAs, value, onlyIn }) => ({
      id: `semantics:${id}`,
      layer: 'semantics',
      of: 'invoice',
      rule,
      refusedAs,
      seenBy: 'service',
      schemas: everySchema,
      summary,
      ...(onlyIn && { onlyIn }),
      prepare: (document: Element, draw: Draw) => withPlace(document, path, draw),
      apply: (document: Element, draw: Draw) => {
        const old = textOf(document, path)
        const made = value(old, draw)
        const next = made === old ? value(withWrongCheckDigit(old), draw) : made
        return broken(withText(document, path, next), { path, old, new: next, seenAt: [path] })
      },
    }),
  )
}
