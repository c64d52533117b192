import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Shop, ShopKind } from './item.ts'
import { shopsFor } from './offers.ts'
import type { BuyerKind } from './party.ts'
import type { InvoiceKind, InvoiceOptions, ProfileId } from './options.ts'
import { InvoiceOptionsError } from './options.ts'
import type { ExchangeRate, RateId } from './rates.ts'

/** What a trade is: who buys, at which rates, whether goods move. */
interface Trade {
  readonly buyers: readonly BuyerKind[]
  readonly rates: readonly RateId[]
  readonly goods: boolean
  /** Parts of a building. */
  readonly works?: true
}

const trades = {
  domestic: { buyers: ['domestic', 'consumer'], rates: ['23', '8', '5'], goods: true },
  services: { buyers: ['domestic'], rates: ['23', '8'], goods: false },
  building: { buyers: ['domestic'], rates: ['23', '8'], goods: false, works: true },
  taxi: { buyers: ['domestic', 'consumer'], rates: ['4'], goods: false },
  exempt: { buyers: ['domestic', 'consumer'], rates: ['exempt', '23'], goods: false },
  zero: { buyers: ['domestic'], rates: ['zero', '23'], goods: true },
  reverse: { buyers: ['domestic'], rates: ['reverse'], goods: true },
  margin: { buyers: ['consumer', 'domestic'], rates: ['margin'], goods: true },
  wdt: { buyers: ['eu'], rates: ['wdt'], goods: true },
  export: { buyers: ['foreign'], rates: ['export'], goods: true },
  euService: { buyers: ['eu'], rates: ['euService'], goods: false },
  abroad: { buyers: ['foreign'], rates: ['abroad'], goods: false },
  travel: { buyers: ['consumer', 'domestic'], rates: ['margin'], goods: false },
  oss: { buyers: ['consumerAbroad'], rates: ['oss'], goods: true },
} as const satisfies Record<string, Trade>
type TradeId = keyof typeof trades

const byProfile: Readonly<Record<ProfileId, readonly TradeId[]>> = {
  // The commonest thrice, so that a corpus is not all exceptions.
  general: ['domestic', 'domestic', 'services', ...(Object.keys(trades) as TradeId[])],
  retail: ['domestic', 'domestic', 'domestic', 'margin'],
  services: ['services', 'services', 'services', 'exempt', 'euService'],
  'construction-advance': ['building'],
  'export-eur': ['wdt', 'export', 'wdt'],
  'ten-thousand-lines': ['domestic'],
}

/** Rates of exchange around which the currency has been for years, in 10^-4 PLN. */
const exchangeRates = { EUR: 42_800, USD: 37_600, GBP: 49_800, CHF: 45_400, CZK: 1_730 } as const
type ForeignCurrency = keyof typeof exchangeRates
/** Currencies that firms of a country pay in; those of any other pay in euro. */
const paidIn: Readonly<Record<string, readonly ForeignCurrency[]>> = {
  PL: ['EUR', 'USD'],
  CZ: ['EUR', 'CZK'],
  GB: ['GBP', 'EUR'],
  XI: ['GBP', 'EUR'],
  CH: ['CHF', 'EUR'],
  UA: ['EUR', 'USD'],
  US: ['USD'],
  JP: ['USD', 'EUR'],
}

/** The currency of an invoice: that of the profile, else one that its buyer pays in. */
export function drawCurrency(draw: Draw, plan: Plan, country: string): Plan['currency'] {
  if (plan.profile === 'export-eur') return 'EUR'
  // A seller without sales abroad, and a seller to a household at home, is paid in the domestic currency.
  const abroad = country !== 'PL'
  const foreign =
    plan.profile === 'general' &&
    plan.kind !== 'UPR' &&
    plan.buyer !== 'consumer' &&
    (abroad || plan.shop.abroad === true) &&
    draw.chance(plan.buyer === 'consumerAbroad' ? 95 : abroad ? 60 : 5)
  return foreign ? draw.pick(paidIn[country] ?? ['EUR']) : 'PLN'
}

/** The exchange rate of a currency on a day, in 10^-4 PLN; undefined for PLN. It varies by month, and a bit by day. */
export function exchangeOn(date: string, currency: Plan['currency']): ExchangeRate {
  if (currency === 'PLN') return undefined
  const rate = exchangeRates[currency]
  const moved = (period: string, max: number) =>
    (rate * seededDraw(seedFrom('exchange', currency, period)).int(-max, max)) / 1e5
  return BigInt(Math.round(rate + moved(date.slice(0, 7), 1_200) + moved(date, 400)))
}

/** The decisions that come before any element. */
export interface Plan {
  readonly profile: ProfileId
  readonly kind: InvoiceKind
  readonly buyer: BuyerKind
  readonly rates: readonly RateId[]
  readonly goods: boolean
  readonly works: boolean
  /** They are works on homes, at the lower rate. */
  readonly homes: boolean
  readonly gross: boolean
  readonly lines: number
  /** The number of lines was asked for. */
  readonly linesAsked: boolean
  /** Known once the buyer is. */
  readonly currency: ForeignCurrency | 'PLN'
  readonly paid: boolean
  readonly transport: boolean
  /** Trade with another country: prefix and EORI number of the seller. */
  readonly euTrade: boolean
  /** Only what is needed. */
  readonly sparse: boolean
  /** The seller's shop, one of those that sell such things at these rates. */
  readonly shop: Shop
}

