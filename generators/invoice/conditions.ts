import type { Element } from '../schema/document.ts'
import { addDays, workday, workdayAfter } from './dates.ts'
import type { Delivery } from './delivery.ts'
import type { Draft } from './draft.ts'
import { drawCompany, firmOf } from './firms.ts'
import { loads } from './item.ts'
import { address } from './party.ts'
import { deliveryTown } from './places.ts'

/** WarunkiTransakcji: contracts, orders, delivery, transport; undefined where there is nothing to say. */
export function conditions(draft: Draft, delivery: Delivery): Element | undefined {
  const { el, draw, seller } = draft
  const { transport, goods, byContract, agreed, since, household, to } = delivery
  const parts: Element[] = []
  const ordered = agreed.includes('order')
  if (agreed.includes('contract') && !household && (!ordered || draw.chance(40))) {
    parts.push(
      el('Umowy', [
        el('DataUmowy', workday(addDays(since, -draw.int(60, 900)))),
        el('NrUmowy', `U/${draw.int(1, 999)}`),
      ]),
    )
  }
  if (ordered && (parts.length === 0 || draw.chance(60))) {
    parts.push(
      el('Zamowienia', [
        el(
          'DataZamowienia',
          workday(addDays(since, -draw.int(household ? 1 : 3, household ? 5 : 40))),
        ),
        el('NrZamowienia', `ZAM-${draw.int(1, 99_999)}`),
      ]),
    )
  }
  if (goods && ordered && draw.chance(15)) parts.push(el('NrPartiiTowaru', `P${draw.int(1, 9999)}`))
  if (transport !== undefined || (goods && !household && ordered && draw.chance(10))) {
    const from = firmOf(seller).issuesIn
    const there = deliveryTown(to)
    const terms =
      transport !== undefined ? [`CPT ${there}`, `DAP ${there}`] : [`EXW ${from}`, `FCA ${from}`]
    parts.push(el('WarunkiDostawy', draw.pick(terms)))
  }
  if (byContract && draw.chance(5)) {
    parts.push(el('KursUmowny', `4.${draw.int(20, 35)}`), el('WalutaUmowna', 'EUR'))
  }
  if (transport !== undefined) parts.push(transportLeg(draft, transport, delivery))
  return parts.length > 0 ? el('WarunkiTransakcji', parts) : undefined
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

function transportLeg(
  draft: Draft,
  left: string,
  { to, loads: possibleLoads, light, household }: Delivery,
): Element {
  const { el, draw, seller } = draft
  const from = firmOf(seller).place
  const byBicycle = household && to.town === from.town && draw.chance(30)
  const possible = Object.entries(ways[to.country] ?? {}) as [keyof typeof modes, number][]
  const [way, days] = draw.pick(
    possible.filter(([each]) => (light || each !== 'air') && (household || each !== 'post')),
  )
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
  const load = draw.pick(possibleLoads)
  const described =
    loads[load] === undefined
      ? [el('LadunekInny', '1'), el('OpisInnegoLadunku', 'luzem')]
      : [
          el('OpisLadunku', loads[load]),
          ...(load === 'pallet' ? [el('JednostkaOpakowania', 'paleta EUR')] : []),
        ]
  const arrived = workdayAfter(addDays(left, byBicycle || to.town === from.town ? 0 : days))
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
