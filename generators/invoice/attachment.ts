import type { Element } from '../schema/document.ts'
import type { Draw } from '../draw/draw.ts'
import { addDays, firstDay, workday } from './dates.ts'
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
    readonly txt: readonly [
      heading: string,
      cell: (draw: Draw, row: number, sold: readonly string[]) => string,
    ]
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
      txt: ['Licznik', (draw) => `licznik ${draw.int(1, 99)}`],
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
    sentence: 'Czynności według zleceń',
    columns: {
      txt: ['Czynność', (_draw, row, sold) => sold[row % sold.length] ?? 'usługa'],
      int: ['Liczba zleceń', 1, 4],
      dec: ['Ocena (od 1 do 5)', 300, 500],
      date: ['Data'],
      datetime: ['Chwila zgłoszenia'],
      time: ['Godzina potwierdzenia', 13, 17],
    },
  },
  goods: {
    heading: 'Specyfikacja wysyłki',
    sentence: 'Masa według wagi nadawcy',
    columns: {
      txt: ['Opakowanie', (_draw, row) => `opakowanie ${row + 1}`],
      int: ['Liczba warstw', 1, 5],
      dec: ['Masa brutto (kg)', 200, 60_000],
      date: ['Data pakowania'],
      datetime: ['Chwila ważenia'],
      time: ['Godzina załadunku', 13, 18],
    },
  },
  handed: {
    heading: 'Protokół przekazania',
    sentence: 'Przekazano zgodnie z umową',
    columns: {
      txt: ['Przedmiot', (_draw, row, sold) => sold[row % sold.length] ?? 'przedmiot'],
      int: ['Liczba dokumentów', 1, 4],
      dec: ['Udział (%)', 10_000, 10_000],
      date: ['Data przekazania'],
      datetime: ['Chwila przekazania'],
      time: ['Godzina podpisania', 13, 16],
    },
  },
} as const satisfies Readonly<Record<string, Statement>>

type StatementId = keyof typeof statements

/** What a shop tells; what no vehicle carries is handed over. */
const statementOf = ({ kind, continuous, uncarried }: Told): StatementId =>
  continuous ? 'metered' : kind === 'goods' && uncarried ? 'handed' : kind

/** What an attachment asks of a shop. */
type Told = Pick<Shop, 'kind' | 'continuous' | 'uncarried'>

/** What such a seller tells beside its tables. */
const beside: ReadonlySet<ParticularOf> = new Set(['sale', 'order', 'firm'])

const columnTypes = ['txt', 'date', 'datetime', 'time', 'int', 'dec'] as const

/** What an attachment is about: what is sold, and the day by which it was supplied, over a month or at once. */
interface Subject {
  readonly sold: readonly string[]
  readonly until: string
  readonly lasting: boolean
  /** A row for each thing sold, and no more. */
  readonly listed: boolean
}

/** The texts of all elements of a name below an element. */
const textsOf = ({ name, content }: Element, wanted: string): string[] =>
  typeof content === 'string'
    ? name === wanted
      ? [content]
      : []
    : content.flatMap((each) => textsOf(each, wanted))

function subjectOf({ issueDate }: Draft, id: StatementId, fa: Element): Subject {
  const lasting = textsOf(fa, 'P_6_Od').length > 0
  const sold = [...new Set([...textsOf(fa, 'P_7'), ...textsOf(fa, 'P_7Z')])]
  const listed =
    (id === 'services' || id === 'handed') && !lasting && sold.length > 0 && sold.length <= 8
  return { sold, lasting, listed, until: lasting ? issueDate : firstDay(issueDate, [fa]) }
}

/** The days of so many rows, in order. What is supplied at once was ordered a few days before. */
function daysOf({ draw }: Draft, { until, lasting }: Subject, count: number): string[] {
  const step = draw.int(1, 3)
  return Array.from({ length: count }, (_, i) =>
    workday(addDays(until, lasting ? -step * (count - i) : i < count / 2 ? -2 : -1)),
  )
}

/** A cell in the row of a moment: minutes of a day. */
function cell(
  { draw }: Draft,
  columns: Statement['columns'],
  type: ColumnType,
  {
    day,
    minutes,
    row,
    sold,
  }: { day: string; minutes: number; row: number; sold: readonly string[] },
) {
  const [, least = 0, most = 0] = columns[type] as Column
  switch (type) {
    case 'txt':
      return columns.txt[1](draw, row, sold)
    case 'int':
      return String(draw.int(least, most))
    case 'dec':
      return formatCents(BigInt(draw.int(least, most)))
    case 'date':
      return day
    case 'datetime':
      return `${day}T${new Date(minutes * 60_000).toISOString().slice(11, 19)}Z`
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

function table(draft: Draft, { columns }: Statement, subject: Subject): Element {
  const { el, draw } = draft
  const types = columnTypes.filter((type) => type === 'txt' || type === 'date' || draw.chance(50))
  const count = subject.listed ? subject.sold.length : draw.int(1, 8)
  const days = daysOf(draft, subject, count)
  const minutes = days.map(() => draw.int(360, 659)).toSorted((a, b) => a - b)
  const rows = days.map((day, i) => {
    const about = { day, minutes: minutes[i]!, row: i, sold: subject.sold }
    return types.map((type) => cell(draft, columns, type, about))
  })
  const parts: Element[] = []
  if (draw.chance(30)) {
    const period = `${days[0]} do ${days.at(-1)}`
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
export function attachment(draft: Draft, shop: Told, fa: Element): Element {
  const { el, draw } = draft
  const id = statementOf(shop)
  const subject = subjectOf(draft, id, fa)
  const statement: Statement = statements[id]
  // What was supplied at once is listed once.
  const upTo = subject.lasting || id === 'works' ? 2 : 1
  const count = draw.int(1, upTo)
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
    for (let i = draw.int(1, upTo); i > 0; i--) parts.push(table(draft, statement, subject))
    return el('BlokDanych', parts)
  })
  return el('Zalacznik', blocks)
}
