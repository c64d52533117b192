import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import type { Draft } from './draft.ts'
import type { Shop } from './item.ts'
import type { Buyer } from './party.ts'

/** DodatkowyOpis: what firms state beside the fields of the form. */

/** What a particular is about: any sale, one that was ordered, goods that a buyer unpacks, a firm that buys. */
type ParticularOf = 'sale' | 'order' | 'parcel' | 'firm'

const particulars: readonly (readonly [
  ParticularOf,
  key: string,
  value: (draw: Draw) => string,
])[] = [
  ['order', 'Numer zlecenia', (draw) => `ZL/${draw.int(1, 9_999)}`],
  [
    'sale',
    'Osoba kontaktowa',
    (draw) => draw.pick(['Biuro obsługi', 'Dział sprzedaży', 'Recepcja']),
  ],
  ['order', 'Numer oferty', (draw) => `OF/${draw.int(1, 999)}`],
  ['parcel', 'Reklamacje', () => 'w ciągu 14 dni od otrzymania'],
  ['firm', 'Oznaczenie zamawiającego', (draw) => `MPK ${draw.int(100, 999)}`],
]

export type About = ReadonlySet<ParticularOf>

/** The particulars that a sale can have: nothing was ordered where everything happens on the spot. */
export function aboutSale(
  { agreed }: Pick<Shop, 'agreed'>,
  { nip }: Pick<Buyer, 'nip'>,
  { household, carried }: { household: boolean; carried: boolean },
): About {
  const firm = nip !== undefined
  return new Set<ParticularOf>([
    ...(agreed.length > 0 ? (['sale'] as const) : []),
    ...(!household && agreed.includes('order') ? (['order'] as const) : []),
    ...(firm && carried ? (['parcel'] as const) : []),
    ...(firm ? (['firm'] as const) : []),
  ])
}

/** At most so many different particulars of a sale, each a key with its value. */
export function drawParticulars(
  draw: Draw,
  count: number,
  about: About,
): (readonly [string, string])[] {
  const fitting = particulars.filter(([of]) => about.has(of))
  if (fitting.length === 0) return []
  const first = draw.int(0, fitting.length - 1)
  return Array.from({ length: Math.min(count, fitting.length) }, (_, i) => {
    const [, key, value] = fitting[(first + i) % fitting.length]!
    return [key, value(draw)] as const
  })
}

/** DodatkowyOpis, one to three; numbers may be those of a line. */
export function descriptions({ draw, el }: Draft, about: About, hasLines: boolean): Element[] {
  return drawParticulars(draw, draw.int(1, 3), about).map(([key, value]) => {
    const ofLine = key.startsWith('Numer') && hasLines && draw.chance(30)
    const line = ofLine ? [el('NrWiersza', '1')] : []
    return el('DodatkowyOpis', [...line, el('Klucz', key), el('Wartosc', value)])
  })
}
