import type { OperationId } from '../../contract/endpoints.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { Client } from '../client.ts'
import type { CallOptions } from '../request.ts'
import { batchBody } from '../flows/batch.ts'
import { createExport, exportBody } from '../flows/export.ts'
import {
  drawSecret,
  encryptionFields,
  openOnline,
  settleInvoice,
  submissionBody,
  submit,
} from '../flows/session.ts'
import { Inconclusive } from '../outcome.ts'
import { packBatch } from './archive.ts'

const { formCode } = invoiceSchemas.fa3

/** What the preparation of a call may use. */
export interface Bench {
  /** Logged in. */
  readonly api: Client
  /** A fresh valid invoice of the context. */
  readonly invoice: () => Uint8Array
  /** Unix milliseconds of the target's clock. */
  readonly now: () => number
}

/** A call that counts against one row of the rate table, and may be made any number of times. */
export interface RatedCall {
  readonly operation: OperationId
  /** Creates what the call needs, and returns its options. */
  readonly prepare: (bench: Bench) => Promise<CallOptions>
}

const lastDay = ({ now }: Bench) => ({
  subjectType: 'subject1',
  dateRange: {
    dateType: 'invoicing',
    from: new Date(now() - 24 * 3600 * 1000).toISOString(),
    to: new Date(now()).toISOString(),
  },
})

const open = ({ api }: Bench) => openOnline(api, { formCode })

const acceptedNumber = async (bench: Bench): Promise<string> => {
  const session = await open(bench)
  const { referenceNumber } = await submit(bench.api, session, bench.invoice())
  const { succeeded, body, exchanges } = await settleInvoice(bench.api, session, referenceNumber)
  const { svcNumber } = body
  if (!succeeded || typeof svcNumber !== 'string')
    throw new Inconclusive('have an invoice accepted', 'acceptance', exchanges.at(-1))
  return svcNumber
}

/** Rate rule -> a call that counts against it. */
export const ratedCalls: Readonly<Record<RateRuleId, RatedCall>> = {
  queryMetadata: {
    operation: 'queries.metadata',
    prepare: (bench) => Promise.resolve({ body: lastDay(bench) }),
  },
  exportCreate: {
    operation: 'exports.create',
    prepare: async (bench) => ({
      body: await exportBody(bench.api, { filters: lastDay(bench) }, drawSecret()),
    }),
  },
  exportStatus: {
    operation: 'exports.status',
    prepare: async (bench) => {
      const { referenceNumber } = await createExport(bench.api, { filters: lastDay(bench) })
      return { path: { referenceNumber } }
    },
  },
  invoiceDownload: {
    operation: 'invoices.bySvcNumber',
    prepare: async (bench) => ({ path: { svcNumber: await acceptedNumber(bench) } }),
  },
  batch: {
    operation: 'sessions.openBatch',
    prepare: async ({ api, invoice }) => {
      const batch = await packBatch({ 'invoice.xml': invoice() })
      return { body: await batchBody(api, batch, formCode) }
    },
  },
  onlineOpen: {
    operation: 'sessions.openOnline',
    prepare: async ({ api }) => {
      const secret = await encryptionFields(api, drawSecret())
      return { body: { formCode, ...secret } }
    },
  },
  invoiceSubmit: {
    operation: 'invoices.submit',
    prepare: async (bench) => {
      const session = await open(bench)
      return {
        path: { referenceNumber: session.referenceNumber },
        body: await submissionBody(bench.api, session, bench.invoice()),
      }
    },
  },
  // From the second time on, the service refuses the close, but counts the call like any other.
  onlineClose: {
    operation: 'sessions.closeOnline',
    prepare: async (bench) => ({ path: { referenceNumber: (await open(bench)).referenceNumber } }),
  },
  invoiceStatus: {
    operation: 'invoices.inSession',
    prepare: async (bench) => {
      const session = await open(bench)
      const sent = await submit(bench.api, session, bench.invoice())
      return {
        path: {
          referenceNumber: session.referenceNumber,
          invoiceReferenceNumber: sent.referenceNumber,
        },
      }
    },
  },
  sessionList: {
    operation: 'sessions.list',
    prepare: () => Promise.resolve({ query: { sessionType: 'Online' } }),
  },
  sessionInvoices: {
    operation: 'sessions.invoices',
    prepare: async (bench) => ({ path: { referenceNumber: (await open(bench)).referenceNumber } }),
  },
  sessionOther: {
    operation: 'sessions.status',
    prepare: async (bench) => ({ path: { referenceNumber: (await open(bench)).referenceNumber } }),
  },
  default: {
    operation: 'limits.context',
    prepare: () => Promise.resolve({}),
  },
}
