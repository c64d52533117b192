import type { Draw } from '../draw/draw.ts'
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
  /** Polish classification of buildings. */
  readonly pkob?: string
  /** Listed in annex 15, where split payment may be due. */
  readonly annex15?: true
  readonly excise?: true
  /** Why it is exempt. */
  readonly exempt?: string
  /** The scheme that it is sold at a margin under. */
  readonly margin?: 'P_PMarzy_2' | 'P_PMarzy_3_1' | 'P_PMarzy_3_2' | 'P_PMarzy_3_3'
  /** No more than so many at once, where the unit alone does not tell. */
  readonly most?: number
}

/** Units of sale: the most that is bought at once, and decimal places (in steps) where one can buy a part. */
export const units = {
  'szt.': { most: 40, places: 0 },
  'kpl.': { most: 20, places: 0 },
  kg: { most: 60, places: 3 },
  t: { most: 24, places: 3 },
  l: { most: 200, places: 2 },
  m: { most: 80, places: 2 },
  m2: { most: 240, places: 2 },
  m3: { most: 80, places: 3 },
  km: { most: 600, places: 1 },
  'godz.': { most: 60, places: 1, step: 5 },
  'str.': { most: 80, places: 0 },
  'mies.': { most: 12, places: 0 },
  'usł.': { most: 3, places: 0 },
  doba: { most: 7, places: 0 },
  'os.': { most: 6, places: 0 },
  kWh: { most: 9_000, places: 3 },
  MWh: { most: 40, places: 6 },
  GB: { most: 4_000, places: 6 },
  'tys.': { most: 900, places: 3 },
} as const satisfies Readonly<Record<string, Unit>>

export interface Unit {
  readonly most: number
  readonly places: number
  readonly step?: number
}

const item = (
  name: string,
  unit: Item['unit'],
  price: readonly [number, number],
  codes: Omit<Item, 'name' | 'unit' | 'price'> = {},
): Item => ({ name, unit, price, ...codes })

export type ShopKind = 'goods' | 'services' | 'works'

/** A trade's assortment, by the rate that each thing has at home. */
export interface Shop {
  readonly kind: ShopKind
  readonly at: Readonly<Partial<Record<RateId, readonly Item[]>>>
  /** Sold to other countries too. */
  readonly abroad?: true
  /** Sold over the counter. */
  readonly retail?: true
}

const works: readonly Item[] = [
  item('Roboty ziemne', 'm3', [3_000, 12_000], { pkwiu: '43.12.12.0', pkob: '1110' }),
  item('Fundamenty', 'm3', [60_000, 140_000], { pkwiu: '43.99.40.0', pkob: '1122' }),
  item('Konstrukcja żelbetowa', 'm3', [90_000, 220_000], { pkwiu: '43.99.40.0', pkob: '1220' }),
  item('Pokrycie dachu', 'm2', [9_000, 30_000], { pkwiu: '43.91.19.0', pkob: '1110' }),
  item('Instalacja elektryczna', 'kpl.', [300_000, 1_500_000], {
    pkwiu: '43.21.10.2',
    pkob: '1121',
  }),
  item('Tynki i wylewki', 'm2', [3_500, 12_000], { pkwiu: '43.31.10.0', pkob: '1122' }),
  item('Stolarka okienna', 'm2', [60_000, 140_000], { pkwiu: '43.32.10.0', pkob: '1122' }),
  item('Instalacja wodno-kanalizacyjna', 'kpl.', [400_000, 1_200_000], {
    pkwiu: '43.22.11.0',
    pkob: '1110',
  }),
].map((each) => ({ ...each, annex15: true }))

