import type { OperationId } from '../../../contract/endpoints.ts'
import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import { bearerOf, refused, succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { readToken } from '../../../lib/flows/login.ts'
import { referenceKind } from '../../../lib/identifiers/reference-number.ts'
import { leadsTo } from '../../../lib/lifecycle.ts'
import { actionCell, moves, stateCell, transitionCell } from './lifecycle-cells.ts'

/** What the exchanges of a check show of lifecycles: the states that answers report, one after another. */

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const rowsOf = (body: unknown, name: string): readonly Fields[] => {
  const rows = isFields(body) ? body[name] : undefined
  return Array.isArray(rows) ? rows.filter(isFields) : []
}

export const segmentsOf = (url: string): readonly string[] =>
  (url.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '')

/** Of a session its reference tells which of the two kinds it is. */
type Reporting = Lifecycle | 'session'

/** The operations whose answers report states, with the list that the states are in. Their rows name what they are of. */
const reporting: Readonly<Partial<Record<OperationId, readonly [of: Reporting, list?: string]>>> = {
  'auth.status': ['authentication'],
  'auth.sessions': ['authentication', 'items'],
  'tokens.status': ['token'],
  'tokens.list': ['token', 'tokens'],
  'sessions.status': ['session'],
  'sessions.list': ['session', 'sessions'],
  'sessions.invoices': ['invoice', 'invoices'],
  'sessions.failed': ['invoice', 'invoices'],
  'invoices.inSession': ['invoice'],
  'invoices.status': ['invoice'],
  'invoices.statusBySvcNumber': ['invoice'],
  'exports.status': ['export'],
  'operations.status': ['operation'],
  'certificates.enrollment': ['application'],
  'certificates.query': ['certificate', 'certificates'],
}

/** A state that an answer reports. */
interface Report {
  readonly of: Lifecycle
  readonly id: string
  readonly code: number
}

const lifecycleOf = (of: Reporting, id: string): Lifecycle | undefined => {
  if (of !== 'session') return of
  const kind = referenceKind(id)
  return kind === 'SO' ? 'onlineSession' : kind === 'SB' ? 'batchSession' : undefined
}

/** The code of a state; some lifecycles report its name. */
const codeOf = (of: Lifecycle, status: unknown): number | undefined => {
  if (typeof status === 'string') return lifecycles[of].find(({ name }) => name === status)?.code
  const code = isFields(status) ? status['code'] : undefined
  return typeof code === 'number' ? code : undefined
}

/** What a row of a list is about; alone, a record is about what its address names. */
const idOf = (row: Fields, url: string, list: string | undefined): unknown =>
  row['referenceNumber'] ??
  (list === undefined ? segmentsOf(url).at(-1) : row['certificateSerialNumber'])

export const reportsIn = (exchange: Exchange): readonly Report[] => {
  const { operation, body, request } = exchange
  const [reported, list] = (operation && reporting[operation]) ?? []
  if (reported === undefined || !succeeded(exchange)) return []
  const rows = list === undefined ? (isFields(body) ? [body] : []) : rowsOf(body, list)
  return rows.flatMap((row) => {
    const id = idOf(row, request.url, list)
    const of = typeof id === 'string' ? lifecycleOf(reported, id) : undefined
    const code = of && codeOf(of, row['status'])
    return of === undefined || code === undefined ? [] : { of, id: String(id), code }
  })
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A token in an answer. */
const tokenIn = (body: unknown, name: string): string | undefined =>
  isFields(body) ? readToken(body[name])?.token : undefined

/** What the exchanges of a check show, as cells of the matrices. */
export interface Reached {
  readonly states: ReadonlySet<string>
  readonly transitions: ReadonlySet<string>
  /** Actions in states that do not permit them, which had no effect. */
  readonly actions: ReadonlySet<string>
  /** Steps that no path of the lifecycle leads along. */
  readonly illegal: ReadonlySet<string>
}

interface Tried {
  readonly cell: string
  readonly of: Lifecycle
  readonly code: number
}

/** Reads the states that exchanges report, in their order. */
export const reachedIn = (exchanges: readonly Exchange[]): Reached => {
  const [states, transitions, actions, illegal] = [1, 2, 3, 4].map(() => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  const now = new Map<string, Report>()
  /** The authentication that a token belongs to. */
  const owners = new Map<string, string>()
  /** Actions that were not refused: what is reported next shows whether they had an effect. */
  const open = new Map<string, Tried[]>()
  for (const exchange of exchanges) {
    const { operation, body, request } = exchange
    const move = operation && moves[operation]
    if (operation !== undefined && move !== undefined) {
      const id = [owners.get(bearerOf(request) ?? ''), ...segmentsOf(request.url)].find(
        (part) => part !== undefined && now.get(part)?.of === move.of,
      )
      const report = id === undefined ? undefined : now.get(id)
      if (id !== undefined && report !== undefined && !move.from.includes(report.code)) {
        const cell = actionCell(move.of, report.code, operation)
        if (refused(exchange)) actions.add(cell)
        else if (succeeded(exchange))
          open.set(id, [...(open.get(id) ?? []), { cell, of: move.of, code: report.code }])
      }
    }
    if (!succeeded(exchange)) continue
    const reference = isFields(body) ? text(body['referenceNumber']) : undefined
    const started = tokenIn(body, 'authenticationToken')
    if (reference !== undefined && started !== undefined) owners.set(started, reference)
    const refresh = tokenIn(body, 'refreshToken')
    const owner = owners.get(bearerOf(request) ?? '')
    if (refresh !== undefined && owner !== undefined) owners.set(refresh, owner)
    for (const report of reportsIn(exchange)) {
      const { of, id, code } = report
      states.add(stateCell(of, code))
      const before = now.get(id)
      if (before !== undefined && before.code !== code) {
        if (leadsTo(of, before.code, code)) transitions.add(transitionCell(of, before.code, code))
        else illegal.add(transitionCell(of, before.code, code))
      }
      for (const tried of open.get(id) ?? [])
        if (leadsTo(of, tried.code, code)) actions.add(tried.cell)
      open.delete(id)
      now.set(id, report)
    }
  }
  return { states, transitions, actions, illegal }
}
