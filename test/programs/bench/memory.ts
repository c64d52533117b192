import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { svc } from '../../../contract/dialects/svc.ts'
import { createClient } from '../../../lib/client.ts'
import { loginWithToken } from '../../../lib/flows/login.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { createReference } from '../../../reference/service/reference.ts'
import type { Benchmark } from './benchmark.ts'
import { documents, submissions } from './documents.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const held = (): number => {
  // The second collection frees what the first one finalized.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const thousand = 1000

/** The memory that an accepted invoice keeps in use, measured in this process. */
export const memory: Benchmark = {
  id: 'memory',
  what: 'memory of an invoice in the store, against its size',
  async run(scale) {
    const running = await createReference({ limits: 'off' })
    const context = await running.control.createContext({})
    const address = '127.0.0.1'
    const baseUrl = running.service.publicUrl
    const client = createClient({
      baseUrl,
      dialect: svc,
      codec: nodeCodec,
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
    const { accessToken } = await loginWithToken(client, {
      context: { type: 'Nip', value: context.value },
      token: context.token,
    })
    const api = client.with({ bearer: accessToken })
    const session = await openOnline(api, { formCode: 'FA (3)' })
    const target = `${baseUrl}/sessions/online/${session.referenceNumber}/invoices`
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }

    /** @returns bytes of a document */
    const fill = async (thousands: number, series: string): Promise<number> => {
      let bytes = 0
      for (let k = 0; k < thousands; k++) {
        const xmls = documents(context.value, thousand, `${series}-${k}`)
        bytes = xmls[0]!.length
        for (const body of await submissions(api, session, xmls)) {
          const request = new Request(target, { method: 'POST', headers, body })
          const answer = await running.fetch(request, { address })
          if (answer.status !== 202) throw new Error(await answer.text())
        }
        await running.clock.settle()
      }
      // The journal is bounded by itself and no part of what an invoice costs.
      running.journal.clear()
      return bytes
    }

    const warmUp = 1
    const thousands = Math.max(1, Math.round(9 * scale))
    await fill(warmUp, 'W')
    const before = held()
    const size = await fill(thousands, 'M')
    const count = thousands * thousand
    const each = (held() - before) / count
    const accepted = running.service.state.issued.size()
    await running.close()
    if (accepted !== count + warmUp * thousand) throw new Error(`${accepted} were accepted`)
    return [
      { what: 'invoices', value: count },
      { what: 'size of a document', value: size, unit: 'bytes' },
      { what: 'memory of an invoice', value: each, unit: 'bytes' },
      { what: 'memory / size', value: each / size, aim: { max: 2 } },
    ]
  },
}
