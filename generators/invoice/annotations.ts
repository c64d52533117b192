import type { Element } from '../xsd/document.ts'
import type { Cents } from '../arbitraries/money.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Line } from './lines.ts'

/** Above this total, items of annex 15 make split payment a duty. */
const splitPaymentFrom: Cents = 1_500_000n

export interface AnnotationFacts {
  readonly lines: readonly Line[]
  readonly total: Cents
  readonly goods: boolean
  readonly selfBilling: boolean
  /** In the currency of the invoice; the threshold is in PLN. */
  readonly foreignCurrency: boolean
  /** The vehicle of the first line goes to another EU country. */
  readonly newVehicle: boolean
}

/** Second-hand goods, works of art, collectors' items and antiques; travel agents have a flag of their own. */
const marginGoods = ['P_PMarzy_3_1', 'P_PMarzy_3_2', 'P_PMarzy_3_3'] as const

const flag = (on: boolean) => (on ? '1' : '2')

/** Adnotacje: each flag agrees with the lines. */
export function annotations(draft: Draft, facts: AnnotationFacts): Element {
  const { el, draw } = draft
  const { lines } = facts
  const has = (...wanted: readonly string[]) => lines.some((line) => wanted.includes(line.rate))
  const split =
    !facts.foreignCurrency && facts.total > splitPaymentFrom && lines.some((line) => line.annex15)
  const exemption = has('exempt')
    ? [
        el('P_19', '1'),
        draw.pick([
          el('P_19A', 'art. 43 ust. 1 ustawy'),
          el('P_19B', 'art. 132 dyrektywy 2006/112/WE'),
          el('P_19C', 'inna podstawa'),
        ]),
      ]
    : [el('P_19N', '1')]
  const margin = has('margin')
    ? [el('P_PMarzy', '1'), el(facts.goods ? draw.pick(marginGoods) : 'P_PMarzy_2', '1')]
    : [el('P_PMarzyN', '1')]
  return el('Adnotacje', [
    el('P_16', flag(draw.chance(4))),
    el('P_17', flag(facts.selfBilling)),
    el('P_18', flag(has('reverse', 'euService'))),
    el('P_18A', flag(split)),
    el('Zwolnienie', exemption),
    el('NoweSrodkiTransportu', facts.newVehicle ? newVehicle(draft) : [el('P_22N', '1')]),
    el('P_23', '2'),
    el('PMarzy', margin),
  ])
}

function newVehicle(draft: Draft): Element[] {
  const { el, draw, issueDate } = draft
  const kind = draw.pick([
    [
      el('P_22B', `${draw.int(1, 5999)} km`),
      el('P_22B1', `VF1ABC${draw.int(1_000_000, 9_999_999)}`),
    ],
    [el('P_22C', `${draw.int(1, 99)} h`), el('P_22C1', `K-${draw.int(1, 999)}`)],
    [el('P_22D', `${draw.int(1, 39)} h`), el('P_22D1', `SN-${draw.int(1, 999)}`)],
  ])
  return [
    el('P_22', '1'),
    el('P_42_5', flag(draw.chance(30))),
    el('NowySrodekTransportu', [
      el('P_22A', addDays(issueDate, -draw.int(1, 150))),
      el('P_NrWierszaNST', '1'),
      el('P_22BMK', 'Żubr'),
      el('P_22BMD', `A${draw.int(1, 20)}`),
      ...kind,
    ]),
  ]
}
