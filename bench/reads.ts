import { openOnline } from '../lib/flows/session.ts'
import type { Benchmark } from './benchmark.ts'
import { median } from './benchmark.ts'
import { hammer, requestBytes } from './connections.ts'
import { enter, listen, serveReference } from './served.ts'

const rounds = 3

/** A protected GET: bearer, rights, limits and journal included. */
export const reads: Benchmark = {
  id: 'reads',
  what: 'protected GETs, against a bare route of the same framework',
  async run(scale, say) {
    const served = await serveReference()
    const bare = await listen('./bare.js')
    const { api, url, accessToken, close } = await enter(served.profile)
    const count = Math.ceil(10_000 * scale)
    const rates: { readonly ours: number; readonly bare: number }[] = []
    try {
      const { referenceNumber } = await openOnline(api, { formCode: 'FA (3)' })
      const perSecond = async (address: string, headers: Record<string, string>) => {
        const request = requestBytes('GET', `${address}/sessions/${referenceNumber}`, headers)
        const requests = Array.from({ length: count }, () => request)
        return count / (await hammer({ url: address, connections: 16, requests, status: 200 }))
      }
      for (let round = -1; round < rounds; round++) {
        const rate = {
          ours: await perSecond(url, { authorization: `Bearer ${accessToken}` }),
          bare: await perSecond(bare.line, {}),
        }
        if (round < 0) continue
        rates.push(rate)
        say(`${Math.round(rate.ours)} a second, bare ${Math.round(rate.bare)}`)
      }
    } finally {
      close()
      await Promise.all([served.stop(), bare.stop()])
    }
    return [
      { what: 'status of a session', value: median(rates.map(({ ours }) => ours)), unit: '/s' },
      { what: 'bare route', value: median(rates.map((rate) => rate.bare)), unit: '/s' },
      {
        what: 'ratio',
        value: median(rates.map((rate) => rate.ours / rate.bare)),
        aim: { least: 0.5 },
      },
    ]
  },
}
