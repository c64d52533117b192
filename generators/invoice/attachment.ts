import { children, textAt } from '../schema/document.ts'
import type { Element } from '../schema/document.ts'
import { addDays, workday, workdayAfter } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Shop } from './item.ts'
import { formatCents } from '../../lib/decimal.ts'
import type { About } from './particulars.ts'
import { drawParticulars } from './particulars.ts'
import type { ColumnType, Statement, StatementId } from './statements.ts'
import { statements } from './statements.ts'
import { awkwardDetail } from './text.ts'

/** What an attachment needs to know about a sale. */
interface Sale extends Pick<Shop, 'kind' | 'continuous' | 'uncarried'> {
  /** Nothing is packed for it. */
  readonly overTheCounter: boolean
  readonly about: About
}

/** What a row of a table is about. */
interface Subject {
  readonly name: string
  readonly day: string
}

/** A row of an invoice or of its order: what, and how much of it. */
interface Sold {
  readonly name: string
  readonly unit: string | undefined
  readonly quantity: number
  readonly day: string | undefined
}

const columnTypes = ['txt', 'date', 'datetime', 'time', 'int', 'dec'] as const

/** All elements of a name below an element. */
const below = (element: Element, wanted: string): Element[] =>
  children(element).flatMap((each) => (each.name === wanted ? [each] : [...below(each, wanted)]))

/** What is sold, each once. */
function soldIn(fa: Element): Sold[] {
  const rows = ['FaWiersz', 'ZamowienieWiersz'].flatMap((name) => below(fa, name))
  const sold = rows.map((row) => ({
    name: textAt(row, 'P_7') ?? textAt(row, 'P_7Z') ?? 'pozycja',
    unit: textAt(row, 'P_8A') ?? textAt(row, 'P_8AZ'),
    quantity: Number(textAt(row, 'P_8B') ?? textAt(row, 'P_8BZ') ?? 1),
    day: textAt(row, 'P_6A'),
  }))
  return [...new Map(sold.map((each) => [each.name, each])).values()]
}

/** What is measured while it is used, not charged by the month. */
const isMetered = ({ unit }: Sold) => unit !== 'mies.'

/** What the attachment states: for a correction, what it corrects; for an advance, what was ordered. */
function statementOf(fa: Element, sale: Sale, sold: readonly Sold[]): StatementId {
  if (below(fa, 'DaneFaKorygowanej').length > 0) return 'corrected'
  if (below(fa, 'ZamowienieWiersz').length > 0) return 'ordered'
  if (sale.continuous && sold.some(isMetered)) return 'metered'
  return sale.kind === 'goods' && (sale.uncarried || sale.overTheCounter) ? 'handed' : sale.kind
}

/** `count` working days before a day: spread over weeks, or directly before it. */
function workingDays({ draw }: Draft, until: string, overWeeks: boolean, count: number): string[] {
  const step = draw.int(1, 3)
  return Array.from({ length: count }, (_, i) =>
    workday(addDays(until, overWeeks ? -step * (count - i) : i < count / 2 ? -2 : -1)),
  )
}

/** A row for each invoice corrected, for each thing ordered or supplied, or for each day of work. */
function subjectsOf(draft: Draft, id: StatementId, fa: Element, sold: readonly Sold[]): Subject[] {
  const { issueDate, draw } = draft
  if (id === 'corrected') {
    return below(fa, 'DaneFaKorygowanej').map((each) => ({
      name: textAt(each, 'NrFaKorygowanej') ?? '',
      day: textAt(each, 'DataWystFaKorygowanej') ?? issueDate,
    }))
  }
  if (id === 'ordered') {
    // One day for the whole order: in construction, no row can be finished before another.
    const day = workdayAfter(addDays(issueDate, draw.int(14, 60)))
    return sold.map(({ name }) => ({ name, day }))
  }
  const lasting = below(fa, 'P_6_Od').length > 0
  const supplied = textAt(fa, 'P_6') ?? issueDate
  if (id === 'metered') {
    return sold.filter(isMetered).map(({ name }) => ({ name, day: supplied }))
  }
  if (id === 'handed' || (id === 'services' && !lasting)) {
    return sold
      .map(({ name, day }) => ({ name, day: day ?? supplied }))
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  }
  // Not more packages than pieces.
  const pieces = Math.ceil(sold.reduce((sum, { quantity }) => sum + quantity, 0))
  const max = Math.max(1, id === 'goods' ? Math.min(8, pieces) : 8)
  const first = sold.reduce((min, { day = min }) => (day < min ? day : min), supplied)
  return workingDays(draft, first, lasting || id === 'works', draw.int(1, max)).map((day, i) => ({
    name: sold[i % sold.length]?.name ?? '',
    day,
  }))
}

