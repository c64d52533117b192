import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { drawCompany, firmOf } from './firms.ts'
import { address } from './party.ts'
import type { Place } from './places.ts'
import { deliveryTown } from './places.ts'

export interface Delivery {
  /** The day on which goods leave for the buyer; undefined where nothing is carried. */
  readonly transport: string | undefined
  readonly goods: boolean
  /** Another currency may have been agreed on. */
  readonly byContract: boolean
  /** All of it comes in pieces, as what is flown. */
  readonly light: boolean
  /** Where the buyer is. */
  readonly to: Place
}

/** Days before the day of issue on which all was agreed: before any supply, payment or corrected invoice. */
const agreedBefore = (kind: Draft['kind']) => (kind.startsWith('KOR') ? 320 : 20)

/** WarunkiTransakcji: contracts, orders, delivery, transport. */
export function conditions(draft: Draft, delivery: Delivery): Element {
  const { el, draw, issueDate, kind, seller } = draft
  const { transport, goods, byContract, to } = delivery
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
  if (transport !== undefined || (goods && draw.chance(10))) {
    const from = firmOf(seller).issuesIn
    const there = deliveryTown(to)
    const terms =
      transport !== undefined ? [`CPT ${there}`, `DAP ${there}`] : [`EXW ${from}`, `FCA ${from}`]
    parts.push(el('WarunkiDostawy', draw.pick(terms)))
  }
  if (byContract && draw.chance(5)) {
    parts.push(el('KursUmowny', '4.25'), el('WalutaUmowna', 'EUR'))
  }
  if (transport !== undefined) parts.push(transportLeg(draft, transport, delivery))
  return el('WarunkiTransakcji', parts)
}

/** RodzajTransportu. */
const modes = { sea: '1', rail: '2', road: '3', air: '4', post: '5' } as const
type Ways = Readonly<Partial<Record<keyof typeof modes, number>>>

/** The ways to a country, and the days that each takes. */
const ways: Readonly<Record<string, Ways>> = {
  PL: { road: 1, post: 2 },
  AT: { road: 1 },
  CH: { road: 2 },
  CZ: { road: 1 },
  DE: { road: 1 },
  FR: { road: 2 },
  GB: { road: 3 },
  GR: { road: 4, sea: 12 },
  IT: { road: 2 },
  JP: { sea: 40, air: 2 },
  NL: { road: 2 },
  NO: { road: 3, sea: 4 },
  UA: { road: 2, rail: 3 },
  US: { sea: 24, air: 2 },
  XI: { road: 4 },
}

/** OpisLadunku. */
const loads = { packaging: '10', bundle: '12', pallet: '13' } as const

function transportLeg(draft: Draft, left: string, { to, light }: Delivery): Element {
  const { el, draw, seller } = draft
  const from = firmOf(seller).place
  const byBicycle = to.town === from.town && draw.chance(30)
  const possible = Object.entries(ways[to.country] ?? {}) as [keyof typeof modes, number][]
  const [way, days] = draw.pick(possible.filter(([each]) => light || each !== 'air'))
  const mode = byBicycle
    ? [el('TransportInny', '1'), el('OpisInnegoTransportu', 'rower towarowy')]
    : [el('RodzajTransportu', modes[way])]
  const carrier = (): Element => {
    const nip = drawCompany(draw)
    const { name, place } = firmOf(nip)
    const identification = [el('NIP', nip), el('Nazwa', name)]
    return el('Przewoznik', [
      el('DaneIdentyfikacyjne', identification),
      address(draft, 'AdresPrzewoznika', place),
    ])
  }
  const load = draw.pick(Object.values(loads))
  const described = draw.chance(10)
    ? [el('LadunekInny', '1'), el('OpisInnegoLadunku', 'luzem')]
    : [
        el('OpisLadunku', load),
        ...(load === loads.pallet ? [el('JednostkaOpakowania', 'paleta EUR')] : []),
      ]
  const arrived = addDays(left, byBicycle || to.town === from.town ? 0 : days)
  const offset = draw.pick(['Z', /-(0[4-9]|10)-/.test(left) ? '+02:00' : '+01:00'])
  return el('Transport', [
    ...mode,
    ...(draw.chance(50) ? [carrier()] : []),
    ...(draw.chance(40) ? [el('NrZleceniaTransportu', `T-${draw.int(1, 9999)}`)] : []),
    ...described,
    el('DataGodzRozpTransportu', `${left}T0${draw.int(5, 9)}:00:00${offset}`),
    el('DataGodzZakTransportu', `${arrived}T1${draw.int(3, 9)}:30:00${offset}`),
    address(draft, 'WysylkaZ', from),
    address(draft, 'WysylkaDo', to),
  ])
}
