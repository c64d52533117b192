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
const abroad = ['10115 Berlin', '75001 Paris', '1010 Wien', '00100 Roma', 'SW1A 1AA London']
const goods = [
  'Śruba M8 ocynkowana',
  'Papier ksero A4, 500 ark.',
  'Kabel zasilający 1,5 m',
  'Farba biała 10 l',
  'Krzesło biurowe "Ergo"',
  'Żarówka LED <9 W>',
  'Kawa ziarnista 1 kg',
  'Rękawice robocze, rozm. 9',
  'Deska dębowa 28×140 mm',
  'Olej silnikowy 5W-30',
]
const services = [
  'Usługa doradcza & szkolenie',
  'Serwis oprogramowania – abonament',
  'Sprzątanie biura',
  'Tłumaczenie pisemne',
  'Najem lokalu',
  'Usługa transportowa',
  'Projekt graficzny',
]
const units = ['szt.', 'kg', 'm', 'm2', 'godz.', 'kpl.', 'usł.', 'l'] as const

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

const works = [
  'Roboty ziemne',
  'Fundamenty',
  'Konstrukcja żelbetowa',
  'Pokrycie dachu',
  'Instalacja elektryczna',
  'Tynki i wylewki',
]

export function firmName(draw: Draw): string {
  const form = draw.pick(forms)
  const name = `${draw.pick(firms)} ${draw.int(1, 9999)}`
  return form ? `${name} ${form}` : name
}

export const street = (draw: Draw) => `ul. ${draw.pick(streets)} ${draw.int(1, 199)}`
export const city = (draw: Draw) => draw.pick(cities)
export const foreignCity = (draw: Draw) => draw.pick(abroad)
export const goodsName = (draw: Draw) => draw.pick(goods)
export const serviceName = (draw: Draw) => draw.pick(services)
export const workName = (draw: Draw) => draw.pick(works)
export const unit = (draw: Draw) => draw.pick(units)
export const oddity = (draw: Draw) => draw.pick(oddities)

/** A short note; one in ten holds something unusual. */
export function note(draw: Draw): string {
  return draw.chance(10) ? `Uwaga: ${oddity(draw)}` : `Uwaga ${draw.int(1, 9999)}`
}
