import type { Draw } from '../draw.ts'

/** Words for documents: invented firms, streets and goods, with the letters that break careless software. */

const firms = [
  'Zakład Usługowy Żuraw',
  'Hurtownia Łąka',
  'Młyn Źródło',
  'Piekarnia Świt',
  'Biuro Rachunkowe Gęś',
  'Stolarnia Dąb',
  'Warsztat Ćwiek',
  "O'Hara Trading",
  'Müller & Söhne',
  'Kwiaty "Jaśmin"',
] as const
const forms = ['sp. z o.o.', 'S.A.', 'sp. j.', 's.c.', 'sp. k.', ''] as const
const streets = ['Długa', 'Krótka', 'Źródlana', 'Łąkowa', 'Świętojańska', 'Polna', "O'Connella"]
const cities = [
  '00-950 Warszawa',
  '31-002 Kraków',
  '90-001 Łódź',
  '50-001 Wrocław',
  '61-001 Poznań',
  '80-001 Gdańsk',
]
const people = ['Jan Żółć', 'Anna Świątek', "Patrick O'Neill", 'Zofia Gęś', 'Łukasz Ćma'] as const
/** A town of each country that buyers and consumers come from. */
const abroad: Readonly<Record<string, string>> = {
  AT: '1010 Wien',
  CH: '8001 Zürich',
  CZ: '110 00 Praha 1',
  DE: '10115 Berlin',
  FR: '75001 Paris',
  GB: 'London SW1A 1AA',
  GR: '105 57 Αθήνα',
  IT: '00184 Roma',
  JP: '100-0001 東京',
  NL: '1012 JS Amsterdam',
  NO: '0150 Oslo',
  UA: '01001 Київ',
  US: 'New York, NY 10001',
  XI: 'Belfast BT1 5GS',
}

/** What is sold, and how it is measured. */
export type Item = readonly [name: string, unit: string]

const goods: readonly Item[] = [
  ['Śruba M8 ocynkowana', 'kg'],
  ['Papier ksero A4, 500 ark.', 'szt.'],
  ['Kabel zasilający 1,5 m', 'szt.'],
  ['Farba biała 10 l', 'szt.'],
  ['Krzesło biurowe "Ergo"', 'szt.'],
  ['Żarówka LED <9 W>', 'szt.'],
  ['Kawa ziarnista 1 kg', 'kg'],
  ['Rękawice robocze, rozm. 9', 'kpl.'],
  ['Deska dębowa 28×140 mm', 'm'],
  ['Olej silnikowy 5W-30', 'l'],
]
const services: readonly Item[] = [
  ['Usługa doradcza & szkolenie', 'godz.'],
  ['Serwis oprogramowania – abonament', 'mies.'],
  ['Sprzątanie biura', 'm2'],
  ['Tłumaczenie pisemne', 'str.'],
  ['Najem sali', 'godz.'],
  ['Usługa transportowa', 'km'],
  ['Projekt graficzny', 'usł.'],
]
/** Where a rate is for particular things, these are sold. */
const particular: Readonly<Record<string, readonly Item[]>> = {
  'goods 8': [
    ['Woda mineralna 1,5 l', 'szt.'],
    ['Przyprawa "Zioła & sól" 50 g', 'szt.'],
    ['Nawóz ogrodniczy 5 kg', 'kg'],
  ],
  'goods 5': [
    ['Chleb żytni', 'szt.'],
    ['Książka „Ćma i świeca”', 'szt.'],
    ['Jabłka odmiany Ligol', 'kg'],
  ],
  'goods reverse': [
    ['Energia elektryczna', 'MWh'],
    ['Uprawnienia do emisji', 'szt.'],
  ],
  'goods margin': [
    ['Komoda dębowa, XIX w.', 'szt.'],
    ['Aparat fotograficzny, używany', 'szt.'],
    ['Moneta kolekcjonerska', 'szt.'],
  ],
  'services margin': [['Wycieczka „Tatry”', 'os.']],
  'services 8': [
    ['Przewóz osób', 'km'],
    ['Nocleg ze śniadaniem', 'doba'],
    ['Dostarczanie wody', 'm3'],
  ],
  'services 4': [['Przejazd taksówką', 'km']],
  'services exempt': [
    ['Lekcja języka obcego', 'godz.'],
    ['Badanie lekarskie', 'usł.'],
    ['Pośrednictwo ubezpieczeniowe', 'usł.'],
  ],
}

/** Text that is legal everywhere and often handled badly: each for a reason. */
const oddities = [
  'Zażółć gęślą jaźń', // all Polish letters
  'e\u0301te\u0301', // combining marks
  '\u{1F4A1} \u{20BB7}', // beyond the basic plane
  '\u0645\u0631\u062D\u0628\u0627', // right to left
  "d'Artagnan's", // apostrophes
  ']]> & <b> "x"', // needs escaping
  '\u00A0\u2003x', // blanks that are no XML white space
  'a\u0085b', // allowed control character
  '%s {0} ${x} \\n', // looks like a template
] as const

const works: readonly Item[] = [
  ['Roboty ziemne', 'm3'],
  ['Fundamenty', 'm3'],
  ['Konstrukcja żelbetowa', 'm3'],
  ['Pokrycie dachu', 'm2'],
  ['Instalacja elektryczna', 'kpl.'],
  ['Tynki i wylewki', 'm2'],
]

export function firmName(draw: Draw): string {
  const form = draw.pick(forms)
  const name = `${draw.pick(firms)} ${draw.int(1, 9999)}`
  return form ? `${name} ${form}` : name
}

export const street = (draw: Draw) => `ul. ${draw.pick(streets)} ${draw.int(1, 199)}`
export const city = (draw: Draw) => draw.pick(cities)
export const townOf = (country: string) => abroad[country] ?? 'Poste restante'
export const personName = (draw: Draw) => draw.pick(people)
export const workItem = (draw: Draw) => draw.pick(works)
/** Something that is sold at a rate. */
export const itemOf = (draw: Draw, kind: 'goods' | 'services', rate: string): Item =>
  draw.pick(particular[`${kind} ${rate}`] ?? (kind === 'goods' ? goods : services))
export const oddity = (draw: Draw) => draw.pick(oddities)

/** A short note; one in ten holds something unusual. */
export function note(draw: Draw): string {
  return draw.chance(10) ? `Uwaga: ${oddity(draw)}` : `Uwaga ${draw.int(1, 9999)}`
}
