/**
 * What the service reads from an accepted document. Source: specification, Resources and their fields > Invoice
 * submission (identity), gap metadata-answer (the rest).
 */

import type { Outline } from '../xml/outline.ts'
import { outlineOf, resolved } from '../xml/outline.ts'
import { collapsed } from '../xml/markup.ts'
import type { InvoiceFacts, InvoiceKind, Party, PartyIdentifier } from '../model/invoice-facts.ts'

const amount = /^[ \t\r\n]*(-?)(\d{1,18})(?:\.(\d{1,2}))?[ \t\r\n]*$/

/** An amount as the schema allows it, in hundredths; nothing where a document that is not valid has none. */
export const hundredths = (text: string): bigint => {
  const [, sign, whole, fraction = ''] = amount.exec(text) ?? []
  if (whole === undefined) return 0n
  const value = BigInt(whole + fraction.padEnd(2, '0'))
  return sign === '-' ? -value : value
}

const childOf = (parent: Outline | undefined, name: string): Outline | undefined =>
  parent?.children.find((child) => child.name === name)

/** A part of a text of at least this length keeps the whole text in memory; a shorter one is a copy anyway. */
const holding = 13

/** For facts, which are kept for ever: a copy where it would hold its document. */
const kept = ({ markup }: Outline): string => {
  const own = collapsed(resolved(markup))
  return own.length < holding ? own : Buffer.from(own).toString()
}

const text = (parent: Outline | undefined, name: string): string | undefined => {
  const element = childOf(parent, name)
  return element === undefined ? undefined : kept(element)
}

const party = (element: Outline | undefined): Party => {
  const data = childOf(element, 'DaneIdentyfikacyjne')
  const name = text(data, 'Nazwa')
  return { identifier: identifier(data), ...(name !== undefined && { name }) }
}

const identifier = (data: Outline | undefined): PartyIdentifier => {
  const nip = text(data, 'NIP')
  if (nip !== undefined) return { type: 'Nip', value: nip }
  const internal = text(data, 'IDWew')
  if (internal !== undefined) return { type: 'InternalId', value: internal }
  const vat = text(data, 'NrVatUE')
  if (vat !== undefined) return { type: 'VatUe', value: `${text(data, 'KodUE') ?? ''}${vat}` }
  const other = text(data, 'NrID')
  return other === undefined ? { type: 'None' } : { type: 'Other', value: other }
}

/** Of no interest here, and most of a document. */
const unread: ReadonlySet<string> = new Set([
  'Naglowek',
  'Adres',
  'AdresKoresp',
  'DaneKontaktowe',
  'DodatkowyOpis',
  'FaWiersz',
  'Stopka',
  'Zalacznik',
])

/** Where the part of a document ends that describes it as a whole. */
const last: ReadonlySet<string> = new Set(['FaWiersz'])

/**
 * Reads the facts from the markup of a document that was found well-formed; only what its schema accepts has all of
 * them.
 */
export const readFacts = (markup: string): InvoiceFacts => {
  const root = outlineOf(markup, unread, last)
  const parts = root.children
  const part = (name: string) => childOf(root, name)

  const seller = childOf(part('Podmiot1'), 'DaneIdentyfikacyjne')
  const sellerName = text(seller, 'Nazwa')
  const authorized = part('PodmiotUpowazniony')
  const authorizedData = childOf(authorized, 'DaneIdentyfikacyjne')
  const authorizedName = text(authorizedData, 'Nazwa')

  const single = new Map<string, string>()
  let selfInvoicing = false
  let net = 0n
  const taxes = new Map<string, bigint>()
  const body = part('Fa')
  for (const element of body?.children ?? []) {
    const { name } = element
    if (name === 'FaWiersz') break
    if (name.startsWith('P_13_')) net += hundredths(resolved(element.markup))
    else if (name.startsWith('P_14_')) {
      // The variant in PLN follows the one in the currency of the invoice and takes its place.
      taxes.set(name.replace(/W$/, ''), hundredths(resolved(element.markup)))
    } else if (name === 'Adnotacje') selfInvoicing = Number(text(element, 'P_17')) === 1
    else if (['KodWaluty', 'P_1', 'P_2', 'P_15', 'RodzajFaktury'].includes(name))
      single.set(name, kept(element))
  }

  return {
    seller: {
      nip: text(seller, 'NIP') ?? '',
      ...(sellerName !== undefined && { name: sellerName }),
    },
    buyer: party(part('Podmiot2')),
    thirdParties: parts
      .filter(({ name }) => name === 'Podmiot3')
      .map((element) => ({ ...party(element), role: Number(text(element, 'Rola') ?? 0) })),
    ...(authorized !== undefined && {
      authorized: {
        nip: text(authorizedData, 'NIP') ?? '',
        ...(authorizedName !== undefined && { name: authorizedName }),
        role: Number(text(authorized, 'RolaPU') ?? 0),
      },
    }),
    issueDate: single.get('P_1') ?? '',
    number: single.get('P_2') ?? '',
    kind: (single.get('RodzajFaktury') ?? 'VAT') as InvoiceKind,
    currency: single.get('KodWaluty') ?? '',
    net,
    gross: hundredths(single.get('P_15') ?? '0'),
    vat: [...taxes.values()].reduce((sum, tax) => sum + tax, 0n),
    selfInvoicing,
    attachment: part('Zalacznik') !== undefined,
  }
}
