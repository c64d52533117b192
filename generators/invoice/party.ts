import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import type { Draft } from './draft.ts'
import type { Contact } from './firms.ts'
import {
  drawCompany,
  euFirms,
  firmAbroad,
  firmOf,
  foreignFirms,
  northernIreland,
  personEmail,
  personName,
  schoolName,
} from './firms.ts'
import type { Place } from './places.ts'
import { drawPlace, drawTelephone } from './places.ts'

/** Where the buyer is, which decides what rates there can be. */
export type BuyerKind = 'domestic' | 'eu' | 'foreign' | 'consumer' | 'consumerAbroad'

/** Who buys, and whether goods or services. */
export interface Sale {
  readonly buyer: BuyerKind
  readonly goods: boolean
  /** Works on homes, at the lower rate: a municipality does not build its schools at that rate. */
  readonly homes: boolean
}

export interface Buyer extends Contact {
  readonly kind: BuyerKind
  /** Only domestic buyers have one. */
  readonly nip?: string
  readonly identification: readonly Element[]
  /** Local-government sub-unit; needs a third party with role 8. */
  readonly subUnit: boolean
  /** Member of a VAT group; needs a third party with role 10. */
  readonly group: boolean
}

export function address({ el }: Pick<Draft, 'el'>, name: string, place: Place, gln?: string) {
  return el(name, [
    el('KodKraju', place.country),
    el('AdresL1', place.street),
    el('AdresL2', place.town),
    ...(gln === undefined ? [] : [el('GLN', gln)]),
  ])
}

/** DaneKontaktowe, where there is anything to be reached by. */
function contact({ el }: Draft, { email, telephone }: Contact): Element[] {
  const parts = [
    ...(email === undefined ? [] : [el('Email', email)]),
    ...(telephone === undefined ? [] : [el('Telefon', telephone)]),
  ]
  return parts.length > 0 ? [el('DaneKontaktowe', parts)] : []
}

/** Podmiot1. */
export function sellerParty(draft: Draft, { buyer, goods }: Sale): Element {
  const { el, draw, seller } = draft
  const firm = firmOf(seller)
  const exported = buyer === 'foreign' && goods
  return el('Podmiot1', [
    ...(buyer === 'eu' ? [el('PrefiksPodatnika', 'PL')] : []),
    ...(exported && draw.chance(60) ? [el('NrEORI', `PL${seller}00000`)] : []),
    el('DaneIdentyfikacyjne', [el('NIP', seller), el('Nazwa', firm.name)]),
    address(draft, 'Adres', firm.place, firm.gln),
    ...(firm.letters ? [address(draft, 'AdresKoresp', firm.letters)] : []),
    ...(draw.chance(60) ? contact(draft, firm) : []),
    ...(firm.status === undefined ? [] : [el('StatusInfoPodatnika', firm.status)]),
  ])
}

function consumer(draw: Draw, country: string): Contact {
  const name = personName(draw)
  return {
    name,
    place: drawPlace(draw, country),
    email: personEmail(name),
    ...(draw.chance(50) && { telephone: drawTelephone(draw, country) }),
  }
}

/** A NIP whose firm has another name than the seller: two firms of one name would look related. */
function drawUnrelated(seller: string, drawOne: () => string): string {
  const { root } = firmOf(seller)
  for (;;) {
    const nip = drawOne()
    if (firmOf(nip).root !== root) return nip
  }
}

export function drawBuyer(
  { el, draw, seller }: Draft,
  { buyer: kind, goods, homes }: Sale,
  given?: string,
): Buyer {
  const plain = { kind, subUnit: false, group: false }
  switch (kind) {
    case 'domestic': {
      const nip = given ?? drawUnrelated(seller, () => (homes ? drawCompany(draw) : drawNip(draw)))
      const firm = firmOf(nip)
      return {
        ...firm,
        ...plain,
        nip,
        identification: [el('NIP', nip)],
        subUnit: firm.kind === 'municipality',
        group: firm.kind === 'taxGroup',
      }
    }
    case 'eu': {
      const firms = goods ? [...euFirms, northernIreland] : euFirms
      const [country, number, name] = draw.pick<readonly [string, string, string]>(firms)
      const identification = [el('KodUE', country), el('NrVatUE', number)]
      return { ...plain, ...firmAbroad(country, number), name, identification }
    }
    case 'foreign': {
      const [country, name] = draw.pick<readonly [string, string]>(foreignFirms)
      const number = `${country.charCodeAt(0)}${country.charCodeAt(1)}4821`
      const identification = [el('NrID', number)]
      if (draw.chance(80)) identification.unshift(el('KodKraju', country))
      return { ...plain, ...firmAbroad(country, number), name, identification }
    }
    case 'consumer':
      return { ...plain, ...consumer(draw, 'PL'), identification: [el('BrakID', '1')] }
    // Of the country whose rate the special procedure takes.
    case 'consumerAbroad':
      return { ...plain, ...consumer(draw, 'DE'), identification: [el('BrakID', '1')] }
  }
}

