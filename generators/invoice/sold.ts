import { drawOffers, isPaidAhead, newVehicles } from './offers.ts'
import type { VehicleKind } from './offers.ts'
import type { Draft } from './draft.ts'
import type { Line } from './lines.ts'
import { drawHabits, drawLine } from './lines.ts'
import type { Plan } from './plan.ts'
import { isPrepaid } from './plan.ts'
import type { ExchangeRate } from './rates.ts'
import { inCurrency } from './rates.ts'

/** The lines of an invoice. */

/** What all lines of a simplified invoice may come to without tax: with any tax it stays below 450 PLN. */
const simplifiedNet = 36_000

function drawLines(draft: Draft, plan: Plan, exchange: ExchangeRate): Line[] {
  const { draw } = draft
  const simplified = plan.kind === 'UPR'
  const toConsumer = plan.buyer.startsWith('consumer')
  const retail = plan.profile === 'retail' || toConsumer
  const upTo = simplified ? Math.max(1, Math.floor(simplifiedNet / plan.lines)) : undefined
  const all = drawOffers(draw, plan.shop, plan.rates)
  const advance = isPrepaid(plan.kind)
  const fitting = all.filter(
    ({ item: sold }) =>
      (toConsumer || !sold.personal) &&
      (upTo === undefined
        ? !advance || isPaidAhead(sold)
        : sold.price[0] * (sold.min ?? 1) <= upTo),
  )
  const style = {
    gross: plan.gross,
    goods: plan.goods,
    retail,
    freight: plan.goods && !retail && !simplified && (plan.euTrade || plan.transport),
    taxable: !toConsumer,
    rebated: plan.kind !== 'ZAL' && plan.kind !== 'KOR_ZAL' && plan.shop.continuous !== true,
    bare: plan.lines > 200 || plan.sparse,
    minimal: plan.profile === 'ten-thousand-lines',
    exchange,
    habits: drawHabits(draw),
    ...(upTo !== undefined && { upTo }),
  }
  const offers = fitting.length > 0 ? fitting : all
  // Unless the number of lines was requested, at most one for each thing that the seller has.
  const count = plan.linesAsked ? plan.lines : Math.min(plan.lines, offers.length)
  return Array.from({ length: count }, (_, i) => drawLine(draft, offers, i + 1, style))
}

/** A vehicle in place of the first thing sold. */
function withVehicle(
  draft: Draft,
  lines: readonly Line[],
  kind: VehicleKind,
  exchange: ExchangeRate,
): Line[] {
  const [first, ...others] = lines
  if (!first) return []
  const { name, unit, price, cn = '' } = newVehicles[kind]
  const vehicle = {
    ...first,
    name,
    unit,
    quantity: 1n,
    quantityScale: 0,
    price: inCurrency(BigInt(draft.draw.int(...price)), exchange),
    priceScale: 2,
    discount: 0n,
    annex15: false,
    item: newVehicles[kind],
    codes: { cn },
  }
  return [vehicle, ...others]
}

/** What is sold: the lines, and the vehicle that goes new to another member state, where the first is one. */
export function drawSold(draft: Draft, plan: Plan, exchange: ExchangeRate) {
  const { draw, kind } = draft
  const newVehicle =
    plan.rates.includes('wdt') && plan.goods && kind === 'VAT' && !plan.sparse && draw.chance(6)
      ? draw.pick(['car', 'boat', 'aircraft'] as const)
      : undefined
  const drawn = drawLines(draft, plan, exchange)
  if (newVehicle === undefined) return { lines: drawn, newVehicle }
  const first = plan.linesAsked ? drawn : drawn.slice(0, 1)
  return { lines: withVehicle(draft, first, newVehicle, exchange), newVehicle }
}
