import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { rateRules } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { openBatch } from '../../lib/flows/batch.ts'
import { ratesIfReported } from '../../lib/flows/limits.ts'
import { packBatch } from '../../lib/node/archive.ts'
import { ratedCalls } from '../../lib/node/rated-calls.ts'
import { countedAs, thresholdsOf } from '../../lib/pacer.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { wireOperation } from '../../lib/wire.ts'
import type { Subject } from '../../load/probes/job.ts'
import type { ProbeCall } from '../../load/probes/bench.ts'
import type { Caller } from './callers.ts'

/** Rows of the rate table as probes need them: a call that can be repeated, and the thresholds in force. */

export const rows = Object.keys(rateRules) as RateRuleId[]

/** The thresholds that the target reports for the context, else those of the contract. */
const thresholdsFor = async (row: RateRuleId, { api }: Caller): Promise<Required<Thresholds>> =>
  (await ratesIfReported(api.with({ ...api.identity })))[row] ??
  (thresholdsOf(row, api.dialect) as Required<Thresholds>)

/** When the caller made calls that count with an operation, by the target's clock. */
const alreadyMade = (
  operation: OperationId,
  { api, exchanges }: Caller,
  offsetMs: number,
): Subject['already'] => {
  const counter = (id: OperationId) => {
    const { rate } = wireOperation(id, api.dialect)
    return rate === 'default' ? id : countedAs(rate, api.dialect)
  }
  return exchanges
    .filter((exchange) => exchange.operation !== undefined)
    .filter((exchange) => counter(exchange.operation as OperationId) === counter(operation))
    .map(({ startedAt, ms }) => [startedAt + offsetMs, startedAt + ms + offsetMs] as const)
}

const subject = async (
  row: RateRuleId,
  call: ProbeCall & { readonly operation: OperationId },
  caller: Caller,
  offsetMs: number,
  thresholds?: Required<Thresholds>,
): Promise<Subject> => ({
  row,
  call,
  thresholds: thresholds ?? (await thresholdsFor(row, caller)),
  already: alreadyMade(call.operation, caller, offsetMs),
})

/** A row by its usual call. */
export const subjectOfRow = async (
  row: RateRuleId,
  caller: Caller,
  offsetMs: number,
  thresholds?: Required<Thresholds>,
): Promise<Subject> => {
  const { operation, prepare } = ratedCalls[row]
  const { api, invoice } = caller
  const options = await prepare({ api, invoice, now: () => Date.now() + offsetMs })
  const call = { operation, ...options } as ProbeCall & { operation: OperationId }
  return subject(row, call, caller, offsetMs, thresholds)
}

/** Second operations of rows that have several: they are refused for what they name, and count all the same. */
const seconds = {
  batch: ['sessions.closeBatch', ['referenceNumber']],
  sessionOther: ['receipts.session', ['referenceNumber', 'upoReferenceNumber']],
  sessionInvoices: ['sessions.failed', ['referenceNumber']],
} as const satisfies Partial<Record<RateRuleId, readonly [OperationId, readonly string[]]>>

/** Rows with several operations. */
export const sharedRows = Object.keys(seconds) as (keyof typeof seconds)[]

const unknownReference = '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D'

/** Two operations of one row. */
export const subjectsOfSharedRow = async (
  row: keyof typeof seconds,
  caller: Caller,
  offsetMs: number,
): Promise<readonly Subject[]> => {
  const first = await subjectOfRow(row, caller, offsetMs)
  const [operation, parameters] = seconds[row]
  const given = 'path' in first.call ? first.call.path?.['referenceNumber'] : undefined
  const path = Object.fromEntries(
    parameters.map((name) => [
      name,
      name === 'referenceNumber' ? (given ?? unknownReference) : unknownReference,
    ]),
  )
  return [first, await subject(row, { operation, path }, caller, offsetMs)]
}

/** Operations without their own row, each counted separately. */
const defaultOperations = ['limits.context', 'limits.subject', 'limits.rates'] as const

export const defaultSubjects = (caller: Caller, offsetMs: number): Promise<readonly Subject[]> =>
  Promise.all(
    defaultOperations
      .filter((operation) => endpoint(operation).rate === 'default')
      .map((operation) => subject('default', { operation }, caller, offsetMs)),
  )

/** The upload of a part, which no row limits. */
export const uploadSubject = async (caller: Caller): Promise<Subject> => {
  const batch = await packBatch({ 'invoice.xml': caller.invoice() })
  const { uploads } = await openBatch(caller.api, batch, { formCode: invoiceSchemas.fa3.formCode })
  const [upload] = uploads
  const [part] = batch.parts
  if (upload === undefined || part === undefined) throw new Error('the package has no part')
  return {
    row: 'unlimited',
    call: { upload, base64: caller.api.codec.base64(part.bytes) },
    thresholds: { perSecond: 0, perMinute: 0, perHour: 0 },
    already: [],
  }
}
