import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { formatCents } from '../../lib/decimal.ts'
import type { ParticularOf } from './text.ts'
import { awkwardDetail, drawParticulars } from './text.ts'

/** Types of columns, and what a supplier of energy or water writes in such. */
const columns = {
  txt: 'Licznik',
  int: 'Liczba dni',
  dec: 'Zużycie',
  date: 'Data odczytu',
  datetime: 'Chwila odczytu',
  time: 'Godzina szczytu',
} as const
type ColumnType = keyof typeof columns

/** What such a supplier tells beside its tables. */
const metered: ReadonlySet<ParticularOf> = new Set(['sale', 'order', 'firm'])
const columnTypes = Object.keys(columns) as ColumnType[]

function cell(draft: Draft, type: ColumnType): string {
  const { draw, issueDate } = draft
  switch (type) {
    case 'txt':
      return draw.chance(5) ? '' : `licznik ${draw.int(1, 99)}`
    case 'int':
      return String(draw.int(0, 9999))
    case 'dec':
      return formatCents(BigInt(draw.int(0, 999_999)))
    case 'date':
      return addDays(issueDate, -draw.int(0, 60))
    case 'datetime':
      return `${addDays(issueDate, -draw.int(0, 60))}T10:15:00Z`
    case 'time':
      return `${String(draw.int(0, 23)).padStart(2, '0')}:30:00`
  }
}

function table(draft: Draft): Element {
  const { el, draw } = draft
  const types = Array.from({ length: draw.int(1, 5) }, () => draw.pick(columnTypes))
  const rows = draw.int(1, 8)
  const parts: Element[] = []
  if (draw.chance(30))
    parts.push(el('TMetaDane', [el('TKlucz', 'okres'), el('TWartosc', draft.issueDate)]))
  if (draw.chance(40)) parts.push(el('Opis', 'Odczyty w okresie rozliczeniowym'))
  parts.push(
    el(
      'TNaglowek',
      types.map((type, i) =>
        el('Kol', [el('NKom', `${columns[type]} (${i + 1})`)], [{ name: 'Typ', value: type }]),
      ),
    ),
  )
  for (let i = 0; i < rows; i++) {
    parts.push(
      el(
        'Wiersz',
        types.map((type) => el('WKom', cell(draft, type))),
      ),
    )
  }
  if (draw.chance(30)) {
    parts.push(
      el(
        'Suma',
        types.map((type) => el('SKom', type === 'txt' ? 'Razem' : '')),
      ),
    )
  }
  return el('Tabela', parts)
}

/** Zalacznik: blocks of data, text and tables; every row has as many cells as there are columns. */
export function attachment(draft: Draft): Element {
  const { el, draw } = draft
  const blocks = Array.from({ length: draw.int(1, 2) }, () => {
    const parts: Element[] = []
    if (draw.chance(50)) parts.push(el('ZNaglowek', 'Zestawienie zużycia'))
    for (const [key, value] of drawParticulars(draw, draw.int(1, 3), metered)) {
      parts.push(el('MetaDane', [el('ZKlucz', key), el('ZWartosc', value)]))
    }
    if (draw.chance(40)) {
      parts.push(
        el(
          'Tekst',
          Array.from({ length: draw.int(1, 3) }, () =>
            el(
              'Akapit',
              `Rozliczenie według wskazań liczników${draw.chance(10) ? `; ${awkwardDetail(draw)}` : ''}`,
            ),
          ),
        ),
      )
    }
    for (let i = draw.int(0, 2); i > 0; i--) parts.push(table(draft))
    return el('BlokDanych', parts)
  })
  return el('Zalacznik', blocks)
}
