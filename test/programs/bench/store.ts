import { closeOnline, openOnline, settleSession } from '../../../lib/flows/session.ts'
import { poll } from '../../../lib/poll.ts'
import type { Benchmark } from './benchmark.ts'
import { median } from './benchmark.ts'
import { hammer, requestBytes } from './connections.ts'
import { documents, submissions } from './documents.ts'
import { enter, serveReference } from './served.ts'

const thousand = 1000
const perSession = 10 * thousand

const accepted = (body: unknown): unknown =>
  (body as Readonly<Record<string, unknown>> | undefined)?.['successfulInvoiceCount']

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * A store that fills over HTTP, thousand by thousand. Measures the processor time of the service alone, since the
 * sender shares the machine. A garbage collection hits only one thousand of several, so whole sessions are compared
 * too.
 */
export const store: Benchmark = {
  id: 'store',
  what: '10,000 invoices in a session and 100,000 in the store: the last against the first',
  async run(scale, say) {
    const served = await serveReference()
    const { url, seller, api, accessToken, close } = await enter(served.profile)
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const sessions = Math.max(2, Math.round(10 * scale))

    /** Seconds for each thousand of a session. */
    const fill = async (n: number): Promise<readonly number[]> => {
      const session = await openOnline(api, { formCode: 'FA (3)' })
      const target = `${url}/sessions/online/${session.referenceNumber}/invoices`
      const times: number[] = []
      for (let sent = 0; sent < perSession; sent += thousand) {
        const xmls = documents(seller, thousand, `M${n}-${sent}`)
        const bodies = await submissions(api, session, xmls)
        const requests = bodies.map((body) => requestBytes('POST', target, headers, body))
        const before = served.cpu() ?? performance.now() / 1000
        await hammer({ url, connections: 16, requests, status: 202 })
        const { done } = await poll(
          () => api.call('sessions.status', { path: { referenceNumber: session.referenceNumber } }),
          ({ body }) => accepted(body) === sent + thousand,
          { ...api.polling, sleep: api.sleep },
        )
        if (!done) throw new Error(`not all of ${sent + thousand} invoices were accepted`)
        times.push((served.cpu() ?? performance.now() / 1000) - before)
      }
      await closeOnline(api, session)
      await settleSession(api, session)
      return times
    }

    const times: (readonly number[])[] = []
    try {
      // Session 0 warms up and is not counted.
      for (let n = 0; n <= sessions; n++) {
        const mine = await fill(n)
        if (n > 0) times.push(mine)
        const shown = mine.map((seconds) => seconds.toFixed(2)).join(' ')
        say(`session ${n}: ${shown} s of processor time a thousand`)
      }
    } finally {
      close()
      await served.stop()
    }
    const first = times[0]!
    const last = times.at(-1)!
    return [
      { what: 'invoices in the store', value: (sessions + 1) * perSession },
      {
        what: 'last thousand of a session / its first',
        value: mean(times.map((mine) => mine.at(-1)!)) / mean(times.map((mine) => mine[0]!)),
        aim: { max: 1.2 },
      },
      {
        what: 'usual thousand of the last session / first',
        value: median(last) / median(first),
        aim: { max: 1.2 },
      },
      {
        what: 'last session / first, collections included',
        value: mean(last) / mean(first),
        aim: { max: 1.2 },
      },
    ]
  },
}
