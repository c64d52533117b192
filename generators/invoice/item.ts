import type { RateId } from './rates.ts'

/** What is sold, with the codes that it has and the prices that it fetches. */
export interface Item {
  readonly name: string
  readonly unit: keyof typeof units
  /** Lowest and highest price of a unit, in grosze. */
  readonly price: readonly [number, number]
  /** Decimal places of prices that are finer than a grosz, where the trade has such. */
  readonly fine?: number
  /** Group of goods and services that the tax authority watches. */
  readonly gtu?: string
  /** Polish classification of goods and services. */
  readonly pkwiu?: string
  /** Combined Nomenclature; whatever has one and comes in pieces has a GTIN. */
  readonly cn?: string
  /** Work on a building, which has a class of its own (PKOB). */
  readonly building?: true
  /** Listed in annex 15, where split payment may be due. */
  readonly annex15?: true
  /** Excise duty is in the price; farmers get that of their diesel back. */
  readonly excise?: 'kept' | 'refunded'
  /** Why it is exempt: the provisions of the act and of the directive. */
  readonly exempt?: { readonly act: string; readonly directive: string }
  /** The scheme that it is sold at a margin under. */
  readonly margin?: 'P_PMarzy_2' | 'P_PMarzy_3_1' | 'P_PMarzy_3_2' | 'P_PMarzy_3_3'
  /** Minimum and maximum quantity of a sale, where the unit and the price alone do not decide it. */
  readonly min?: number
  readonly max?: number
  /** It has letters on it, so that its name on an invoice may say which. */
  readonly lettered?: true
  /** Bought by persons for themselves, not by firms. */
  readonly personal?: true
}

/**
 * Units of sale: the maximum quantity of a sale, decimal places (in steps) where one can buy a part, and the quantities
 * that are worth a lorry.
 */
export const units = {
  'szt.': { max: 40, places: 0, freight: [40, 240] },
  'kpl.': { max: 20, places: 0, freight: [20, 120] },
  para: { max: 40, places: 0, freight: [120, 600] },
  kg: { max: 60, places: 3, freight: [200, 900] },
  t: { max: 24, places: 3, freight: [4, 8] },
  l: { max: 200, places: 2, freight: [200, 900] },
  m: { max: 80, places: 2, freight: [300, 1_200] },
  m2: { max: 240, places: 2, freight: [100, 400] },
  m3: { max: 80, places: 3 },
  km: { max: 600, places: 1 },
  'godz.': { max: 60, places: 1, step: 5 },
  'str.': { max: 80, places: 0 },
  'mies.': { max: 1, places: 0 },
  'usł.': { max: 3, places: 0 },
  doba: { max: 7, places: 0 },
  'os.': { max: 6, places: 0 },
  kWh: { max: 9_000, places: 3 },
  MWh: { max: 40, places: 6 },
  GB: { max: 4_000, places: 6 },
  'tys.': { max: 900, places: 3 },
} as const satisfies Readonly<Record<string, Unit>>

export interface Unit {
  readonly max: number
  readonly places: number
  readonly step?: number
  readonly freight?: readonly [number, number]
}

export const item = (
  name: string,
  unit: Item['unit'],
  price: readonly [number, number],
  codes: Omit<Item, 'name' | 'unit' | 'price'> = {},
): Item => ({ name, unit, price, ...codes })

export type ShopKind = 'goods' | 'services' | 'works'

/** What a buyer and a seller agree on before a sale, with a number that the invoice repeats. */
export type Agreement = 'contract' | 'order'

/** What goods are carried in, by OpisLadunku; `loose` has no code. */
export const loads = {
  carton: '4',
  packaging: '10',
  parcel: '11',
  bundle: '12',
  pallet: '13',
  solid: '15',
  liquid: '16',
  crate: '19',
  loose: undefined,
} as const
export type Load = keyof typeof loads

/** A trade's assortment, by the rate that each thing has at home. */
export interface Shop {
  readonly kind: ShopKind
  /** Empty where everything happens on the spot, as in a taxi ride. */
  readonly agreed: readonly Agreement[]
  /** Ordered and paid in part before it is supplied: not what is consumed immediately. */
  readonly advances?: true
  /** Supplied day by day and billed by the month. */
  readonly continuous?: true
  /** No vehicle can carry it: energy, land, rights. */
  readonly uncarried?: true
  /** What a lorry of it is loaded with, if not with pallets and packages. */
  readonly loads?: readonly Load[]
  /** A deposit is charged for the packages. */
  readonly deposit?: true
  readonly at: Readonly<Partial<Record<RateId, readonly Item[]>>>
  /** Sold to other countries too. */
  readonly abroad?: true
  /** Sold over the counter. */
  readonly retail?: true
}
