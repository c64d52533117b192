import type { Draw } from '../draw/draw.ts'
import { goods } from './goods.ts'
import type { Item, Shop, ShopKind } from './item.ts'
import { item } from './item.ts'
import type { RateId } from './rates.ts'
import { services } from './services.ts'
import { usedGoods } from './used-goods.ts'

/** What a seller offers. */

const shops: readonly Shop[] = [...goods, ...usedGoods, ...services]

/** Ordinary rates at home; any other rate decides which shops can sell. */
const ordinary: ReadonlySet<RateId> = new Set(['23', '8', '5', '4'])
/** Rates at home of what is exported. */
const atHome: readonly RateId[] = ['23', '8', '5']
/** Rates of sales abroad, for everything that is exported. */
const ratesAbroad: ReadonlySet<RateId> = new Set(['wdt', 'export', 'oss', 'euService', 'abroad'])

/** Things whose highest price is below this, in grosze, are not paid for in advance. */
const paidAhead = 20_000
export const isPaidAhead = ({ price: [, highest] }: Item): boolean => highest >= paidAhead

/** One thing at one rate. */
export interface Offer {
  readonly item: Item
  readonly rate: RateId
}

function offersOf(shop: Shop, rates: readonly RateId[]): Offer[] {
  return rates.flatMap((rate) => {
    const sold = ratesAbroad.has(rate)
      ? shop.abroad
        ? atHome.flatMap((home) => shop.at[home] ?? [])
        : []
      : (shop.at[rate] ?? [])
    return sold.map((each) => ({ item: each, rate }))
  })
}

export interface ShopWanted {
  readonly kind: ShopKind
  readonly rates: readonly RateId[]
  /** Over the counter. */
  readonly retail: boolean
  /** Paid for in part before it is supplied. */
  readonly advance: boolean
}

/** The shops that sell such things at these rates. */
export function shopsFor({ kind, rates, retail, advance }: ShopWanted): readonly Shop[] {
  const particular = rates.filter((rate) => !ordinary.has(rate))
  const wanted = particular.length > 0 ? particular : rates
  return shops.filter(
    (shop) =>
      shop.kind === kind &&
      (kind !== 'goods' || !retail || shop.retail === true) &&
      (!advance || shop.advances === true) &&
      offersOf(shop, rates).some(
        ({ item: sold, rate }) => wanted.includes(rate) && (!advance || isPaidAhead(sold)),
      ),
  )
}

/** What a shop offers at these rates, in random order; a thing with two rates appears once. */
export function drawOffers(draw: Draw, shop: Shop, rates: readonly RateId[]): readonly Offer[] {
  const left = offersOf(shop, rates)
  const offers: Offer[] = []
  while (left.length > 0) {
    const [next] = left.splice(draw.int(0, left.length - 1), 1)
    if (next && !offers.some((other) => other.item === next.item)) offers.push(next)
  }
  return offers
}

/** Means of transport that are new when they are sold to another member state: car, boat and aircraft. */
export const newVehicles = {
  car: item('Samochód osobowy', 'szt.', [6_000_000, 18_000_000], { cn: '8703 23 19' }),
  boat: item('Jacht motorowy', 'szt.', [20_000_000, 90_000_000], { cn: '8903 32 10' }),
  aircraft: item('Samolot dwumiejscowy', 'szt.', [30_000_000, 99_000_000], { cn: '8802 20 00' }),
} as const satisfies Readonly<Record<string, Item>>
export type VehicleKind = keyof typeof newVehicles
