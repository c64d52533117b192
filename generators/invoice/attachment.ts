import type { Element } from '../schema/document.ts'
import type { Draw } from '../draw/draw.ts'
import { addDays, workday } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Shop } from './item.ts'
import { formatCents } from '../../lib/decimal.ts'
import type { ParticularOf } from './text.ts'
import { awkwardDetail, drawParticulars } from './text.ts'

/** A column: its heading, and the least and the most that a cell of it says, where it counts or measures. */
type Column = readonly [heading: string, least?: number, most?: number]

/** What a kind of seller tells in blocks and tables. */
interface Statement {
  readonly heading: string
  readonly sentence: string
  readonly columns: {
    readonly txt: readonly [heading: string, cell: (draw: Draw) => string]
    readonly int: Column
    /** In hundredths. */
    readonly dec: Column
    readonly date: Column
    readonly datetime: Column
    /** In hours. */
    readonly time: Column
  }
}
type ColumnType = keyof Statement['columns']

const statements = {
  metered: {
    heading: 'Zestawienie zużycia',
    sentence: 'Rozliczenie według odczytów',
    columns: {
      txt: ['Punkt pomiaru', (draw) => `punkt ${draw.int(1, 99)}`],
      int: ['Liczba odczytów', 1, 4],
      dec: ['Stan', 10_000, 999_999],
      date: ['Data odczytu'],
      datetime: ['Chwila odczytu'],
      time: ['Godzina szczytu', 7, 21],
    },
  },
  works: {
    heading: 'Dziennik robót',
    sentence: 'Roboty według dziennika budowy',
    columns: {
      txt: ['Miejsce', (draw) => `oś ${draw.pick(['A', 'B', 'C', 'D'])}/${draw.int(1, 9)}`],
      int: ['Liczba zdjęć', 2, 9],
      dec: ['Temperatura (°C)', 500, 2_400],
      date: ['Data odbioru'],
      datetime: ['Początek prac'],
      time: ['Godzina odbioru', 13, 16],
    },
  },
  services: {
    heading: 'Wykaz czynności',
    sentence: 'Czynności według kart pracy',
    columns: {
      txt: ['Czynność', (draw) => draw.pick(['konsultacja', 'wykonanie', 'sprawdzenie'])],
      int: ['Liczba załączników', 0, 4],
      dec: ['Dojazd (km)', 100, 9_900],
      date: ['Data'],
      datetime: ['Początek'],
      time: ['Godzina zakończenia', 13, 17],
    },
  },
  goods: {
    heading: 'Specyfikacja wysyłki',
    sentence: 'Masa według wagi nadawcy',
    columns: {
      txt: ['Opakowanie', (draw) => `opakowanie ${draw.int(1, 99)}`],
      int: ['Liczba warstw', 1, 5],
      dec: ['Masa brutto (kg)', 200, 60_000],
      date: ['Data pakowania'],
      datetime: ['Chwila ważenia'],
      time: ['Godzina załadunku', 13, 18],
    },
  },
} as const satisfies Readonly<Record<string, Statement>>

/** What such a seller tells beside its tables. */
const beside: ReadonlySet<ParticularOf> = new Set(['sale', 'order', 'firm'])

const columnTypes = ['txt', 'date', 'datetime', 'time', 'int', 'dec'] as const

/** A cell in the row of a day. */
function cell({ draw }: Draft, columns: Statement['columns'], type: ColumnType, day: string) {
  const [, least = 0, most = 0] = columns[type] as Column
  switch (type) {
    case 'txt':
      return columns.txt[1](draw)
    case 'int':
      return String(draw.int(least, most))
    case 'dec':
      return formatCents(BigInt(draw.int(least, most)))
    case 'date':
      return day
    case 'datetime':
      return `${day}T${String(draw.int(6, 10)).padStart(2, '0')}:${draw.int(10, 59)}:00Z`
    case 'time':
      return `${String(draw.int(least, most)).padStart(2, '0')}:30:00`
  }
}

/** The sum of the cells of a column, where it has one. */
function sumOf(type: ColumnType, cells: readonly string[]): string {
  if (type === 'txt') return 'Razem'
  if (type === 'int') return String(cells.reduce((sum, each) => sum + Number(each), 0))
  return ''
}

function table(draft: Draft, { columns }: Statement): Element {
  const { el, draw, issueDate } = draft
  const types = columnTypes.filter((type) => type === 'txt' || type === 'date' || draw.chance(50))
  const count = draw.int(1, 8)
  const step = draw.int(1, 3)
  const days = Array.from({ length: count }, (_, i) =>
    workday(addDays(issueDate, -step * (count - i))),
  )
  const rows = days.map((day) => types.map((type) => cell(draft, columns, type, day)))
  const parts: Element[] = []
  if (draw.chance(30)) {
    const period = `${days[0]} do ${issueDate}`
    parts.push(el('TMetaDane', [el('TKlucz', 'okres'), el('TWartosc', period)]))
  }
  parts.push(
    el(
      'TNaglowek',
      types.map((type) =>
        el('Kol', [el('NKom', columns[type][0])], [{ name: 'Typ', value: type }]),
      ),
    ),
    ...rows.map((row) =>
      el(
        'Wiersz',
        row.map((each) => el('WKom', each)),
      ),
    ),
  )
  if (types.includes('int') && draw.chance(60)) {
    const sums = types.map((type, at) =>
      sumOf(
        type,
        rows.map((row) => row[at]!),
      ),
    )
    parts.push(
      el(
        'Suma',
        sums.map((sum) => el('SKom', sum)),
      ),
    )
  }
  return el('Tabela', parts)
}

/** Zalacznik: blocks of data, text and tables; every row has as many cells as there are columns. */
export function attachment(
  draft: Draft,
  { kind, continuous }: Pick<Shop, 'kind' | 'continuous'>,
): Element {
  const { el, draw } = draft
  const statement: Statement = statements[continuous ? 'metered' : kind]
  const count = draw.int(1, 2)
  const particulars = drawParticulars(draw, draw.int(1, 3), beside)
  const blocks = Array.from({ length: count }, (_, block) => {
    const parts: Element[] = []
    if (draw.chance(50)) parts.push(el('ZNaglowek', statement.heading))
    const own = particulars.filter((_each, i) => i % count === block)
    const told = own.length > 0 ? own : ([['Część', String(block + 1)]] as const)
    for (const [key, value] of told) {
      parts.push(el('MetaDane', [el('ZKlucz', key), el('ZWartosc', value)]))
    }
    if (draw.chance(40)) {
      const detail = draw.chance(4) ? `; ${awkwardDetail(draw)}` : ''
      parts.push(el('Tekst', [el('Akapit', `${statement.sentence}${detail}`)]))
    }
    for (let i = draw.int(1, 2); i > 0; i--) parts.push(table(draft, statement))
    return el('BlokDanych', parts)
  })
  return el('Zalacznik', blocks)
}
