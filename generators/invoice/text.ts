import type { Draw } from '../draw/draw.ts'

/** Texts that invoices carry beside their figures; some hold what software often handles badly. */

/** Legal everywhere, plausible in its place, and each a trap of its own. */
const awkward = [
  'czcionka: Zażółć gęślą jaźń', // all Polish letters
  'napis „Cafe\u0301 E\u0301lan”', // combining marks
  'znak 💡, szyld \u{20BB7}野家', // beyond the basic plane
  'napis po arabsku: مرحبا', // right to left
  "napis „d'Artagnan's”", // apostrophes
  'napis „[A[1]]> & <b> "x"”', // needs escaping
  'nakład 1\u00A0000\u2003szt.', // blanks that are no XML white space
  'napis w dwóch wierszach: góra\u0085dół', // allowed control character
  'napis „%s {0} ${nr} \\n”', // looks like a template
] as const

/** A detail of an order that a program copied without a look at its characters. */
export const awkwardDetail = (draw: Draw): string => draw.pick(awkward)

/** What a particular is about: any sale, one that was ordered, goods that a buyer unpacks, a firm that buys. */
export type ParticularOf = 'sale' | 'order' | 'parcel' | 'firm'

/** DodatkowyOpis: what firms tell beside the fields of the form. */
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

/** At most so many different particulars of a sale, each a key with its value. */
export function drawParticulars(
  draw: Draw,
  count: number,
  about: ReadonlySet<ParticularOf>,
): (readonly [string, string])[] {
  const fitting = particulars.filter(([of]) => about.has(of))
  if (fitting.length === 0) return []
  const first = draw.int(0, fitting.length - 1)
  return Array.from({ length: Math.min(count, fitting.length) }, (_, i) => {
    const [, key, value] = fitting[(first + i) % fitting.length]!
    return [key, value(draw)] as const
  })
}
