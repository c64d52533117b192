import type { Draw } from '../draw/draw.ts'

/** Where parties are: towns with their postal codes, and streets as each country writes them. */
export interface Place {
  readonly country: string
  readonly street: string
  /** Postal code and town, in the order of the country. */
  readonly town: string
}

const streets = [
  'Długa',
  'Krótka',
  'Źródlana',
  'Łąkowa',
  'Świętojańska',
  'Polna',
  "Charles'a de Gaulle'a",
  'Żeromskiego',
] as const
/** Towns by name, each with a postal code and a telephone area of its own. */
const towns = {
  Warszawa: ['00-682', '22'],
  Kraków: ['31-002', '12'],
  Łódź: ['90-001', '42'],
  Wrocław: ['50-001', '71'],
  Poznań: ['61-001', '61'],
  Gdańsk: ['80-001', '58'],
  Białystok: ['15-001', '85'],
  Toruń: ['87-100', '56'],
} as const
/** Where municipalities are. */
const villages = {
  Żabno: ['33-240', '14'],
  Łęczna: ['21-010', '81'],
  Świdwin: ['78-300', '94'],
  Bełżec: ['22-670', '84'],
} as const
const places = { ...towns, ...villages }
export type Town = keyof typeof places
const townNames = Object.keys(towns) as Town[]
export const villageNames = Object.keys(villages) as (keyof typeof villages)[]
/** With these digits numbers of mobile telephones begin. */
const mobile = ['50', '51', '53', '60', '66', '69', '72', '78', '79', '88'] as const

interface Country {
  readonly street: string
  readonly town: string
  /** The town as terms of delivery name it. */
  readonly name: string
  /** Codes of country and town, and how many digits follow. */
  readonly dial: readonly [codes: string, digits: number]
}

const abroad: Readonly<Record<string, Country>> = {
  AT: { street: 'Getreidegasse', town: '5020 Salzburg', name: 'Salzburg', dial: ['43 662', 6] },
  CH: { street: 'Bahnhofstrasse', town: '8001 Zürich', name: 'Zürich', dial: ['41 44', 7] },
  CZ: { street: 'Dlouhá', town: '110 00 Praha 1', name: 'Praha', dial: ['420 2', 8] },
  DE: { street: 'Schönhauser Straße', town: '10119 Berlin', name: 'Berlin', dial: ['49 30', 8] },
  FR: { street: "rue de l'Église", town: '75015 Paris', name: 'Paris', dial: ['33 1', 8] },
  GB: { street: 'Baker Street', town: 'London NW1 6XE', name: 'London', dial: ['44 20', 8] },
  GR: { street: 'Οδός Ερμού', town: '105 57 Αθήνα', name: 'Athens', dial: ['30 21', 8] },
  IT: { street: 'Via Libertà', town: '00184 Roma', name: 'Roma', dial: ['39 06', 8] },
  JP: { street: '千代田', town: '100-0001 東京', name: 'Tokyo', dial: ['81 3', 8] },
  NL: { street: "'s-Gravenweg", town: '3062 ZH Rotterdam', name: 'Rotterdam', dial: ['31 10', 7] },
  NO: { street: 'Østre gate', town: '0150 Oslo', name: 'Oslo', dial: ['47 2', 7] },
  UA: { street: 'вул. Хрещатик', town: '01001 Київ', name: 'Kyiv', dial: ['380 44', 7] },
  US: { street: 'Main Street', town: 'New York, NY 10001', name: 'New York', dial: ['1 212', 7] },
  XI: { street: 'Donegall Place', town: 'Belfast BT1 5GS', name: 'Belfast', dial: ['44 28', 8] },
}

export const drawTown = (draw: Draw): Town => draw.pick(townNames)

/** An address in a Polish town. */
export const placeIn = (draw: Draw, town: Town): Place => ({
  country: 'PL',
  street: `ul. ${draw.pick(streets)} ${draw.int(1, 199)}`,
  town: `${places[town][0]} ${town}`,
})

/** An address in a country: anywhere in Poland, in one town of any other. */
export function drawPlace(draw: Draw, country: string): Place {
  const there = abroad[country]
  if (!there) return placeIn(draw, drawTown(draw))
  const number = draw.int(1, 199)
  // Some countries put the number first.
  const street = ['US', 'GB', 'XI', 'FR'].includes(country)
    ? `${number} ${there.street}`
    : `${there.street} ${number}`
  return { country, street, town: there.town }
}

/** A telephone number with the code of its town or country. */
export function drawTelephone(draw: Draw, country: string, town?: Town): string {
  if (town) return `+48 ${places[town][1]}${draw.int(2_000_000, 8_999_999)}`
  const dial = abroad[country]?.dial
  if (dial === undefined) return `+48 ${draw.pick(mobile)}${draw.int(1_000_000, 9_999_999)}`
  const [codes, digits] = dial
  return `+${codes}${draw.int(2 * 10 ** (digits - 1), 9 * 10 ** (digits - 1) - 1)}`
}

/** How terms of delivery name the place of a buyer. */
export const deliveryTown = ({ country, town }: Pick<Place, 'country' | 'town'>): string =>
  abroad[country]?.name ?? town.slice(town.indexOf(' ') + 1)
