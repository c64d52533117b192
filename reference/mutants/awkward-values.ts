import { refuse } from '../base/refusals.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { bodies, calls, records } from './rewrite.ts'
import type { Fields } from './rewrite.ts'

/** Defects that show with one awkward value, or in one way to send: a spelling of a path, a long name, a limit of zero. */

/** The longest name of a file that is reported. */
const longestName = 128

const day = 24 * 3_600_000

const numberInPath = /\/invoices\/([^/]*)$/

/** Paths of one spelling name no invoice. */
const unreadSpelling = (spelling: RegExp): Mutant => ({
  exchange(running, next) {
    if (spelling.test(numberInPath.exec(running.path)?.[1] ?? '')) throw refuse('invoice-unknown')
    return next(running)
  },
})

/** A `+` in a path is read as in a form; an encoded one is not. */
const plusAsSpace = (): Mutant => {
  let plain = false
  return {
    exchange(running, next) {
      plain = running.path.includes('+')
      return next(running)
    },
    call(call, next) {
      const { invoiceNumber } = call.path
      return plain && call.operation === 'invoices.byNumber' && invoiceNumber !== undefined
        ? next({
            ...call,
            path: { ...call.path, invoiceNumber: invoiceNumber.replaceAll('+', ' ') },
          })
        : next(call)
    },
  }
}

/** Names of files in packages are reported differently. */
const fileNames = (rewrite: (name: string) => string): Mutant => ({
  tables: {
    invoices: {
      write: (next) =>
        next.fileName === undefined ? next : { ...next, fileName: rewrite(next.fileName) },
    },
  },
})

/** Invoices take their time, and what is not processed yet is counted differently in the list of sessions. */
const pendingCounted = (
  change: (counts: {
    readonly totalInvoiceCount: number
    readonly successfulInvoiceCount: number
    readonly failedInvoiceCount: number
  }) => Fields,
): Mutant => {
  const { call: listed } = records(['sessions.list'], 'sessions', change)
  return {
    at: ['sessions.list', 'invoices.submit'],
    call: (call, next) =>
      listed && call.operation === 'sessions.list' ? listed(call, next) : next(call),
    later: (kind, ms) => (kind === 'invoice' ? ms + 5_000 : ms),
  }
}

export const awkwardValuesMutants = {
  'invoices.get.by-invoice-number/plus-as-space': plusAsSpace(),
  'invoices.get.by-invoice-number/small-hexadecimal-digits':
    unreadSpelling(/%(?:[a-f][\da-f]|\d[a-f])/),
  'sessions.invoices.complete/long-names-whole': fileNames((name) =>
    Array.from(name).length === longestName ? `${name}.xml` : name,
  ),
  'sessions.invoices.complete/long-names-cut-by-code-units': fileNames((name) =>
    name.slice(0, longestName),
  ),
  'invoices.mode/online-in-searches-for-packages': records<{ readonly svcNumber: string }>(
    ['queries.metadata'],
    'invoices',
    ({ svcNumber }, { service: { state } }) =>
      state.sessions.get(state.issued.get(svcNumber)?.session ?? '')?.kind === 'batch'
        ? { invoicingMode: 'Online' }
        : {},
  ),
  'invoices.mode/corrections-online': {
    tables: {
      issued: {
        write: (next) => (next.corrects === undefined ? next : { ...next, mode: 'Online' }),
      },
    },
  },
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
  'testdata.limit-simulation/no-size-as-the-default': {
    tables: {
      contextLimits: {
        write: ({ limits: { online, batch }, ...next }) => ({
          ...next,
          limits: {
            online: { ...online, maxInvoiceBytes: online.maxInvoiceBytes || 1_000_000 },
            batch,
          },
        }),
      },
    },
  },
  'limits.context/zero-invoices-without-limit': {
    policy: {
      sessionHasRoom: (invoices, limit) => limit === 0 || policy.sessionHasRoom(invoices, limit),
    },
  },
  'limits.context/zero-bytes-without-limit': {
    policy: {
      plainInvoiceFits: (bytes, limit) => limit === 0 || policy.plainInvoiceFits(bytes, limit),
    },
  },
  'sessions.batch.close/closed-at-the-end-of-its-time': {
    ...calls(['sessions.status'], (call) => {
      const { service, now } = call
      const session = service.state.sessions.get(call.path['referenceNumber'] ?? '')
      if (
        session?.kind === 'batch' &&
        session.status.code === 100 &&
        now > session.openedAt + day
      ) {
        service.state.sessions.put({ ...session, status: { ...session.status, code: 150 } })
        service.schedule.later('batch', session.referenceNumber, 0)
      }
      return call
    }),
    at: ['sessions.status', 'sessions.openBatch'],
    later: (kind, ms) => (kind === 'expiry' ? undefined : ms),
  },
  'sessions.status.counts/pending-as-failed': pendingCounted(
    ({ totalInvoiceCount, successfulInvoiceCount }) => ({
      failedInvoiceCount: totalInvoiceCount - successfulInvoiceCount,
    }),
  ),
  'sessions.status.counts/total-of-the-processed': pendingCounted(
    ({ successfulInvoiceCount, failedInvoiceCount }) => ({
      totalInvoiceCount: successfulInvoiceCount + failedInvoiceCount,
    }),
  ),
} satisfies Readonly<Record<string, Mutant>>
