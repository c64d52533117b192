import { openOnline } from '../../../lib/flows/session.ts'
import type { Benchmark } from './benchmark.ts'
import { median } from './benchmark.ts'
import { hammer, requestBytes } from './connections.ts'
import type { Listener } from './served.ts'
import { enter, listen, serveReference } from './served.ts'

const rounds = 7

interface Rate {
  readonly perSecond: number
  readonly perCpuSecond: number
}

/** A protected GET: bearer, rights, limits and journal included. */
export const reads: Benchmark = {
  id: 'reads',
  what: 'protected GETs, against a bare route of the same framework',
  async run(scale, say) {
    const served = await serveReference()
    const bare = await listen('./bare.js')
    const { api, url, accessToken, close } = await enter(served.profile)
    const count = Math.ceil(10_000 * scale)
    const rates: { readonly ours: Rate; readonly bare: Rate }[] = []
    try {
      const { referenceNumber } = await openOnline(api, { formCode: 'FA (3)' })
      const rateOf = async (listener: Listener, address: string): Promise<Rate> => {
        // The same request for both: heads of this size cost both the same to read.
        const request = requestBytes('GET', `${address}/sessions/${referenceNumber}`, {
          authorization: `Bearer ${accessToken}`,
        })
        const requests = Array.from({ length: count }, () => request)
        const before = listener.cpu()
        const seconds = await hammer({
          url: address,
          connections: 16,
          requests,
          status: 200,
          awake: true,
        })
        const cpu = before === undefined ? seconds : listener.cpu()! - before
        return { perSecond: count / seconds, perCpuSecond: count / cpu }
      }
      for (let round = -1; round < rounds; round++) {
        const rate = {
          ours: await rateOf(served, url),
          bare: await rateOf(bare, bare.line),
        }
        if (round < 0) continue
        rates.push(rate)
        const micros = ({ perCpuSecond }: Rate): number => Math.round(1e6 / perCpuSecond)
        say(`${micros(rate.ours)} µs of processor time each, bare ${micros(rate.bare)}`)
      }
    } finally {
      close()
      await Promise.all([served.stop(), bare.stop()])
    }
    return [
      {
        what: 'status of a session',
        value: median(rates.map(({ ours }) => ours.perSecond)),
        unit: '/s',
      },
      { what: 'bare route', value: median(rates.map((rate) => rate.bare.perSecond)), unit: '/s' },
      {
        what: 'ratio of the rates',
        value: median(rates.map((rate) => rate.ours.perSecond / rate.bare.perSecond)),
        aim: { min: 0.7 },
      },
      {
        what: 'ratio by processor time',
        value: median(rates.map((rate) => rate.ours.perCpuSecond / rate.bare.perCpuSecond)),
      },
    ]
  },
}
