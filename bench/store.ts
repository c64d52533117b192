import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { svc } from '../contract/dialects/svc.ts'
import { createClient } from '../lib/client.ts'
import { loginWithToken } from '../lib/flows/login.ts'
import { openOnline } from '../lib/flows/session.ts'
import { nodeCodec } from '../lib/node/codec.ts'
import { createService } from '../reference/service.ts'
import type { Benchmark } from './benchmark.ts'
import { documents, submissions } from './documents.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const held = (): number => {
  // What the first finds to be finalized goes with the second.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const thousand = 1000

/** The whole pipeline without sockets, thousand by thousand, so that nothing but the store grows. Processor time: others may use the machine. */
export const store: Benchmark = {
  id: 'store',
  what: '10,000 invoices in a session and 100,000 in the store: the last thousand against the first; memory of each',
  async run(scale, say) {
    const running = await createService({ limits: 'off' })
    const context = await running.control.makeContext({})
    const address = '127.0.0.1'
    const baseUrl = running.service.publicUrl
    const client = createClient({
      baseUrl,
      dialect: svc,
      codec: nodeCodec,
      polling: { everyMs: 20, times: 500, atMostMs: 20 },
      async send({ url, method, headers, body }) {
        const request = new Request(url, {
          method,
          headers,
          ...(body === undefined ? {} : { body: body as BodyInit }),
        })
        const answer = await running.fetch(request, { address })
        return {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: new Uint8Array(await answer.arrayBuffer()),
        }
      },
    })
    const login = async () =>
      client.with({
        bearer: (
          await loginWithToken(client, {
            context: { type: 'Nip', value: context.value },
            token: context.token,
          })
        ).accessToken,
      })
    const perSession = 10_000
    const sessions = Math.max(1, Math.round(10 * scale))
    const times: number[][] = []
    let documentBytes = 0
    let before = 0
    // Session 0 warms up and is not counted.
    for (let n = 0; n <= sessions; n++) {
      const api = await login()
      const session = await openOnline(api, { formCode: 'FA (3)' })
      const target = `${baseUrl}/sessions/online/${session.referenceNumber}/invoices`
      const mine: number[] = []
      for (let k = 0; k < (n === 0 ? 2 : perSession / thousand); k++) {
        const xmls = documents(context.value, thousand, `M${n}-${k}`)
        documentBytes = xmls[0]!.length
        const bodies = await submissions(api, session, xmls)
        const began = process.cpuUsage()
        await Promise.all(
          bodies.map(async (body) => {
            const answer = await running.fetch(
              new Request(target, {
                method: 'POST',
                headers: {
                  authorization: `Bearer ${api.identity.bearer}`,
                  'content-type': 'application/json',
                },
                body,
              }),
              { address },
            )
            if (answer.status !== 202) throw new Error(await answer.text())
          }),
        )
        await running.clock.settle()
        const { user, system } = process.cpuUsage(began)
        mine.push((user + system) / 1e6)
      }
      if (n === 0) {
        running.journal.clear()
        before = held()
      } else {
        times.push(mine)
        say(
          `session ${n}: ${mine.map((seconds) => seconds.toFixed(2)).join(' ')} s of processor time a thousand`,
        )
      }
    }
    // The journal is bounded by itself and no part of what an invoice costs.
    running.journal.clear()
    const count = sessions * perSession
    const bytes = (held() - before) / count
    const accepted = running.service.state.issued.size()
    await running.close()
    if (accepted !== count + 2 * thousand) throw new Error(`${accepted} were accepted`)
    const first = times[0]!
    const last = times.at(-1)!
    return [
      { what: 'invoices in the store', value: count },
      {
        what: 'last thousand of a session / its first',
        value: last.at(-1)! / last[0]!,
        aim: { most: 1.2 },
      },
      {
        what: 'last thousand of all / the first',
        value: last.at(-1)! / first[0]!,
        aim: { most: 1.2 },
      },
      { what: 'size of a document', value: documentBytes, unit: 'bytes' },
      { what: 'memory of an invoice', value: bytes, unit: 'bytes' },
      { what: 'memory / size', value: bytes / documentBytes, aim: { most: 2 } },
    ]
  },
}
