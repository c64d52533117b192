import type { Draw } from '../draw/draw.ts'

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
const villages = ['Żabno', 'Łęczna', 'Świdwin', 'Bełżec'] as const
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

/** A street of each of these countries, as it is written there. */
const streetsAbroad: Readonly<Record<string, string>> = {
  AT: 'Getreidegasse',
  CH: 'Bahnhofstrasse',
  CZ: 'Dlouhá',
  DE: 'Schönhauser Straße',
  FR: "rue de l'Église",
  GR: 'Οδός Ερμού',
  IT: 'Via Libertà',
  JP: '千代田',
  NL: "'s-Gravenweg",
  NO: 'Østre gate',
  UA: 'вул. Зелена',
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

export function firmName(draw: Draw): string {
  const form = draw.pick(forms)
  const name = `${draw.pick(firms)} ${draw.int(1, 9999)}`
  return form ? `${name} ${form}` : name
}

export const street = (draw: Draw, country = 'PL') =>
  country === 'PL'
    ? `ul. ${draw.pick(streets)} ${draw.int(1, 199)}`
    : `${streetsAbroad[country] ?? 'Main Street'} ${draw.int(1, 199)}`
export const city = (draw: Draw) => draw.pick(cities)
export const townOf = (country: string) => abroad[country] ?? 'Poste restante'
export const personName = (draw: Draw) => draw.pick(people)
/** A local-government unit, and what belongs to it. */
export const municipality = (draw: Draw) => `Gmina ${draw.pick(villages)}`
export const subUnitName = (draw: Draw) => `Szkoła Podstawowa nr ${draw.int(1, 30)}`
export const taxGroupName = (draw: Draw) => `Grupa VAT ${draw.pick(firms)} ${draw.int(1, 99)}`
export const oddity = (draw: Draw) => draw.pick(oddities)

/** A short note; one in ten holds something unusual. */
export function note(draw: Draw): string {
  return draw.chance(10) ? `Uwaga: ${oddity(draw)}` : `Uwaga ${draw.int(1, 9999)}`
}
