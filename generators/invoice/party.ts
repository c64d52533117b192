import { drawGs1 } from '../../lib/identifiers/gs1.ts'
import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import type { Element } from '../schema/document.ts'
import type { Draft } from './draft.ts'
import {
  city,
  firmName,
  municipality,
  personName,
  street,
  subUnitName,
  taxGroupName,
  townOf,
} from './text.ts'

/** Where the buyer is, which decides what rates there can be. */
export type BuyerKind = 'domestic' | 'eu' | 'foreign' | 'consumer' | 'consumerAbroad'

export interface Buyer {
  readonly kind: BuyerKind
  /** Only domestic buyers have one. */
  readonly nip?: string
  readonly identification: readonly Element[]
  readonly address: Element
  readonly country: string
  /** Local-government sub-unit; needs a third party with role 8. */
  readonly subUnit: boolean
  /** Member of a VAT group; needs a third party with role 10. */
  readonly group: boolean
}

/** Numbers of other member states, each with the check digits of its state. */
const euNumbers: readonly (readonly [country: string, number: string])[] = [
  ['DE', '123456788'],
  ['FR', '11123456782'],
  ['CZ', '12345679'],
  ['AT', 'U12345675'],
  ['NL', '123456782B01'],
  ['IT', '12345670157'],
  ['EL', '123456783'],
]
/** Northern Ireland belongs to them for goods alone. */
const northernIreland = ['XI', '123456782'] as const
const elsewhere = ['US', 'GB', 'CH', 'UA', 'JP', 'NO'] as const

export function address({ el, draw }: Draft, name: string, country = 'PL'): Element {
  const lines = [
    el('KodKraju', country),
    el('AdresL1', street(draw, country)),
    el('AdresL2', country === 'PL' ? city(draw) : townOf(country)),
  ]
  if (draw.chance(5)) lines.push(el('GLN', drawGs1(draw)))
  return el(name, lines)
}

function contact({ el, draw }: Draft): Element {
  const parts: Element[] = []
  if (draw.chance(80)) parts.push(el('Email', `biuro${draw.int(1, 999)}@firma.example`))
  if (parts.length === 0 || draw.chance(50))
    parts.push(el('Telefon', `+48 ${draw.int(100_000_000, 999_999_999)}`))
  return el('DaneKontaktowe', parts)
}

/** Podmiot1. */
export function sellerParty(draft: Draft, name: string, euTrade: boolean): Element {
  const { el, draw } = draft
  const parts: Element[] = []
  if (euTrade) parts.push(el('PrefiksPodatnika', 'PL'))
  if (euTrade && draw.chance(30)) parts.push(el('NrEORI', `PL${draft.seller}00000`))
  parts.push(
    el('DaneIdentyfikacyjne', [el('NIP', draft.seller), el('Nazwa', name)]),
    address(draft, 'Adres'),
  )
  if (draw.chance(10)) parts.push(address(draft, 'AdresKoresp'))
  if (draw.chance(60)) parts.push(contact(draft))
  if (draw.chance(2)) parts.push(el('StatusInfoPodatnika', String(draw.int(1, 4))))
  return el('Podmiot1', parts)
}

export function drawBuyer(
  draft: Draft,
  { buyer: kind, goods }: { readonly buyer: BuyerKind; readonly goods: boolean },
  given?: string,
): Buyer {
  const { el, draw } = draft
  const domestic = kind === 'domestic'
  const nip = domestic ? (given ?? drawNip(draw)) : undefined
  const marked = domestic && draw.chance(6)
  const subUnit = marked && draw.chance(50)
  const make = (identification: readonly Element[], country: string): Buyer => ({
    kind,
    ...(nip !== undefined && { nip }),
    identification,
    address: address(draft, 'Adres', country),
    country,
    subUnit,
    group: marked && !subUnit,
  })
  switch (kind) {
    case 'domestic':
      return make([el('NIP', nip!)], 'PL')
    case 'eu': {
      const [country, number] = draw.pick(goods ? [...euNumbers, northernIreland] : euNumbers)
      const location = country === 'EL' ? 'GR' : country
      return make([el('KodUE', country), el('NrVatUE', number)], location)
    }
    case 'foreign': {
      const country = draw.pick(elsewhere)
      const number = el('NrID', `${draw.int(10_000_000, 99_999_999)}`)
      return make(draw.chance(80) ? [el('KodKraju', country), number] : [number], country)
    }
    case 'consumer':
      return make([el('BrakID', '1')], 'PL')
    // Of the country whose rate the special procedure takes.
    case 'consumerAbroad':
      return make([el('BrakID', '1')], 'DE')
  }
}

