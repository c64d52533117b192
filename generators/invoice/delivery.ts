import type { Agreement, Load, Shop } from './item.ts'
import type { Line } from './lines.ts'
import type { Buyer } from './party.ts'
import type { Place } from './places.ts'
import type { Plan } from './plan.ts'

/** What is handed over for an invoice, how it travels, and what was agreed before. */

export interface Delivery {
  /** The day on which goods leave for the buyer; undefined where nothing is carried. */
  readonly transport: string | undefined
  readonly goods: boolean
  /** Another currency may have been agreed on. */
  readonly byContract: boolean
  /** Before this day all was agreed. */
  readonly since: string
  /** What was agreed; empty where everything happened on the spot. */
  readonly agreed: readonly Agreement[]
  /** A household bought it: what it orders comes within days. */
  readonly household: boolean
  /** What it is loaded in. */
  readonly loads: readonly Load[]
  /** All of it comes in pieces, as what is flown. */
  readonly light: boolean
  /** Where the buyer is. */
  readonly to: Place
}

/** Goods that are handed over, and can be carried. */
export const handsOver = (plan: Plan, shop: Shop) => plan.goods && !shop.uncarried

/** What is handed over, and whether it is carried. */
export function deliveryOf(
  plan: Plan,
  buyer: Buyer,
  facts: {
    readonly left: string | undefined
    readonly since: string
    readonly delivers: boolean
    readonly lines: readonly Line[]
    readonly shop: Shop
  },
): Delivery {
  const household = isHousehold(plan, buyer)
  return {
    transport: facts.left,
    since: facts.since,
    goods: facts.delivers && handsOver(plan, facts.shop),
    byContract: plan.currency === 'PLN' && !household && facts.shop.agreed.includes('contract'),
    agreed: facts.shop.agreed,
    household,
    loads: household ? ['parcel', 'carton'] : (facts.shop.loads ?? ['pallet', 'packaging']),
    light: facts.lines.every(({ unit }) => unit === 'szt.'),
    to: buyer.place,
  }
}

/** A person, or a firm that buys over the counter. */
export const isHousehold = ({ profile }: Pick<Plan, 'profile'>, { kind }: Pick<Buyer, 'kind'>) =>
  profile === 'retail' || kind.startsWith('consumer')
