import { availableParallelism } from 'node:os'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { closeOnline, openOnline, settleSession } from '../../../lib/flows/session.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import type { Work } from './alone.ts'
import { loopAlone, rateOnThreads } from './alone.ts'
import type { Benchmark } from './benchmark.ts'
import { median } from './benchmark.ts'
import { hammer, requestBytes } from './connections.ts'
import { documents, submissions } from './documents.ts'
import type { Listener, Session } from './served.ts'
import { enter, serveReference } from './served.ts'

const rounds = 5
/** Rounds until the compilers of both sides have done their work. */
const warmUps = 2

const settled = (body: Readonly<Record<string, unknown>> | undefined, count: number): void => {
  if (body?.['successfulInvoiceCount'] !== count) throw new Error(JSON.stringify(body))
}

interface Round {
  /** Documents a second, from the first submission to the last number. */
  readonly whole: number
  /** The same in the loop, on one thread. */
  readonly alone: number
  /** Processor time of the loop over that of the service. */
  readonly share: number
}

/** One round in an interactive session: every document a request of its own. */
const online = async (
  served: Listener,
  { api, url, accessToken }: Session,
  xmls: readonly Uint8Array[],
): Promise<{ readonly round: Round; readonly work: Work }> => {
  const session = await openOnline(api, { formCode: 'FA (3)' })
  const bodies = await submissions(api, session, xmls)
  const target = `${url}/sessions/online/${session.referenceNumber}/invoices`
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const requests = bodies.map((body) => requestBytes('POST', target, headers, body))
  const before = served.cpu()
  const began = performance.now()
  await hammer({ url, connections: 16, requests, status: 202 })
  await closeOnline(api, session)
  const { body } = await settleSession(api, session)
  const seconds = (performance.now() - began) / 1000
  const cpu = before === undefined ? seconds : served.cpu()! - before
  settled(body, xmls.length)
  const work = { key: session.key, iv: session.iv, bodies }
  const alone = loopAlone(work)
  const count = xmls.length
  return {
    round: { whole: count / seconds, alone: count / alone.seconds, share: alone.cpu / cpu },
    work,
  }
}

/** One round in a batch session: every document in one package. */
const batch = async ({ api }: Session, xmls: readonly Uint8Array[]): Promise<number> => {
  const files = Object.fromEntries(xmls.map((xml, at) => [`invoice-${at}.xml`, xml]))
  const archive = await packBatch(files)
  const session = await openBatch(api, archive, { formCode: 'FA (3)' })
  const began = performance.now()
  await uploadParts(api, session, archive.parts)
  await closeBatch(api, session)
  const { body } = await settleSession(api, session)
  settled(body, xmls.length)
  return xmls.length / ((performance.now() - began) / 1000)
}

/** Documents from their submission to their number, over HTTP. */
export const submission: Benchmark = {
  id: 'submission',
  what: 'submission to service number over HTTP, against cryptography, hashes and schema alone in a loop',
  async run(scale, say) {
    const served = await serveReference()
    const entered = await enter(served.profile)
    const count = Math.ceil(3000 * scale)
    const cores = availableParallelism()
    const interactive: Round[] = []
    const batches: number[] = []
    let bytes = 0
    let everyCore = 0
    try {
      for (let round = -warmUps; round < rounds; round++) {
        const series = round + warmUps
        const xmls = documents(entered.seller, count, `S${series}`)
        bytes = xmls[0]!.length
        const { round: one, work } = await online(served, entered, xmls)
        const packed = await batch(entered, documents(entered.seller, count, `B${series}`))
        if (round < 0) continue
        interactive.push(one)
        batches.push(packed)
        say(
          `interactive ${Math.round(one.whole)} a second, batch ${Math.round(packed)}, alone ${Math.round(one.alone)}`,
        )
        if (round === rounds - 1) everyCore = await rateOnThreads(work, cores)
      }
    } finally {
      entered.close()
      await served.stop()
    }
    const alone = median(interactive.map((one) => one.alone))
    const ofAlone = median(interactive.map((one) => one.whole / one.alone))
    return [
      { what: 'size of a document', value: bytes, unit: 'bytes' },
      { what: 'interactive', value: median(interactive.map(({ whole }) => whole)), unit: '/s' },
      { what: 'batch', value: median(batches), unit: '/s' },
      { what: 'the loop alone, one thread', value: alone, unit: '/s' },
      { what: `the loop alone, ${cores} threads`, value: everyCore, unit: '/s' },
      { what: 'interactive over the loop', value: ofAlone, aim: { min: 0.6 } },
      {
        what: 'batch over the loop',
        value: median(batches.map((rate, at) => rate / interactive[at]!.alone)),
        aim: { min: 0.6 },
      },
      {
        what: 'share of processor time that is necessary',
        value: median(interactive.map(({ share }) => share)),
      },
    ]
  },
}
