import type { OperationId } from '../../contract/endpoints.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { CallOptions } from '../../lib/client.ts'
import { batchBody } from '../../lib/flows/batch.ts'
import { createExport, exportBody } from '../../lib/flows/export.ts'
import {
  drawSecret,
  encryptionFields,
  openOnline,
  submissionBody,
  submit,
} from '../../lib/flows/session.ts'
import { packBatch } from '../../lib/node/archive.ts'
import type { Me } from './contexts.ts'
import type { MadeInvoice } from './fixtures.ts'
import { formCodes } from './forms.ts'
import { accept } from './steps.ts'

/** What the preparation of a call may use. */
export interface Bench {
  readonly me: Me
  readonly invoice: () => MadeInvoice
  /** Unix milliseconds of the target's clock. */
  readonly now: () => number
}

/** A call that counts against one row of the rate table, and may be made any number of times. */
export interface RatedCall {
  readonly operation: OperationId
  /** Makes what the call is about, and answers how it is called. */
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

const open = ({ me }: Bench) => openOnline(me.api, { formCode: formCodes.fa3 })

/** Rate rule -> a call that counts against it. */
export const ratedCalls: Readonly<Record<RateRuleId, RatedCall>> = {
  queryMetadata: {
    operation: 'queries.metadata',
    prepare: (bench) => Promise.resolve({ body: lastDay(bench) }),
  },
  exportCreate: {
    operation: 'exports.create',
    prepare: async (bench) => ({
      body: await exportBody(bench.me.api, { filters: lastDay(bench) }, drawSecret()),
    }),
  },
  exportStatus: {
    operation: 'exports.status',
    prepare: async (bench) => {
      const { referenceNumber } = await createExport(bench.me.api, { filters: lastDay(bench) })
      return { path: { referenceNumber } }
    },
  },
  invoiceDownload: {
    operation: 'invoices.bySvcNumber',
    prepare: async (bench) => {
      const desk = { api: bench.me.api, session: await open(bench) }
      const { svcNumber } = await accept(desk, bench.invoice().bytes)
      return { path: { svcNumber } }
    },
  },
  batch: {
    operation: 'sessions.openBatch',
    prepare: async ({ me, invoice }) => {
      const batch = await packBatch({ 'invoice.xml': invoice().bytes })
      return { body: await batchBody(me.api, batch, formCodes.fa3) }
    },
  },
  onlineOpen: {
    operation: 'sessions.openOnline',
    prepare: async ({ me }) => {
      const secret = await encryptionFields(me.api, drawSecret())
      return { body: { formCode: formCodes.fa3, ...secret } }
    },
  },
  invoiceSubmit: {
    operation: 'invoices.submit',
    prepare: async (bench) => {
      const session = await open(bench)
      return {
        path: { referenceNumber: session.referenceNumber },
        body: await submissionBody(bench.me.api, session, bench.invoice().bytes),
      }
    },
  },
  // From the second time on the close is refused as such, which is a call like any other.
  onlineClose: {
    operation: 'sessions.closeOnline',
    prepare: async (bench) => ({ path: { referenceNumber: (await open(bench)).referenceNumber } }),
  },
  invoiceStatus: {
    operation: 'invoices.inSession',
    prepare: async (bench) => {
      const session = await open(bench)
      const sent = await submit(bench.me.api, session, bench.invoice().bytes)
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
