import { crc8 } from '../../base/identifiers.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Invoice } from '../../model/documents.ts'
import { keyOf } from '../../model/entities.ts'
import { keptForAMonth } from '../ages.ts'
import type { Mutant } from '../mutant.ts'
import { describedAs } from '../reasons.ts'
import type { Fields } from '../rewrite.ts'
import { bodies, calls, decidedBy, refuses } from '../rewrite.ts'
import { day } from '../spans.ts'
import { inPackages, statuses } from '../statuses.ts'
import { isAlone } from '../ways-of-sending.ts'

const withWrongCheckValue = (svcNumber: string): string => {
  const right = Number.parseInt(crc8(svcNumber.slice(0, -3)), 16)
  const wrong = ((right + 1) % 256).toString(16).toUpperCase().padStart(2, '0')
  return svcNumber.slice(0, -2) + wrong
}

/** Whether the id that a call names is the service number of an invoice. */
const isServiceNumber = ({ path, service: { state } }: AnyCall): boolean =>
  state.issued.get(path['invoiceId'] ?? '') !== undefined

/** Documents that were sent without a session have none but themselves. */
const ownSession = (operation: 'invoices.status' | 'invoices.statusBySvcNumber'): Mutant => ({
  ...bodies<{ readonly sessionReferenceNumber: string; readonly referenceNumber: string }>(
    [operation],
    ({ sessionReferenceNumber, referenceNumber }, { service: { state } }) =>
      isAlone(state.sessions.get(sessionReferenceNumber))
        ? { sessionReferenceNumber: referenceNumber }
        : {},
  ),
  needs: 'invoices.send',
})

/** A status that does not know a failure shows the invoice in processing for ever. */
const withoutFailure = (code: number): Mutant =>
  bodies<{ readonly status: { readonly code: number } }>(['invoices.status'], ({ status }) =>
    status.code === code ? { status: { code: 150, description: 'processing' } } : {},
  )

/** Whether a call names an invoice of a session that has ended without an accepted one. */
const isOfAFailedSession = ({ path, service: { state } }: AnyCall): boolean => {
  const session = state.invoices.get(path['invoiceId'] ?? '')?.session ?? ''
  return state.sessions.get(session)?.status.code === 445
}

/** Defects of the statuses of invoices. */
export const invoicesStatusMutants = {
  'invoices.status.outcome/number-with-wrong-check-value': statuses(({ svcNumber }) =>
    svcNumber === null ? {} : { svcNumber: withWrongCheckValue(svcNumber) },
  ),
  'invoices.status.outcome/service-number-is-no-id': refuses(
    ['invoices.status'],
    'invoice-unknown',
    isServiceNumber,
  ),
  'invoices.status.outcome/by-service-number-for-anyone': calls(['invoices.status'], (call) =>
    isServiceNumber(call) ? decidedBy(call, { mayReadStatus: () => true }) : call,
  ),
  'invoices.status.outcome/by-service-number-for-its-sender': calls(['invoices.status'], (call) =>
    isServiceNumber(call) ? decidedBy(call, { mayReadStatus: (sender) => sender }) : call,
  ),
  'invoices.status.outcome/rejection-described-as-accepted': describedAs(
    ['invoices.status'],
    'invoice',
    200,
  ),
  'invoices.status.outcome/status-for-nobody': { policy: { mayReadStatus: () => false } },
  'invoices.status.session-reference/of-the-last-session': bodies(
    ['invoices.status'],
    (_body: Fields, { service, caller }) => {
      const context = caller === undefined ? '' : keyOf(caller.context)
      const last = service.state.sessions.by('context', context).at(-1)
      return last === undefined ? {} : { sessionReferenceNumber: last.referenceNumber }
    },
  ),
  'invoices.status.session-reference/of-the-first-attempt': bodies(
    ['invoices.statusBySvcNumber'],
    ({ invoiceHash }: Fields, { service: { state } }) => ({
      sessionReferenceNumber: [...state.invoices.values()].find(({ hash }) => hash === invoiceHash)
        ?.session,
    }),
  ),
  'invoices.status.session-reference/by-number-in-a-package': {
    ...bodies<{ readonly sessionReferenceNumber: string; readonly referenceNumber: string }>(
      ['invoices.statusBySvcNumber'],
      ({ sessionReferenceNumber, referenceNumber }, { service: { state } }) =>
        state.sessions.get(sessionReferenceNumber)?.kind === 'batch'
          ? { sessionReferenceNumber: referenceNumber }
          : {},
    ),
    also: ['invoices.status.outcome'],
  },
  'invoices.status.session-reference/itself-without-a-session': ownSession('invoices.status'),
  'invoices.status.session-reference/itself-by-number': ownSession('invoices.statusBySvcNumber'),
  'invoices.status.session-reference/not-in-packages': inPackages({
    sessionReferenceNumber: undefined,
  }),
  'invoices.status.session-reference/status-without-session': statuses({
    sessionReferenceNumber: undefined,
  }),
  'invoices.status.outcome/of-the-first-with-its-number': bodies<{
    readonly invoiceNumber?: string
  }>(['invoices.statusBySvcNumber'], ({ invoiceNumber = '' }, { service: { state } }) => {
    const [first] = state.issued.by('number', invoiceNumber)
    return first === undefined ? {} : { referenceNumber: first.invoice, svcNumber: first.svcNumber }
  }),
  'invoices.status.outcome/of-the-last-repeat': bodies<{ readonly svcNumber: string }>(
    ['invoices.statusBySvcNumber'],
    ({ svcNumber }, { service: { state } }) => {
      const isRepeat = ({ status }: Invoice) =>
        status.extensions?.['originalSvcNumber'] === svcNumber
      const { status, referenceNumber } = [...state.invoices.values()].findLast(isRepeat) ?? {}
      return status === undefined ? {} : { status, referenceNumber, svcNumber: null }
    },
  ),
  'invoices.status.outcome/rejections-for-a-day': refuses(
    ['invoices.status'],
    'invoice-unknown',
    ({ path, now, service: { state } }) => {
      const found = state.invoices.get(path['invoiceId'] ?? '')
      return found !== undefined && found.status.code > 299 && now - found.receivedAt > day
    },
  ),
  'invoices.status.outcome/unknown-once-its-session-failed': refuses(
    ['invoices.status'],
    'invoice-unknown',
    isOfAFailedSession,
  ),
  'invoices.status.outcome/pending-once-its-session-failed': bodies(
    ['invoices.status'],
    (_body, call) =>
      isOfAFailedSession(call) ? { status: { code: 150, description: 'processing' } } : {},
  ),
  'invoices.status.outcome/without-410': withoutFailure(410),
  'invoices.status.outcome/without-435': withoutFailure(435),
  'invoices.status.outcome/without-440': withoutFailure(440),
  'invoices.status.outcome/without-450': withoutFailure(450),
  'invoices.status.outcome/for-a-month': keptForAMonth(['invoices.statusBySvcNumber']),
} as const satisfies Readonly<Record<string, Mutant>>