/** A cell in the row of a moment: minutes of a day. */
function cell(
  { draw }: Draft,
  { columns }: Statement,
  type: ColumnType,
  { subject, minutes, row }: { subject: Subject; minutes: number; row: number },
): string {
  const [, min = 0, max = 0] = type === 'txt' ? [] : (columns[type] ?? [])
  switch (type) {
    case 'txt':
      return columns.txt[1]?.(draw, row) ?? subject.name
    case 'int':
      return String(draw.int(min, max))
    case 'dec':
      return formatCents(BigInt(draw.int(min, max)))
    case 'date':
      return subject.day
    case 'datetime':
      return `${subject.day}T${new Date(minutes * 60_000).toISOString().slice(11, 19)}Z`
    case 'time':
      return `${String(draw.int(min, max)).padStart(2, '0')}:30:00`
  }
}

/** The sum of the cells of a column, where it has one. */
function sumOf(type: ColumnType, cells: readonly string[]): string {
  if (type === 'txt') return 'Razem'
  if (type === 'int') return String(cells.reduce((sum, each) => sum + Number(each), 0))
  return ''
}

function table(draft: Draft, statement: Statement, subjects: readonly Subject[]): Element {
  const { el, draw, issueDate } = draft
  const { columns } = statement
  // On the day of issue, the hours to come are not known.
  const past = subjects.every(({ day }) => day < issueDate)
  const types = columnTypes.filter(
    (type) =>
      type === 'txt' ||
      type === 'date' ||
      (columns[type] !== undefined && (past || !type.endsWith('time')) && draw.chance(50)),
  )
  const minutes = subjects.map(() => draw.int(360, 659)).toSorted((a, b) => a - b)
  const rows = subjects.map((subject, row) =>
    types.map((type) => cell(draft, statement, type, { subject, minutes: minutes[row]!, row })),
  )
  const [first, last] = [subjects[0]?.day, subjects.at(-1)?.day]
  const parts: Element[] = []
  if (first !== last && draw.chance(30)) {
    parts.push(el('TMetaDane', [el('TKlucz', 'okres'), el('TWartosc', `${first} do ${last}`)]))
  }
  const columnOf = (type: ColumnType) =>
    el('Kol', [el('NKom', columns[type]?.[0] ?? '')], [{ name: 'Typ', value: type }])
  const rowOf = (row: string, name: string, cells: readonly string[]) =>
    el(
      row,
      cells.map((each) => el(name, each)),
    )
  parts.push(el('TNaglowek', types.map(columnOf)))
  parts.push(...rows.map((cells) => rowOf('Wiersz', 'WKom', cells)))
  if (rows.length > 1 && types.includes('int') && draw.chance(60)) {
    const sums = types.map((type, at) =>
      sumOf(
        type,
        rows.map((row) => row[at]!),
      ),
    )
    parts.push(rowOf('Suma', 'SKom', sums))
  }
  return el('Tabela', parts)
}

/** Zalacznik: blocks of data, text and tables; every row has as many cells as there are columns. */
export function attachment(draft: Draft, fa: Element, sale: Sale): Element {
  const { el, draw } = draft
  const sold = soldIn(fa)
  const id = statementOf(fa, sale, sold)
  const statement: Statement = statements[id]
  // A list is complete in one block; a diary of works can have two.
  const count = draw.int(1, id === 'works' ? 2 : 1)
  // A particular in the attachment has the value that the invoice states for it.
  const said = new Map(
    below(fa, 'DodatkowyOpis').map((each) => [textAt(each, 'Klucz'), textAt(each, 'Wartosc')]),
  )
  const particulars = drawParticulars(draw, draw.int(1, 3), sale.about)
  const blocks = Array.from({ length: count }, (_, block) => {
    const parts: Element[] = []
    if (draw.chance(50)) parts.push(el('ZNaglowek', statement.heading))
    const own = particulars.filter((_each, i) => i % count === block)
    const metadata = own.length > 0 ? own : ([['Część', String(block + 1)]] as const)
    for (const [key, value] of metadata) {
      parts.push(el('MetaDane', [el('ZKlucz', key), el('ZWartosc', said.get(key) ?? value)]))
    }
    if (draw.chance(40)) {
      const detail = draw.chance(4) ? `; ${awkwardDetail(draw)}` : ''
      parts.push(el('Tekst', [el('Akapit', `${statement.sentence}${detail}`)]))
    }
    parts.push(table(draft, statement, subjectsOf(draft, id, fa, sold)))
    return el('BlokDanych', parts)
  })
  return el('Zalacznik', blocks)
}
