import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import { succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { leadsTo } from '../../../lib/lifecycle.ts'
import { conformityRules, hashRule } from '../answers/conformity.ts'
import type { Contradiction } from '../answers/conformity.ts'
import { kinds, lists } from './lasting-facts.ts'
import type { Kind } from './lasting-facts.ts'
import { meaningOf, meaningOfRow } from '../answers/meaning.ts'
import { isFields, reportsIn, rowsOf, segmentsOf } from '../coverage/reached.ts'
import type { Fields } from '../coverage/reached.ts'
import { lifetimeRules } from './stated-lifetimes.ts'
import { rowRules } from './wrong-rows.ts'

/**
 * Answers of a check that contradict each other, whatever the check is about: a fact of a resource that changed although
 * nothing in the contract changes it, a state that came back, counts that do not add up. Answers may lag behind, so what is
 * absent in one of two contradicts nothing, and states are compared as one operation reports them.
 */

const nameOf = (row: Fields, field: string | undefined, url: string, alone: boolean): unknown =>
  field === undefined
    ? (row['referenceNumber'] ?? (alone ? segmentsOf(url).at(-1) : undefined))
    : row[field]

/** What an answer tells of a resource. */
interface Told {
  readonly value: unknown
  readonly by: OperationId
  /** The same for each way to write it, without the fields that the contract does not name. */
  readonly stated: () => unknown
}

/** What is written alike states the same: the rest is worth a closer look. */
const differ = (one: Told, other: Told): boolean =>
  one.value !== other.value &&
  JSON.stringify(one.value) !== JSON.stringify(other.value) &&
  JSON.stringify(one.stated()) !== JSON.stringify(other.stated())

/** What one kind of resource is told to be, by several answers. */
const contradictionsOf = (
  what: string,
  { rule, facts, derived, told: by }: Kind,
  exchanges: readonly Exchange[],
): Contradiction[] => {
  const known = new Map<string, Told>()
  const found: Contradiction[] = []
  for (const exchange of exchanges) {
    const { operation, body, request } = exchange
    const how = operation && by[operation]
    if (operation === undefined || how === undefined || !isFields(body)) continue
    // A sibling of the target may give the same names.
    const { origin } = new URL(request.url)
    const { list } = how
    for (const row of list === undefined ? [body] : rowsOf(body, list)) {
      const name = nameOf(row, how.name, request.url, list === undefined)
      if (typeof name !== 'string') continue
      const meaning = () =>
        (list === undefined
          ? meaningOf(operation, body)
          : meaningOfRow(operation, list, row)) as Fields
      const told = [
        ...facts.map((fact) => [fact, row[fact]] as const),
        ...Object.entries(derived?.(row) ?? {}),
      ]
      for (const [fact, value] of told) {
        if (value === undefined || value === null) continue
        const key = `${origin} ${name} ${fact}`
        const now = { value, by: operation, stated: () => (fact in row ? meaning()[fact] : value) }
        const before = known.get(key)
        if (before === undefined) known.set(key, now)
        else if (differ(before, now))
          found.push({
            rule,
            exchange,
            text: `${fact} of ${name} is ${JSON.stringify(value)}; ${before.by} answered ${JSON.stringify(before.value)}`,
            cause: `${operation} contradicts what was answered about the same ${what} before`,
          })
      }
    }
  }
  return found
}

/** Rows that stand twice in one answer. */
const wrongLists = (exchanges: readonly Exchange[]): Contradiction[] =>
  exchanges.flatMap((exchange) => {
    const { operation, body } = exchange
    const shown = operation && lists[operation]
    if (shown === undefined) return []
    const names = rowsOf(body, shown.list).map((row) => row[shown.name ?? 'referenceNumber'])
    const seen = new Set<unknown>()
    const twice = names.filter((name) => seen.size === seen.add(name).size)
    return twice.map((name) => ({
      rule: shown.complete,
      exchange,
      text: `${String(name)} is listed twice`,
      cause: `answers of ${operation} have the same row twice`,
    }))
  })

/** The rule that has the states of a lifecycle move forward only. */
export const forward: Readonly<Record<Lifecycle, RuleId>> = {
  authentication: 'auth.status.moves-forward',
  onlineSession: 'sessions.status.moves-forward',
  batchSession: 'sessions.status.moves-forward',
  invoice: 'sessions.status.moves-forward',
  export: 'exports.status.moves-forward',
  token: 'tokens.status.moves-forward',
  operation: 'operations.status.reports',
  application: 'certificates.enrol',
  certificate: 'certificates.listed',
}

/** States that an operation reports although no path of the lifecycle leads there from what it reported before. */
const wrongSteps = (exchanges: readonly Exchange[]): Contradiction[] => {
  const last = new Map<string, { readonly code: number; readonly exchange: Exchange }>()
  const found: Contradiction[] = []
  for (const exchange of exchanges)
    for (const { of, id, code } of reportsIn(exchange)) {
      const key = `${exchange.operation} ${new URL(exchange.request.url).origin} ${id}`
      const before = last.get(key)
      last.set(key, { code, exchange })
      if (before === undefined || before.code === code || leadsTo(of, before.code, code)) continue
      // Answers to calls at the same time come in any order.
      if (before.exchange.span[1] < exchange.span[0])
        found.push({
          rule: forward[of],
          exchange,
          text: `${id} went from state ${before.code} to ${code}`,
          cause: `${exchange.operation} reports states out of their order`,
        })
    }
  return found
}

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** Counts of a session that do not add up. */
const wrongCounts = (exchanges: readonly Exchange[]): Contradiction[] =>
  exchanges.flatMap((exchange) => {
    const { operation, body } = exchange
    if (operation !== 'sessions.status' && operation !== 'sessions.list') return []
    const rows = operation === 'sessions.list' ? rowsOf(body, 'sessions') : [body].filter(isFields)
    return rows.flatMap((row) => {
      const all = countOf(row['invoiceCount'] ?? row['totalInvoiceCount'])
      const parts = [row['successfulInvoiceCount'], row['failedInvoiceCount']].map(countOf)
      const ended = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
      if (all === undefined || ended <= all) return []
      return {
        rule: 'sessions.status.counts' as const,
        exchange,
        text: `${ended} of ${all} invoices have succeeded or failed`,
        cause: `the counts in answers of ${operation} do not add up`,
      }
    })
  })

/** Invoices that are accepted without a service number, or have one although they are not accepted. */
const wrongOutcomes = (exchanges: readonly Exchange[]): Contradiction[] =>
  exchanges.flatMap((exchange) =>
    invoicesIn(exchange).flatMap((row) => {
      const { code } = (row['status'] ?? {}) as { readonly code?: unknown }
      const isNumbered = typeof row['svcNumber'] === 'string'
      if (exchange.operation === 'sessions.failed' && Number(code) < 400)
        return {
          rule: 'sessions.batch.failed-list' as const,
          exchange,
          text: `an invoice in state ${String(code)} is among those that failed`,
          cause: 'the list of failed invoices has others',
        }
      const contradicts = code === 200 ? !isNumbered : Number(code) >= 400 && isNumbered
      if (!contradicts) return []
      return {
        rule: 'invoices.number.unique' as const,
        exchange,
        text: `an invoice in state ${String(code)} has ${isNumbered ? 'a' : 'no'} service number`,
        cause: `state and service number in answers of ${exchange.operation} contradict each other`,
      }
    }),
  )

const invoicesIn = ({ operation, body }: Exchange): readonly Fields[] => {
  const how = operation && kinds['invoice of a session']?.told[operation]
  if (how === undefined) return []
  return how.list === undefined ? [body].filter(isFields) : rowsOf(body, how.list)
}

/** A document that is not the one which another answer with its number contained. */
const wrongDocuments = (exchanges: readonly Exchange[]): Contradiction[] => {
  const first = new Map<string, Exchange>()
  return exchanges.flatMap((exchange) => {
    const { operation, request, bytes } = exchange
    if (operation !== 'invoices.bySvcNumber') return []
    const before = first.get(request.url)
    if (before === undefined) first.set(request.url, exchange)
    if (before === undefined || Buffer.compare(before.bytes, bytes) === 0) return []
    return {
      rule: 'invoices.get.by-service-number' as const,
      exchange,
      text: `${segmentsOf(request.url).at(-1)} has ${bytes.length} bytes; ${before.bytes.length} others were answered before`,
      cause: 'a document is not the same in each answer',
    }
  })
}

/** What stays where it is once it was answered, and the rule by which it does. */
const lasting: Readonly<Partial<Record<OperationId, RuleId>>> = {
  'invoices.status': 'invoices.status.outcome',
  'invoices.statusBySvcNumber': 'invoices.status.outcome',
  'invoices.inSession': 'sessions.invoices.complete',
  'sessions.status': 'operations.status.kept',
  'tokens.status': 'tokens.status.described',
}

/** What a caller was told of, and later is not known. */
const wrongAbsences = (exchanges: readonly Exchange[]): Contradiction[] => {
  const told = new Map<string, Exchange>()
  return exchanges.flatMap((exchange) => {
    const { operation, request, status, span } = exchange
    const rule = operation && lasting[operation]
    if (rule === undefined) return []
    const key = `${request.headers['authorization']} ${request.url}`
    const before = told.get(key)
    if (succeeded(exchange)) told.set(key, exchange)
    if (before === undefined || status !== 404 || before.span[1] > span[0]) return []
    return {
      rule,
      exchange,
      text: `${segmentsOf(request.url).slice(-2).join('/')} is unknown, and was answered before`,
      cause: `${operation} does not know what it answered before`,
    }
  })
}

/** What the answers of a check contradict of each other. */
export const contradictionsIn = (exchanges: readonly Exchange[]): readonly Contradiction[] => {
  const answered = exchanges.filter(succeeded)
  return [
    ...wrongSteps(answered),
    ...wrongLists(answered),
    ...wrongCounts(answered),
    ...wrongOutcomes(answered),
    ...wrongDocuments(answered),
    ...wrongAbsences(exchanges),
    ...Object.entries(kinds).flatMap(([what, kind]) => contradictionsOf(what, kind, answered)),
  ]
}

/** The rules that own contradictions. */
export const contradictionRules: readonly RuleId[] = [
  ...new Set([
    ...Object.values(forward),
    ...Object.values(kinds).map(({ rule }) => rule),
    ...Object.values(lists).map(({ complete }) => complete),
    ...Object.values(lasting),
    'sessions.status.counts' as const,
    'invoices.number.unique' as const,
    'invoices.get.by-service-number' as const,
  ]),
]

/** The rules of which any answer can have a fault, whatever the check is about. */
export const answerRules: readonly RuleId[] = [
  ...new Set<RuleId>([
    ...conformityRules,
    hashRule,
    ...contradictionRules,
    ...lifetimeRules,
    ...rowRules,
  ]),
]
