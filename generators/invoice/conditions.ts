import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { drawCompany, firmOf } from './firms.ts'
import { address } from './party.ts'
import type { Place } from './places.ts'
import { deliveryTown, placeIn } from './places.ts'

export interface Delivery {
  /** Goods that are carried to the buyer. */
  readonly transport: boolean
  readonly goods: boolean
  readonly currency: string
  /** Where the buyer is. */
  readonly to: Place
}

/** Days before the day of issue on which all was agreed: before any supply, payment or corrected invoice. */
const agreedBefore = (kind: Draft['kind']) => (kind.startsWith('KOR') ? 320 : 20)

/** WarunkiTransakcji: contracts, orders, delivery, transport. */
export function conditions(draft: Draft, delivery: Delivery): Element {
  const { el, draw, issueDate, kind, seller } = draft
  const { transport, goods, currency, to } = delivery
  const agreed = agreedBefore(kind)
  const parts: Element[] = []
  if (draw.chance(40)) {
    parts.push(
      el('Umowy', [
        el('DataUmowy', addDays(issueDate, -agreed - draw.int(60, 900))),
        el('NrUmowy', `U/${draw.int(1, 999)}`),
      ]),
    )
  }
  // Conditions without any would be valid, and say nothing.
  if (draw.chance(60) || parts.length === 0) {
    parts.push(
      el('Zamowienia', [
        el('DataZamowienia', addDays(issueDate, -agreed - draw.int(0, 40))),
        el('NrZamowienia', `ZAM-${draw.int(1, 99_999)}`),
      ]),
    )
  }
  if (goods && draw.chance(15)) parts.push(el('NrPartiiTowaru', `P${draw.int(1, 9999)}`))
  if (transport || (goods && draw.chance(10))) {
    const from = firmOf(seller).issuesIn
    const there = deliveryTown(to)
    const terms = transport ? [`CPT ${there}`, `DAP ${there}`] : [`EXW ${from}`, `FCA ${from}`]
    parts.push(el('WarunkiDostawy', draw.pick(terms)))
  }
  if (currency === 'PLN' && draw.chance(5)) {
    parts.push(el('KursUmowny', '4.25'), el('WalutaUmowna', 'EUR'))
  }
  if (transport) parts.push(transportLeg(draft, to))
  return el('WarunkiTransakcji', parts)
}

/** Modes of transport (RodzajTransportu), and the days that each takes. */
const modes = {
  road: ['3', 1],
  rail: ['2', 3],
  post: ['5', 2],
  air: ['4', 1],
  sea: ['1', 24],
} as const
type Mode = keyof typeof modes

/** Which of them lead to a country; by road and rail where none is named. */
const ways: Readonly<Record<string, readonly Mode[]>> = {
  PL: ['road', 'post'],
  US: ['sea', 'air'],
  JP: ['sea', 'air'],
  GB: ['road', 'air'],
  XI: ['road', 'air'],
  NO: ['road', 'sea'],
}

/** OpisLadunku: collective packaging, bundle, pallet. */
const loads = ['10', '12', '13'] as const

function transportLeg(draft: Draft, to: Place): Element {
  const { el, draw, issueDate, seller } = draft
  const byBicycle = to.country === 'PL' && draw.chance(10)
  const [code, days] = modes[draw.pick<Mode>(ways[to.country] ?? ['road', 'rail'])]
  const mode = byBicycle
    ? [el('TransportInny', '1'), el('OpisInnegoTransportu', 'rower towarowy')]
    : [el('RodzajTransportu', code)]
  const carrier = (): Element => {
    const nip = drawCompany(draw)
    const { name, place } = firmOf(nip)
    const identification = [el('NIP', nip), el('Nazwa', name)]
    return el('Przewoznik', [
      el('DaneIdentyfikacyjne', identification),
      address(draft, 'AdresPrzewoznika', place),
    ])
  }
  const load = draw.chance(10)
    ? [el('LadunekInny', '1'), el('OpisInnegoLadunku', 'luzem')]
    : [el('OpisLadunku', draw.pick(loads))]
  const left = addDays(issueDate, -1)
  const arrived = addDays(left, byBicycle ? 0 : days)
  return el('Transport', [
    ...mode,
    ...(draw.chance(50) ? [carrier()] : []),
    ...(draw.chance(40) ? [el('NrZleceniaTransportu', `T-${draw.int(1, 9999)}`)] : []),
    ...load,
    ...(draw.chance(30) ? [el('JednostkaOpakowania', 'paleta EUR')] : []),
    el('DataGodzRozpTransportu', `${left}T0${draw.int(5, 9)}:00:00Z`),
    el('DataGodzZakTransportu', `${arrived}T1${draw.int(3, 9)}:30:00+02:00`),
    address(draft, 'WysylkaZ', placeIn(draw, firmOf(seller).issuesIn)),
    address(draft, 'WysylkaDo', to),
  ])
}
