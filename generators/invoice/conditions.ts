import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { address } from './party.ts'
import { firmName } from './text.ts'

export interface Delivery {
  /** Goods that are carried to the buyer. */
  readonly transport: boolean
  readonly goods: boolean
  readonly currency: string
  /** Country of the buyer. */
  readonly country: string
}

/** WarunkiTransakcji: contracts, orders, delivery, transport. */
export function conditions(
  draft: Draft,
  { transport, goods, currency, country }: Delivery,
): Element {
  const { el, draw, issueDate } = draft
  const parts: Element[] = []
  if (draw.chance(40)) {
    parts.push(
      el('Umowy', [
        el('DataUmowy', addDays(issueDate, -draw.int(30, 900))),
        el('NrUmowy', `U/${draw.int(1, 999)}`),
      ]),
    )
  }
  // Conditions without any would be valid, and say nothing.
  if (draw.chance(60) || parts.length === 0) {
    parts.push(
      el('Zamowienia', [
        el('DataZamowienia', addDays(issueDate, -draw.int(1, 60))),
        el('NrZamowienia', `ZAM-${draw.int(1, 99_999)}`),
      ]),
    )
  }
  if (goods && draw.chance(15)) parts.push(el('NrPartiiTowaru', `P${draw.int(1, 9999)}`))
  if (transport || (goods && draw.chance(10))) {
    parts.push(el('WarunkiDostawy', draw.pick(['EXW', 'FCA', 'CPT', 'DAP', 'EXW Łódź'])))
  }
  if (currency === 'PLN' && draw.chance(5)) {
    parts.push(el('KursUmowny', '4.25'), el('WalutaUmowna', 'EUR'))
  }
  if (transport) parts.push(transportLeg(draft, country))
  return el('WarunkiTransakcji', parts)
}

function transportLeg(draft: Draft, country: string): Element {
  const { el, draw, issueDate } = draft
  const mode = draw.chance(10)
    ? [el('TransportInny', '1'), el('OpisInnegoTransportu', 'dron')]
    : [el('RodzajTransportu', draw.pick(['1', '2', '3', '4', '5', '7', '8']))]
  const carrier = draw.chance(50)
    ? [
        el('Przewoznik', [
          el('DaneIdentyfikacyjne', [el('BrakID', '1'), el('Nazwa', firmName(draw))]),
          address(draft, 'AdresPrzewoznika'),
        ]),
      ]
    : []
  const load = draw.chance(10)
    ? [el('LadunekInny', '1'), el('OpisInnegoLadunku', 'luzem')]
    : [el('OpisLadunku', String(draw.int(1, 20)))]
  return el('Transport', [
    ...mode,
    ...carrier,
    ...(draw.chance(40) ? [el('NrZleceniaTransportu', `T-${draw.int(1, 9999)}`)] : []),
    ...load,
    ...(draw.chance(30) ? [el('JednostkaOpakowania', 'paleta EUR')] : []),
    el('DataGodzRozpTransportu', `${addDays(issueDate, -1)}T0${draw.int(5, 9)}:00:00Z`),
    el('DataGodzZakTransportu', `${issueDate}T1${draw.int(0, 9)}:30:00+02:00`),
    address(draft, 'WysylkaZ'),
    address(draft, 'WysylkaDo', country),
  ])
}