const laptop = item('Laptop 14"', 'szt.', [200_000, 600_000], {
  cn: '8471 30 00',
  pkwiu: '26.20.11.0',
  gtu: 'GTU_06',
  annex15: true,
})
const paper = item('Papier ksero A4, 500 ark.', 'szt.', [1_500, 3_000], { cn: '4802 56 20' })
const gloves = item('Rękawice robocze, rozm. 9', 'kpl.', [300, 3_000], { cn: '6116 10 20' })
const bread = item('Chleb żytni', 'szt.', [400, 1_200], {
  cn: '1905 90 30',
  pkwiu: '10.71.11.0',
})
const apples = item('Jabłka odmiany Ligol', 'kg', [200, 600], { cn: '0808 10 80' })

const secondHand = { margin: 'P_PMarzy_3_1', most: 1 } as const
const art = { margin: 'P_PMarzy_3_2', most: 1 } as const
const antique = { margin: 'P_PMarzy_3_3', most: 1 } as const

const goods: readonly Shop[] = [
  {
    kind: 'goods',
    abroad: true,
    retail: true,
    at: {
      '23': [
        item('Farba biała 10 l', 'szt.', [6_000, 18_000], { cn: '3209 10 00' }),
        item('Śruba M8 ocynkowana', 'kg', [800, 2_500], { cn: '7318 15 88', pkwiu: '25.94.11.0' }),
        item('Żarówka LED <9 W>', 'szt.', [500, 2_500], { cn: '8539 52 00' }),
        item('Deska dębowa 28×140 mm', 'm', [2_000, 6_000], { cn: '4409 29 91' }),
        item('Kabel YDYp 3×2,5 mm²', 'm', [350, 900], { cn: '8544 49 91', fine: 4 }),
        item('Wiertarka udarowa 750 W', 'szt.', [19_900, 69_900], { cn: '8467 21 10' }),
        gloves,
      ],
    },
  },
  {
    kind: 'goods',
    retail: true,
    at: {
      '8': [
        item('Woda mineralna 1,5 l', 'szt.', [150, 400], { cn: '2201 10 11' }),
        item('Przyprawa "Zioła & sól" 50 g', 'szt.', [300, 1_500], { cn: '0910 91 05' }),
      ],
      '23': [
        item('Kawa ziarnista 1 kg', 'szt.', [4_000, 12_000], {
          cn: '0901 21 00',
          pkwiu: '10.83.11.0',
        }),
        item('Wino wytrawne 0,75 l', 'szt.', [1_900, 9_000], {
          cn: '2204 21 79',
          gtu: 'GTU_01',
          excise: true,
        }),
      ],
      '5': [bread, apples],
      '7': [bread, apples],
      '3': [item('Ziemniaki jadalne', 'kg', [60, 200], { cn: '0701 90 90' })],
    },
  },
  {
    kind: 'goods',
    abroad: true,
    retail: true,
    at: {
      '23': [
        laptop,
        item('Kabel zasilający 1,5 m', 'szt.', [900, 4_000], { cn: '8544 42 90' }),
        item('Krzesło biurowe "Ergo"', 'szt.', [25_000, 120_000], { cn: '9401 39 00' }),
        item('Monitor 27"', 'szt.', [70_000, 220_000], { cn: '8528 52 10' }),
        paper,
      ],
      '22': [paper],
      '5': [item('Książka „Ćma i świeca”', 'szt.', [2_500, 8_000], { cn: '4901 99 00' })],
      zero: [
        item('Komputer dla szkoły', 'szt.', [200_000, 500_000], {
          cn: '8471 41 00',
          gtu: 'GTU_06',
        }),
      ],
    },
  },
  {
    kind: 'goods',
    retail: true,
    at: {
      '23': [
        item('Kosiarka elektryczna', 'szt.', [39_900, 149_900], { cn: '8433 11 10' }),
        item('Ziemia do kwiatów 50 l', 'szt.', [1_500, 3_500], { cn: '2703 00 00' }),
        gloves,
      ],
      '8': [
        item('Nawóz ogrodniczy 5 kg', 'szt.', [1_900, 6_900], { cn: '3105 20 10' }),
        item('Sadzonka jabłoni', 'szt.', [1_900, 4_900], { cn: '0602 20 20' }),
      ],
    },
  },
  {
    kind: 'goods',
    retail: true,
    at: {
      '8': [
        item('Insulina, wstrzykiwacz', 'szt.', [3_000, 12_000], {
          cn: '3004 31 00',
          pkwiu: '21.20.13.0',
          gtu: 'GTU_09',
        }),
        item('Plastry opatrunkowe', 'szt.', [400, 1_500], { cn: '3005 10 00' }),
      ],
      '23': [item('Krem z filtrem SPF 50', 'szt.', [2_900, 9_900], { cn: '3304 99 00' })],
    },
  },
  {
    kind: 'goods',
    abroad: true,
    retail: true,
    at: {
      '23': [
        item('Klocki hamulcowe', 'kpl.', [6_000, 40_000], {
          cn: '8708 30 91',
          gtu: 'GTU_07',
          annex15: true,
        }),
        item('Filtr oleju', 'szt.', [1_900, 7_900], { cn: '8421 23 00' }),
        item('Opona letnia 205/55 R16', 'szt.', [19_900, 59_900], { cn: '4011 10 00' }),
        item('Akumulator 74 Ah', 'szt.', [34_900, 69_900], { cn: '8507 10 20', annex15: true }),
        item('Olej silnikowy 5W-30', 'l', [2_000, 6_000], { cn: '2710 19 81', gtu: 'GTU_03' }),
      ],
    },
  },
  {
    kind: 'goods',
    at: {
      '23': [
        item('Olej napędowy', 'l', [400, 650], {
          cn: '2710 19 43',
          gtu: 'GTU_02',
          annex15: true,
          excise: true,
          fine: 5,
        }),
        item('Benzyna bezołowiowa 95', 'l', [420, 680], {
          cn: '2710 12 45',
          gtu: 'GTU_02',
          annex15: true,
          excise: true,
          fine: 5,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    at: {
      '23': [
        item('Tytoń do palenia', 'kg', [50_000, 90_000], {
          cn: '2403 19 10',
          gtu: 'GTU_04',
          excise: true,
        }),
        item('Gilzy papierosowe 500 szt.', 'szt.', [900, 2_500], { cn: '4813 10 00' }),
      ],
    },
  },
  {
    kind: 'goods',
    at: {
      '23': [
        item('Złom stalowy', 'kg', [80, 200], {
          cn: '7204 49 90',
          pkwiu: '38.11.58.0',
          gtu: 'GTU_05',
          annex15: true,
          fine: 4,
        }),
        item('Złom aluminiowy', 'kg', [400, 900], {
          cn: '7602 00 90',
          pkwiu: '38.11.58.0',
          gtu: 'GTU_05',
          annex15: true,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    abroad: true,
    at: {
      '23': [
        item('Pręt zbrojeniowy żebrowany', 't', [250_000, 380_000], {
          cn: '7214 20 00',
          pkwiu: '24.10.62.0',
          gtu: 'GTU_08',
          annex15: true,
        }),
        item('Blacha trapezowa T18', 'm2', [3_500, 7_500], { cn: '7216 91 10', annex15: true }),
        item('Kształtownik HEB 200', 't', [420_000, 560_000], {
          cn: '7216 33 90',
          pkwiu: '24.10.71.0',
          gtu: 'GTU_08',
          annex15: true,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    at: { '23': [item('Działka budowlana', 'm2', [10_000, 60_000], { gtu: 'GTU_10' })] },
  },
  {
    kind: 'goods',
    at: {
      '23': [
        item('Energia elektryczna', 'kWh', [45, 110], { cn: '2716 00 00', fine: 5 }),
        item('Gaz ziemny', 'kWh', [18, 42], { cn: '2711 21 00', fine: 8 }),
      ],
      '22': [item('Węgiel kamienny, orzech', 't', [60_000, 120_000], { cn: '2701 12 90' })],
    },
  },
  {
    kind: 'goods',
    at: {
      zero: [item('Tratwa ratunkowa', 'szt.', [300_000, 900_000], { cn: '8907 10 00' })],
      '23': [item('Lina cumownicza', 'm', [900, 4_000], { cn: '5607 50 11' })],
    },
  },
  {
    kind: 'goods',
    at: {
      reverse: [
        item('Energia elektryczna', 'MWh', [30_000, 80_000], { cn: '2716 00 00', fine: 6 }),
      ],
    },
  },
  {
    kind: 'goods',
    at: { reverse: [item('Uprawnienia do emisji', 't', [25_000, 42_000], { gtu: 'GTU_11' })] },
  },
  {
    kind: 'goods',
    retail: true,
    at: {
      margin: [
        item('Aparat fotograficzny, używany', 'szt.', [20_000, 250_000], secondHand),
        item('Rower miejski, używany', 'szt.', [30_000, 150_000], secondHand),
        item('Gitara, używana', 'szt.', [40_000, 300_000], secondHand),
      ],
    },
  },
  {
    kind: 'goods',
    retail: true,
    at: {
      margin: [
        item('Obraz olejny „Zmierzch”', 'szt.', [80_000, 900_000], art),
        item('Grafika, odbitka 7/50', 'szt.', [20_000, 120_000], art),
      ],
    },
  },
  {
    kind: 'goods',
    retail: true,
    at: {
      margin: [
        item('Komoda dębowa, XIX w.', 'szt.', [80_000, 900_000], antique),
        item('Moneta kolekcjonerska', 'szt.', [10_000, 400_000], { ...antique, most: 12 }),
        item('Zegar kominkowy, ok. 1900', 'szt.', [60_000, 300_000], antique),
      ],
    },
  },
]

const services: readonly Shop[] = [
  {
    kind: 'services',
    abroad: true,
    at: {
      '23': [
        item('Usługa doradcza & szkolenie', 'godz.', [8_000, 40_000], {
          pkwiu: '70.22.11.0',
          gtu: 'GTU_12',
        }),
        item('Tłumaczenie pisemne', 'str.', [3_000, 9_000], { pkwiu: '74.30.11.0' }),
        item('Obsługa księgowa', 'mies.', [40_000, 250_000], {
          pkwiu: '69.20.23.0',
          gtu: 'GTU_12',
        }),
      ],
    },
  },
  {
    kind: 'services',
    abroad: true,
    at: {
      '23': [
        item('Projekt graficzny', 'usł.', [30_000, 250_000], { pkwiu: '74.10.19.0' }),
        item('Kampania reklamowa', 'usł.', [100_000, 900_000], {
          pkwiu: '73.11.11.0',
          gtu: 'GTU_12',
        }),
        item('Sesja zdjęciowa', 'godz.', [15_000, 60_000], { pkwiu: '74.20.23.0' }),
      ],
    },
  },
  {
    kind: 'services',
    abroad: true,
    at: {
      '23': [
        item('Serwis oprogramowania – abonament', 'mies.', [20_000, 300_000], {
          pkwiu: '62.02.30.0',
        }),
        item('Transfer danych', 'GB', [2, 30], { pkwiu: '63.11.13.0', fine: 8 }),
        item('Wywołania API', 'tys.', [5, 60], { pkwiu: '63.11.12.0', fine: 6 }),
      ],
    },
  },
  {
    kind: 'services',
    abroad: true,
    at: {
      '23': [
        item('Usługa transportowa', 'km', [250, 900], { pkwiu: '49.41.19.0', gtu: 'GTU_13' }),
        item('Załadunek i rozładunek', 'godz.', [8_000, 20_000], { pkwiu: '52.24.19.0' }),
      ],
    },
  },
  {
    kind: 'services',
    at: {
      '23': [
        item('Sprzątanie biura', 'm2', [150, 1_200], { pkwiu: '81.21.10.0' }),
        item('Mycie okien', 'm2', [400, 1_500], { pkwiu: '81.22.11.0' }),
      ],
      '8': [item('Odbiór ścieków', 'm3', [500, 1_400], { pkwiu: '37.00.11.0' })],
    },
  },
  {
    kind: 'services',
    at: {
      '8': [item('Nocleg ze śniadaniem', 'doba', [15_000, 60_000], { pkwiu: '55.10.10.0' })],
      '23': [
        item('Najem sali', 'godz.', [5_000, 25_000], { pkwiu: '68.20.12.0' }),
        item('Parking strzeżony', 'doba', [2_000, 6_000], { pkwiu: '52.21.24.0' }),
      ],
    },
  },
  {
    kind: 'services',
    at: {
      '8': [
        item('Przewóz osób', 'km', [200, 800], { pkwiu: '49.39.11.0' }),
        item('Wynajem autokaru z kierowcą', 'doba', [90_000, 250_000], { pkwiu: '49.39.31.0' }),
      ],
    },
  },
  {
    kind: 'services',
    at: { '8': [item('Dostarczanie wody', 'm3', [300, 900], { pkwiu: '36.00.20.0' })] },
  },
  {
    kind: 'services',
    at: { '4': [item('Przejazd taksówką', 'km', [250, 700], { pkwiu: '49.32.11.0' })] },
  },
  {
    kind: 'services',
    at: {
      margin: [item('Wycieczka „Tatry”', 'os.', [40_000, 250_000], { margin: 'P_PMarzy_2' })],
    },
  },
  {
    kind: 'services',
    at: {
      exempt: [
        item('Lekcja języka obcego', 'godz.', [6_000, 20_000], {
          exempt: 'art. 43 ust. 1 pkt 28 ustawy',
        }),
      ],
    },
  },
  {
    kind: 'services',
    at: {
      exempt: [
        item('Badanie lekarskie', 'usł.', [8_000, 40_000], {
          exempt: 'art. 43 ust. 1 pkt 19 ustawy',
        }),
        item('Rehabilitacja', 'godz.', [8_000, 20_000], {
          exempt: 'art. 43 ust. 1 pkt 19 ustawy',
        }),
      ],
      '23': [item('Zaświadczenie do celów prywatnych', 'usł.', [3_000, 9_000])],
    },
  },
  {
    kind: 'services',
    at: {
      exempt: [
        item('Pośrednictwo ubezpieczeniowe', 'usł.', [20_000, 200_000], {
          exempt: 'art. 43 ust. 1 pkt 37 ustawy',
        }),
      ],
      '23': [item('Wycena szkody', 'usł.', [20_000, 80_000], { pkwiu: '66.21.10.0' })],
    },
  },
]

const shops: readonly Shop[] = [
  ...goods,
  ...services,
  { kind: 'works', at: { '23': works, '8': works } },
]

/** Rates of ordinary sales at home, today and years ago; what has any other is sold by those who sell it. */
const ordinary: ReadonlySet<RateId> = new Set(['23', '22', '8', '7', '5', '4', '3'])
/** Rates at home of what is exported. */
const atHome: readonly RateId[] = ['23', '8', '5']
/** Rates at which whatever is exported is sold. */
const ratesAbroad: ReadonlySet<RateId> = new Set(['wdt', 'export', 'oss', 'euService', 'abroad'])

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
}

/** What one seller offers at these rates, in an order of its own; a thing of two rates appears once. */
export function drawOffers(draw: Draw, { kind, rates, retail }: ShopWanted): readonly Offer[] {
  const particular = rates.filter((rate) => !ordinary.has(rate))
  const possible = shops
    .filter((shop) => shop.kind === kind && (kind !== 'goods' || !retail || shop.retail === true))
    .map((shop) => offersOf(shop, rates))
    .filter((offers) => {
      const wanted = particular.length > 0 ? particular : rates
      return offers.some(({ rate }) => wanted.includes(rate))
    })
  const left = [...draw.pick(possible)]
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
