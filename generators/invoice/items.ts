import type { Draw } from '../draw/draw.ts'
import type { RateId } from './rates.ts'

/** What is sold, with the codes that it has and the prices that it fetches. */
export interface Item {
  readonly name: string
  readonly unit: string
  /** Lowest and highest price of a unit, in hundredths of the currency. */
  readonly price: readonly [number, number]
  /** Group of goods and services that the tax authority watches. */
  readonly gtu?: string
  /** Polish classification of goods and services. */
  readonly pkwiu?: string
  /** Combined Nomenclature; whatever has one comes in packages with a GTIN. */
  readonly cn?: string
  /** Polish classification of buildings. */
  readonly pkob?: string
  /** Listed in annex 15, where split payment may be due. */
  readonly annex15?: true
  readonly excise?: true
  /** Why it is exempt. */
  readonly exempt?: string
}

const item = (
  name: string,
  unit: string,
  price: readonly [number, number],
  codes: Omit<Item, 'name' | 'unit' | 'price'> = {},
): Item => ({ name, unit, price, ...codes })

const goods: readonly Item[] = [
  item('Śruba M8 ocynkowana', 'kg', [800, 2_500], { cn: '7318 15 88', pkwiu: '25.94.11.0' }),
  item('Papier ksero A4, 500 ark.', 'szt.', [1_500, 3_000], { cn: '4802 56 20' }),
  item('Kabel zasilający 1,5 m', 'szt.', [900, 4_000], { cn: '8544 42 90' }),
  item('Farba biała 10 l', 'szt.', [6_000, 18_000], { cn: '3209 10 00' }),
  item('Krzesło biurowe "Ergo"', 'szt.', [25_000, 120_000], { cn: '9401 39 00' }),
  item('Żarówka LED <9 W>', 'szt.', [500, 2_500], { cn: '8539 52 00' }),
  item('Kawa ziarnista 1 kg', 'kg', [4_000, 12_000], { cn: '0901 21 00', pkwiu: '10.83.11.0' }),
  item('Rękawice robocze, rozm. 9', 'kpl.', [300, 3_000], { cn: '6116 10 20' }),
  item('Deska dębowa 28×140 mm', 'm', [2_000, 6_000], { cn: '4409 29 91' }),
  item('Olej silnikowy 5W-30', 'l', [2_000, 6_000], { cn: '2710 19 81', gtu: 'GTU_03' }),
  item('Wino wytrawne 0,75 l', 'szt.', [1_900, 9_000], {
    cn: '2204 21 79',
    gtu: 'GTU_01',
    excise: true,
  }),
  item('Olej napędowy', 'l', [400, 650], {
    cn: '2710 19 43',
    gtu: 'GTU_02',
    annex15: true,
    excise: true,
  }),
  item('Tytoń do palenia', 'kg', [50_000, 90_000], {
    cn: '2403 19 10',
    gtu: 'GTU_04',
    excise: true,
  }),
  item('Złom stalowy', 'kg', [80, 200], {
    cn: '7204 49 90',
    pkwiu: '38.11.58.0',
    gtu: 'GTU_05',
    annex15: true,
  }),
  item('Laptop 14"', 'szt.', [200_000, 600_000], {
    cn: '8471 30 00',
    pkwiu: '26.20.11.0',
    gtu: 'GTU_06',
    annex15: true,
  }),
  item('Klocki hamulcowe', 'kpl.', [6_000, 40_000], {
    cn: '8708 30 91',
    gtu: 'GTU_07',
    annex15: true,
  }),
  item('Pręt zbrojeniowy żebrowany', 't', [250_000, 380_000], {
    cn: '7214 20 00',
    pkwiu: '24.10.62.0',
    gtu: 'GTU_08',
    annex15: true,
  }),
]
const services: readonly Item[] = [
  item('Usługa doradcza & szkolenie', 'godz.', [8_000, 40_000], {
    pkwiu: '70.22.11.0',
    gtu: 'GTU_12',
  }),
  item('Serwis oprogramowania – abonament', 'mies.', [20_000, 300_000], { pkwiu: '62.02.30.0' }),
  item('Sprzątanie biura', 'm2', [150, 1_200], { pkwiu: '81.21.10.0' }),
  item('Tłumaczenie pisemne', 'str.', [3_000, 9_000], { pkwiu: '74.30.11.0' }),
  item('Najem sali', 'godz.', [5_000, 25_000], { pkwiu: '68.20.12.0' }),
  item('Usługa transportowa', 'km', [250, 900], { pkwiu: '49.41.19.0', gtu: 'GTU_13' }),
  item('Projekt graficzny', 'usł.', [30_000, 250_000], { pkwiu: '74.10.19.0' }),
  item('Kampania reklamowa', 'usł.', [100_000, 900_000], { pkwiu: '73.11.11.0', gtu: 'GTU_12' }),
]
const food: readonly Item[] = [
  item('Chleb żytni', 'szt.', [400, 1_200], { cn: '1905 90 30', pkwiu: '10.71.11.0' }),
  item('Jabłka odmiany Ligol', 'kg', [200, 600], { cn: '0808 10 80' }),
]
// What has to do with real estate is taxed where that lies, whoever buys it.
const elsewhere = services.filter(({ name }) => !/^(Najem|Sprzątanie)/.test(name))