/** Podmiot2. A simplified invoice may leave name and address out. */
export function buyerParty(draft: Draft, buyer: Buyer, simplified: boolean): Element {
  const { el, draw, schema } = draft
  const identification = [...buyer.identification]
  if (!simplified) identification.push(el('Nazwa', buyer.name))
  const parts = [el('DaneIdentyfikacyjne', identification)]
  if (!simplified) parts.push(address(draft, 'Adres', buyer.place, buyer.gln))
  if (buyer.letters && !simplified) parts.push(address(draft, 'AdresKoresp', buyer.letters))
  if (draw.chance(30)) parts.push(...contact(draft, buyer))
  if (draw.chance(30)) {
    const { nip, name } = buyer
    const own = seededDraw(seedFrom('customer', draft.seller, nip ?? name))
    parts.push(el('NrKlienta', `K-${own.int(1, 99_999)}`))
  }
  if (schema === 'fa3') {
    parts.push(el('JST', buyer.subUnit ? '1' : '2'), el('GV', buyer.group ? '1' : '2'))
  }
  return el('Podmiot2', parts)
}

/** Podmiot2K: the buyer as the corrected invoice had it, at another address. */
export function formerBuyer(draft: Draft, buyer: Buyer): Element {
  const { el, draw } = draft
  let place = drawPlace(draw, buyer.place.country)
  while (place.street === buyer.place.street) place = drawPlace(draw, buyer.place.country)
  return el('Podmiot2K', [
    el('DaneIdentyfikacyjne', [...buyer.identification, el('Nazwa', buyer.name)]),
    address(draft, 'Adres', place),
  ])
}

/** Podmiot3, as many as the markers of the buyer ask for, and sometimes others beside a firm. */
export function thirdParties(draft: Draft, buyer: Buyer, household: boolean): Element[] {
  const { el, draw, schema } = draft
  const make = (
    role: readonly Element[],
    identification: Element,
    party: Contact,
    share?: string,
  ): Element => {
    const parts = [el('DaneIdentyfikacyjne', [identification, el('Nazwa', party.name)])]
    // FA(2) cannot do without the address.
    if (schema === 'fa2' || draw.chance(70)) {
      parts.push(address(draft, 'Adres', party.place, party.gln))
    }
    if (draw.chance(20)) parts.push(...contact(draft, party))
    parts.push(...role)
    if (share !== undefined) parts.push(el('Udzial', share))
    return el('Podmiot3', parts)
  }
  const firm = (role: readonly Element[], share?: string): Element => {
    const nip = drawUnrelated(draft.seller, () => drawCompany(draw))
    return make(role, el('NIP', nip), firmOf(nip), share)
  }
  const parties: Element[] = []
  if (buyer.subUnit) {
    const unit = el('IDWew', drawInternalId(draw, buyer.nip ?? draft.seller))
    const school = { name: schoolName(draw), place: buyer.place }
    parties.push(make([el('Rola', '8')], unit, school))
  }
  if (buyer.group) parties.push(firm([el('Rola', '10')]))
  if (household) return parties
  if (draw.chance(8)) {
    // No factor (1): the account would be that of a bank.
    const role = draw.pick(
      schema === 'fa3' && buyer.kind === 'domestic'
        ? ([2, 3, 4, 5, 6, 11] as const)
        : ([2, 3, 4, 5, 6] as const),
    )
    const element = [el('Rola', String(role))]
    if (role === 11) parties.push(make(element, el('BrakID', '1'), consumer(draw, 'PL')))
    else parties.push(firm(element, role === 4 ? String(draw.int(10, 50)) : undefined))
  }
  if (draw.chance(2)) parties.push(firm([el('RolaInna', '1'), el('OpisRoli', 'Pośrednik')]))
  return parties
}

/** PodmiotUpowazniony: enforcement authority or bailiff, by RolaPU; a seller at home has no tax representative. */
const authorities = [
  () => 'Naczelnik Urzędu Skarbowego',
  (draw: Draw) => `Komornik Sądowy ${personName(draw)}`,
] as const

export function authorisedParty(draft: Draft): Element {
  const { el, draw } = draft
  const role = draw.int(0, authorities.length - 1)
  return el('PodmiotUpowazniony', [
    el('DaneIdentyfikacyjne', [el('NIP', drawNip(draw)), el('Nazwa', authorities[role]!(draw))]),
    address(draft, 'Adres', drawPlace(draw, 'PL')),
    el('RolaPU', String(role + 1)),
  ])
}
