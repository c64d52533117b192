import exec from 'k6/execution'
import { open as openFile, SeekMode } from 'k6/experimental/fs'
import type { File } from 'k6/experimental/fs'
import { Counter, Gauge, Trend } from 'k6/metrics'
import type { Client } from '../../lib/client.ts'
import { readError } from '../../lib/errors.ts'
import { fetchReceipt, receiptPages } from '../../lib/flows/receipt.ts'
import { closeOnline, settleSession } from '../../lib/flows/session.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import { expectText } from '../../lib/outcome.ts'
import type { Plan } from '../plan.ts'
import { clientOf } from '../transport.ts'

/**
 * N invoices into one interactive session at an arrival rate: the load does not wait for the service. Then the
 * session is closed, followed to its end, and its receipt is counted against what was accepted.
 */

const submissions = new Counter('submissions')
const accepted = new Counter('accepted')
const refused = new Counter('refused')
const unanswered = new Counter('unanswered')
const latency = new Trend('latency', true)
const fromIntended = new Trend('from_intended_start', true)
const lag = new Trend('lag', true)
const gauges = {
  seconds: new Gauge('run_seconds'),
  status: new Gauge('session_status'),
  invoices: new Gauge('session_invoices'),
  succeeded: new Gauge('session_succeeded'),
  failed: new Gauge('session_failed'),
  pages: new Gauge('receipt_pages'),
  documents: new Gauge('receipt_documents'),
}

interface Opened {
  readonly session: string
  readonly accessToken: string
  readonly openedAt: number
}

/** Access tokens live a dozen minutes; a long run renews its own long before. */
const renewAfterMs = 5 * 60_000

const unitMs = { '1s': 1000, '1m': 60_000, '1h': 3_600_000 } as const

export const sessionThroughput = (plan: Plan) => {
  let client: Client | undefined
  let renewedAt = 0
  let bodies: File | undefined
  // Files are opened while k6 loads the script; it has no top-level await in its modules.
  const opening = openFile(plan.bodies).then((file) => {
    bodies = file
  })

  const authorized = async (opened: Opened): Promise<Client> => {
    if (client === undefined) {
      client = clientOf(plan).with({ bearer: opened.accessToken })
      renewedAt = opened.openedAt
    }
    if (Date.now() - renewedAt > renewAfterMs) {
      client = client.with({ bearer: (await refreshAccess(client, plan.refreshToken)).accessToken })
      renewedAt = Date.now()
    }
    return client
  }

  const bodyOf = async (index: number): Promise<Uint8Array> => {
    await opening
    const from = plan.offsets[index] ?? 0
    const bytes = new Uint8Array((plan.offsets[index + 1] ?? from) - from)
    await bodies?.seek(from, SeekMode.Start)
    await bodies?.read(bytes)
    return bytes
  }

  return {
    async setup(): Promise<Opened> {
      const fresh = clientOf(plan)
      const { accessToken } = await refreshAccess(fresh, plan.refreshToken)
      const openedAt = Date.now()
      const exchange = await fresh
        .with({ bearer: accessToken })
        .call('sessions.openOnline', { body: plan.open })
      return {
        session: expectText(exchange, 'open the session', 'referenceNumber'),
        accessToken,
        openedAt,
      }
    },

    async submit(opened: Opened): Promise<void> {
      const index = exec.scenario.iterationInTest
      if (index >= plan.offsets.length - 1) return
      const intended = exec.scenario.startTime + (index * unitMs[plan.per]) / plan.rate
      const api = await authorized(opened)
      const body = await bodyOf(index)
      submissions.add(1)
      const begun = Date.now()
      lag.add(Math.max(0, begun - intended))
      try {
        const exchange = await api.call('invoices.submit', {
          path: { referenceNumber: opened.session },
          body,
          media: 'application/json',
        })
        const ended = Date.now()
        latency.add(ended - begun)
        fromIntended.add(Math.max(0, ended - intended))
        if (exchange.status >= 200 && exchange.status < 300) accepted.add(1)
        else
          refused.add(1, {
            code: String(readError(exchange, api.dialect)?.code ?? exchange.status),
          })
      } catch {
        unanswered.add(1)
      }
    },

    async teardown(opened: Opened): Promise<void> {
      const fresh = clientOf(plan)
      const { accessToken } = await refreshAccess(fresh, plan.refreshToken)
      const api = fresh.with({ bearer: accessToken })
      await closeOnline(api, { referenceNumber: opened.session })
      const settled = await settleSession(api, { referenceNumber: opened.session })
      gauges.seconds.add((Date.now() - opened.openedAt) / 1000)
      const count = (field: string) => Number(settled.body[field] ?? 0)
      gauges.status.add(settled.status.code)
      gauges.invoices.add(count('invoiceCount'))
      gauges.succeeded.add(count('successfulInvoiceCount'))
      gauges.failed.add(count('failedInvoiceCount'))
      if (!settled.succeeded) return
      let documents = 0
      const pages = receiptPages(settled)
      for (const { referenceNumber } of pages) {
        const receipt = await fetchReceipt(api, {
          sessionReferenceNumber: opened.session,
          upoReferenceNumber: referenceNumber,
        })
        documents += receipt.text.split('<Dokument>').length - 1
      }
      gauges.pages.add(pages.length)
      gauges.documents.add(documents)
    },
  }
}