/** Where a rate is for particular things, these are sold. */
const particular: Readonly<Record<string, readonly Item[]>> = {
  'goods 23': [...goods, item('Działka budowlana', 'm2', [10_000, 60_000], { gtu: 'GTU_10' })],
  'goods 8': [
    item('Woda mineralna 1,5 l', 'szt.', [150, 400], { cn: '2201 10 11' }),
    item('Przyprawa "Zioła & sól" 50 g', 'szt.', [300, 1_500], { cn: '0910 91 05' }),
    item('Nawóz ogrodniczy 5 kg', 'kg', [400, 2_000], { cn: '3105 20 10' }),
    item('Insulina, wstrzykiwacz', 'szt.', [3_000, 12_000], {
      cn: '3004 31 00',
      pkwiu: '21.20.13.0',
      gtu: 'GTU_09',
    }),
  ],
  'goods 5': [
    ...food,
    item('Książka „Ćma i świeca”', 'szt.', [2_500, 8_000], { cn: '4901 99 00' }),
  ],
  'goods 7': food,
  'goods 3': [item('Ziemniaki jadalne', 'kg', [60, 200], { cn: '0701 90 90' })],
  'goods zero': [
    item('Komputer dla szkoły', 'szt.', [200_000, 500_000], { cn: '8471 41 00', gtu: 'GTU_06' }),
    item('Tratwa ratunkowa', 'szt.', [300_000, 900_000], { cn: '8907 10 00' }),
  ],
  'goods reverse': [
    item('Energia elektryczna', 'MWh', [30_000, 80_000], { cn: '2716 00 00' }),
    item('Uprawnienia do emisji', 't', [25_000, 42_000], { gtu: 'GTU_11' }),
  ],
  'goods margin': [
    item('Komoda dębowa, XIX w.', 'szt.', [80_000, 900_000]),
    item('Aparat fotograficzny, używany', 'szt.', [20_000, 250_000]),
    item('Moneta kolekcjonerska', 'szt.', [10_000, 400_000]),
  ],
  'services margin': [item('Wycieczka „Tatry”', 'os.', [40_000, 250_000])],
  'services 8': [
    item('Przewóz osób', 'km', [200, 800], { pkwiu: '49.39.11.0' }),
    item('Nocleg ze śniadaniem', 'doba', [15_000, 60_000], { pkwiu: '55.10.10.0' }),
    item('Dostarczanie wody', 'm3', [300, 900], { pkwiu: '36.00.20.0' }),
  ],
  'services 4': [item('Przejazd taksówką', 'km', [250, 700], { pkwiu: '49.32.11.0' })],
  'services exempt': [
    item('Lekcja języka obcego', 'godz.', [6_000, 20_000], {
      exempt: 'art. 43 ust. 1 pkt 28 ustawy',
    }),
    item('Badanie lekarskie', 'usł.', [8_000, 40_000], { exempt: 'art. 43 ust. 1 pkt 19 ustawy' }),
    item('Pośrednictwo ubezpieczeniowe', 'usł.', [20_000, 200_000], {
      exempt: 'art. 43 ust. 1 pkt 37 ustawy',
    }),
  ],
  'services euService': elsewhere,
  'services abroad': elsewhere,
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
].map((each) => ({ ...each, annex15: true }))

/** Units of which one can sell a part. */
const divisible = new Set(['kg', 't', 'l', 'm', 'm2', 'm3', 'km', 'godz.', 'MWh'])
export const isDivisible = ({ unit }: Item): boolean => divisible.has(unit)

/** A part of a building. */
export const workItem = (draw: Draw): Item => draw.pick(works)

/** Something that is sold at a rate. */
export const itemOf = (draw: Draw, kind: 'goods' | 'services', rate: RateId): Item =>
  draw.pick(particular[`${kind} ${rate}`] ?? (kind === 'goods' ? goods : services))

/** Means of transport that are new when they are sold to another member state: car, boat and aircraft. */
export const newVehicles = {
  car: item('Samochód osobowy', 'szt.', [6_000_000, 18_000_000], { cn: '8703 23 19' }),
  boat: item('Jacht motorowy', 'szt.', [20_000_000, 90_000_000], { cn: '8903 32 10' }),
  aircraft: item('Samolot dwumiejscowy', 'szt.', [30_000_000, 99_000_000], { cn: '8802 20 00' }),
} as const satisfies Readonly<Record<string, Item>>
export type VehicleKind = keyof typeof newVehicles
