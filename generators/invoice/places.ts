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
  "O'Connella",
  'Żeromskiego',
] as const
/** Towns by name, each with a postal code and a telephone area of its own. */
const towns = {
  Warszawa: ['00-950', '22'],
  Kraków: ['31-002', '12'],
  Łódź: ['90-001', '42'],
  Wrocław: ['50-001', '71'],
  Poznań: ['61-001', '61'],
  Gdańsk: ['80-001', '58'],
  Białystok: ['15-001', '85'],
  Toruń: ['87-100', '56'],
} as const
export type Town = keyof typeof towns
const townNames = Object.keys(towns) as Town[]

interface Country {
  readonly street: string
  readonly town: string
  /** The town as terms of delivery name it. */
  readonly name: string
  /** Dialling code. */
  readonly dial: string
}

const abroad: Readonly<Record<string, Country>> = {
  AT: { street: 'Getreidegasse', town: '1010 Wien', name: 'Wien', dial: '43' },
  CH: { street: 'Bahnhofstrasse', town: '8001 Zürich', name: 'Zürich', dial: '41' },
  CZ: { street: 'Dlouhá', town: '110 00 Praha 1', name: 'Praha', dial: '420' },
  DE: { street: 'Schönhauser Straße', town: '10115 Berlin', name: 'Berlin', dial: '49' },
  FR: { street: "rue de l'Église", town: '75001 Paris', name: 'Paris', dial: '33' },
  GB: { street: 'Baker Street', town: 'London SW1A 1AA', name: 'London', dial: '44' },
  GR: { street: 'Οδός Ερμού', town: '105 57 Αθήνα', name: 'Αθήνα', dial: '30' },
  IT: { street: 'Via Libertà', town: '00184 Roma', name: 'Roma', dial: '39' },
  JP: { street: '千代田', town: '100-0001 東京', name: '東京', dial: '81' },
  NL: { street: "'s-Gravenweg", town: '1012 JS Amsterdam', name: 'Amsterdam', dial: '31' },
  NO: { street: 'Østre gate', town: '0150 Oslo', name: 'Oslo', dial: '47' },
  UA: { street: 'вул. Зелена', town: '01001 Київ', name: 'Київ', dial: '380' },
  US: { street: 'Main Street', town: 'New York, NY 10001', name: 'New York', dial: '1' },
  XI: { street: 'Donegall Place', town: 'Belfast BT1 5GS', name: 'Belfast', dial: '44' },
}

export const drawTown = (draw: Draw): Town => draw.pick(townNames)

/** An address in a Polish town. */
export const placeIn = (draw: Draw, town: Town): Place => ({
  country: 'PL',
  street: `ul. ${draw.pick(streets)} ${draw.int(1, 199)}`,
  town: `${towns[town][0]} ${town}`,
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
  if (town) return `+48 ${towns[town][1]}${draw.int(2_000_000, 8_999_999)}`
  const dial = abroad[country]?.dial
  return dial === undefined
    ? `+48 ${draw.int(500_000_000, 899_999_999)}`
    : `+${dial} ${draw.int(20_000_000, 89_999_999)}`
}

/** How terms of delivery name the place of a buyer. */
export const deliveryTown = ({ country, town }: Pick<Place, 'country' | 'town'>): string =>
  abroad[country]?.name ?? town.slice(town.indexOf(' ') + 1)
