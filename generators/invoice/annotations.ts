import type { Element } from '../schema/document.ts'
import type { Cents } from '../../lib/decimal.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { firmOf } from './firms.ts'
import type { VehicleKind } from './offers.ts'
import type { Line } from './lines.ts'
import type { ExchangeRate } from './rates.ts'
import { convert, rates } from './rates.ts'

/** Above this total in PLN, items of annex 15 make split payment a duty, and firms may not pay in cash. */
const largeFrom: Cents = 1_500_000n

/** Whether a total is above that limit. */
export const isLarge = (total: Cents, exchange: ExchangeRate): boolean =>
  (exchange === undefined ? total : convert(total, exchange)) > largeFrom

export interface AnnotationFacts {
  readonly lines: readonly Line[]
  readonly total: Cents
  readonly goods: boolean
  readonly selfBilling: boolean
  /** To compare the total with a limit in PLN. */
  readonly exchange: ExchangeRate
  /** What the first line is about, where it goes to another EU country. */
  readonly newVehicle: VehicleKind | undefined
}

/** The exemption where nothing more specific is known. */
const generalExemption = { act: 'art. 43 ust. 1', directive: 'art. 132' } as const

const flag = (on: boolean) => (on ? '1' : '2')

/** Adnotacje: each flag agrees with the lines. */
export function annotations(draft: Draft, facts: AnnotationFacts): Element {
  const { el, draw } = draft
  const { lines } = facts
  const has = (...wanted: readonly string[]) => lines.some((line) => wanted.includes(line.rate))
  const split = isLarge(facts.total, facts.exchange) && lines.some((line) => line.annex15)
  const taxed = lines.some(({ rate }) => rates[rate].percent > 0n)
  const basis = lines.find(({ item }) => item?.exempt)?.item?.exempt ?? generalExemption
  const exemption = has('exempt')
    ? [
        el('P_19', '1'),
        draw.chance(75)
          ? el('P_19A', `${basis.act} ustawy`)
          : el('P_19B', `${basis.directive} dyrektywy 2006/112/WE`),
      ]
    : [el('P_19N', '1')]
  const scheme =
    lines.find(({ item }) => item?.margin !== undefined)?.item?.margin ??
    (facts.goods ? 'P_PMarzy_3_1' : 'P_PMarzy_2')
  const margin = has('margin') ? [el('P_PMarzy', '1'), el(scheme, '1')] : [el('P_PMarzyN', '1')]
  return el('Adnotacje', [
    // Tax that is due on payment must be due.
    el('P_16', flag(taxed && firmOf(draft.seller).cashMethod)),
    el('P_17', flag(facts.selfBilling)),
    el('P_18', flag(has('reverse', 'euService'))),
    el('P_18A', flag(split)),
    el('Zwolnienie', exemption),
    el(
      'NoweSrodkiTransportu',
      facts.newVehicle ? newVehicle(draft, facts.newVehicle) : [el('P_22N', '1')],
    ),
    el('P_23', '2'),
    el('PMarzy', margin),
  ])
}

function newVehicle(draft: Draft, vehicle: VehicleKind): Element[] {
  const { el, draw, issueDate } = draft
  const used = {
    car: () => [
      el('P_22B', `${draw.int(1, 5999)} km`),
      // Seventeen characters, as vehicles have.
      el('P_22B1', `SUZABCD0E${draw.int(10_000_000, 99_999_999)}`),
    ],
    boat: () => [el('P_22C', `${draw.int(1, 99)} h`), el('P_22C1', `K-${draw.int(1, 999)}`)],
    aircraft: () => [el('P_22D', `${draw.int(1, 39)} h`), el('P_22D1', `SN-${draw.int(1, 999)}`)],
  }
  return [
    el('P_22', '1'),
    el('P_42_5', flag(draw.chance(30))),
    el('NowySrodekTransportu', [
      el('P_22A', addDays(issueDate, -draw.int(1, 150))),
      el('P_NrWierszaNST', '1'),
      el('P_22BMK', 'Żubr'),
      el('P_22BMD', `A${draw.int(1, 20)}`),
      ...used[vehicle](),
    ]),
  ]
}