const typicalLines: Readonly<Record<ProfileId, readonly [number, number]>> = {
  general: [1, 8],
  retail: [2, 12],
  services: [1, 4],
  'construction-advance': [2, 6],
  'export-eur': [1, 6],
  'ten-thousand-lines': [10_000, 10_000],
}

/** Rows of orders and marks of corrections take so much that fewer fit into a million bytes. */
function maxLines(kind: InvoiceKind): readonly [number, number] {
  if (kind === 'ZAL' || kind === 'KOR_ZAL') return [4_000, 4_000]
  return kind.startsWith('KOR') ? [9_000, 9_000] : [10_000, 10_000]
}

function drawKind(draw: Draw, { kind, profile }: InvoiceOptions): InvoiceKind {
  if (kind !== undefined) return kind
  if (profile === 'construction-advance') return 'ZAL'
  if (profile !== 'general' || draw.chance(55)) return 'VAT'
  return draw.pick(['KOR', 'KOR', 'ZAL', 'ROZ', 'UPR', 'KOR_ZAL', 'KOR_ROZ'])
}

/** Whether a part was paid before the supply: of an advance, of what settles it, and of a correction of both. */
export const isPrepaid = (kind: InvoiceKind): boolean =>
  kind.includes('ZAL') || kind.endsWith('ROZ')

/** The kind of shop that sells in a trade. */
const shopKind = ({ goods, works }: Pick<Trade, 'goods'> & { works?: boolean }): ShopKind =>
  works ? 'works' : goods ? 'goods' : 'services'

/** Whether any shop of a trade takes advances, from each of its buyers. */
const takesAdvances = (trade: Trade): boolean =>
  shopsFor({
    kind: shopKind(trade),
    rates: trade.rates,
    retail: trade.buyers.some((buyer) => buyer.startsWith('consumer')),
    advance: true,
  }).length > 0

/** Whether a firm in another country buys. */
const isEuTrade = (buyer: BuyerKind) => buyer === 'eu' || buyer === 'foreign'

export function drawPlan(draw: Draw, options: InvoiceOptions, sparse: boolean): Plan {
  const profile = options.profile ?? 'general'
  const kind = drawKind(draw, options)
  const advance = kind === 'ZAL' || kind === 'KOR_ZAL'
  const needsNip = options.buyer !== undefined || kind === 'UPR'
  const possible = byProfile[profile].filter((id) => {
    const { buyers, rates, works } = trades[id] as Trade
    if (needsNip && !buyers.includes('domestic')) return false
    if (isPrepaid(kind) && !takesAdvances(trades[id])) return false
    // Margin has no net prices, the foreign rate no code: neither fits the rows of an order. What says no more than
    // its total is not sold at a margin either.
    if (rates.includes('margin')) return !advance && kind !== 'UPR'
    // No invoice is issued for an advance on an intra-EU supply, so none is settled either.
    if (rates.includes('wdt') && (advance || kind.endsWith('ROZ'))) return false
    // The party that owes the tax has to be stated in full.
    if (rates.includes('reverse') && kind === 'UPR') return false
    // Nothing is built for the little that a simplified invoice may come to.
    if (works === true && kind === 'UPR') return false
    return !(advance && rates.includes('oss'))
  })
  // A buyer with a NIP on a profile of exports: a domestic sale in the currency of the profile.
  const trade: Trade = trades[possible.length > 0 ? draw.pick(possible) : 'domestic']
  const buyer = needsNip ? 'domestic' : draw.pick(trade.buyers)
  const margin = trade.rates.includes('margin')
  // Works on one building have one rate.
  const rates = trade.works === true ? [draw.pick(trade.rates)] : trade.rates
  const retail = profile === 'retail' || buyer.startsWith('consumer') || kind === 'UPR'
  const shop = draw.pick(
    shopsFor({ kind: shopKind(trade), rates, retail, advance: isPrepaid(kind) }),
  )
  const [from, to] = profile === 'ten-thousand-lines' ? maxLines(kind) : typicalLines[profile]
  const lines = options.lines ?? (sparse ? 1 : kind === 'UPR' ? draw.int(1, 3) : draw.int(from, to))
  if (!Number.isInteger(lines) || lines < 1 || lines > 10_000) {
    throw new InvoiceOptionsError(`lines: 1 to 10000 are possible, not ${lines}`)
  }
  return {
    profile,
    kind,
    buyer,
    rates,
    shop,
    goods: trade.goods,
    works: trade.works === true,
    homes: trade.works === true && rates.includes('8'),
    gross:
      margin ||
      (!advance &&
        (profile === 'retail' ||
          (profile !== 'ten-thousand-lines' &&
            !trade.works &&
            !rates.includes('reverse') &&
            !isEuTrade(buyer) &&
            draw.chance(15)))),
    lines,
    linesAsked: options.lines !== undefined || profile === 'ten-thousand-lines',
    currency: 'PLN',
    paid: profile === 'retail' || draw.chance(20),
    transport:
      trade.goods &&
      !sparse &&
      profile !== 'retail' &&
      (profile === 'export-eur' || draw.chance(8)),
    euTrade: isEuTrade(buyer),
    sparse,
  }
}