/** Who buys: a person, a firm, a municipality for its school, or a group of firms. */
export function buyerName({ draw }: Draft, { kind, subUnit, group }: Buyer): string {
  if (kind.startsWith('consumer')) return personName(draw)
  return subUnit ? municipality(draw) : group ? taxGroupName(draw) : firmName(draw)
}

/** Podmiot2. A simplified invoice may leave name and address out. */
export function buyerParty(draft: Draft, buyer: Buyer, simplified: boolean): Element {
  const { el, draw, schema } = draft
  const identification = [...buyer.identification]
  if (!simplified) identification.push(el('Nazwa', buyerName(draft, buyer)))
  const parts = [el('DaneIdentyfikacyjne', identification)]
  if (!simplified) parts.push(buyer.address)
  if (draw.chance(5)) parts.push(address(draft, 'AdresKoresp'))
  if (draw.chance(30)) parts.push(contact(draft))
  if (draw.chance(30)) parts.push(el('NrKlienta', `K-${draw.int(1, 99_999)}`))
  if (schema === 'fa3') {
    parts.push(el('JST', buyer.subUnit ? '1' : '2'), el('GV', buyer.group ? '1' : '2'))
  }
  return el('Podmiot2', parts)
}

/** Podmiot3, as many as the markers of the buyer ask for, and sometimes others. */
export function thirdParties(draft: Draft, buyer: Buyer): Element[] {
  const { el, draw, schema } = draft
  const make = (
    role: readonly Element[],
    identification: Element,
    share?: string,
    name = firmName(draw),
  ): Element => {
    const parts = [el('DaneIdentyfikacyjne', [identification, el('Nazwa', name)])]
    // FA(2) cannot do without the address.
    if (schema === 'fa2' || draw.chance(70)) parts.push(address(draft, 'Adres'))
    if (draw.chance(20)) parts.push(contact(draft))
    parts.push(...role)
    if (share !== undefined) parts.push(el('Udzial', share))
    return el('Podmiot3', parts)
  }
  const parties: Element[] = []
  if (buyer.subUnit) {
    const unit = el('IDWew', drawInternalId(draw, buyer.nip ?? draft.seller))
    parties.push(make([el('Rola', '8')], unit, undefined, subUnitName(draw)))
  }
  if (buyer.group) parties.push(make([el('Rola', '10')], el('NIP', drawNip(draw))))
  if (draw.chance(8)) {
    const role = draw.pick(
      schema === 'fa3' ? ([1, 2, 3, 4, 5, 6, 11] as const) : ([1, 2, 3, 4, 5, 6] as const),
    )
    const id = role === 11 ? el('BrakID', '1') : el('NIP', drawNip(draw))
    const share = role === 4 ? String(draw.int(1, 99)) : undefined
    const name = role === 11 ? personName(draw) : firmName(draw)
    parties.push(make([el('Rola', String(role))], id, share, name))
  }
  if (draw.chance(2)) {
    parties.push(
      make([el('RolaInna', '1'), el('OpisRoli', 'Opiekun klienta')], el('NIP', drawNip(draw))),
    )
  }
  return parties
}

/** PodmiotUpowazniony: enforcement authority, bailiff or tax representative. */
export function authorisedParty(draft: Draft): Element {
  const { el, draw } = draft
  return el('PodmiotUpowazniony', [
    el('DaneIdentyfikacyjne', [el('NIP', drawNip(draw)), el('Nazwa', firmName(draw))]),
    address(draft, 'Adres'),
    el('RolaPU', String(draw.int(1, 3))),
  ])
}
