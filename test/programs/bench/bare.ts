import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/** The minimum that a server of this kind does for a GET: one route with one JSON object. Prints its address. */

const body = {
  status: { code: 100, description: 'session open' },
  dateCreated: '2026-06-15T08:00:00.000Z',
  dateUpdated: '2026-06-15T08:00:00.000Z',
  validUntil: '2026-06-15T20:00:00.000Z',
  invoiceCount: 0,
  successfulInvoiceCount: 0,
  failedInvoiceCount: 0,
}
const app = new Hono()
app.get('/sessions/:reference', (c) => c.json(body))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) =>
  process.stdout.write(`http://127.0.0.1:${info.port}\n`),
)
