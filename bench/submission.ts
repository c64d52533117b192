import { decryptAes, fromBase64, sha256Base64 } from '../reference/crypto.ts'
import { prepareSchema, schemaFindings } from '../reference/schemas.ts'
import { withDocument } from '../reference/xml.ts'
import { closeOnline, openOnline, settleSession } from '../lib/flows/session.ts'
import type { OnlineSession } from '../lib/flows/session.ts'
import type { Benchmark } from './benchmark.ts'
import { median } from './benchmark.ts'
import { hammer, requestBytes } from './connections.ts'
import { documents, submissions } from './documents.ts'
import { enter, serveReference } from './served.ts'

/** What nobody can leave out: decoding, both hashes, decryption, the schema. */
const necessary = ({ key, iv }: OnlineSession, body: string): void => {
  const { encryptedInvoiceContent } = JSON.parse(body) as { encryptedInvoiceContent: string }
  const content = fromBase64(encryptedInvoiceContent)!
  sha256Base64(content)
  const plain = decryptAes(key, iv, content)!
  sha256Base64(plain)
  const findings = withDocument(plain, (document) => schemaFindings(document, 'fa3.xsd'))
  if (findings.length > 0) throw new Error(findings[0])
}

const rounds = 3

/** Documents from their submission to their number, over HTTP. */
export const submission: Benchmark = {
  id: 'submission',
  what: 'submission to service number over HTTP, against cryptography, hashes and schema alone',
  async run(scale, say) {
    const served = await serveReference()
    const { api, url, seller, accessToken, close } = await enter(served.profile)
    const count = Math.ceil(3000 * scale)
    const rates: { readonly whole: number; readonly alone: number; readonly share: number }[] = []
    let bytes = 0
    prepareSchema('fa3.xsd')
    try {
      for (let round = -1; round < rounds; round++) {
        const xmls = documents(seller, count, `S${round + 1}`)
        bytes = xmls[0]!.length
        const session = await openOnline(api, { formCode: 'FA (3)' })
        const bodies = await submissions(api, session, xmls)
        const target = `${url}/sessions/online/${session.referenceNumber}/invoices`
        const requests = bodies.map((body) =>
          requestBytes(
            'POST',
            target,
            { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
            body,
          ),
        )
        const cpuBefore = served.cpu()
        const began = performance.now()
        await hammer({ url, connections: 16, requests, status: 202 })
        await closeOnline(api, session)
        const { body } = await settleSession(api, session)
        const seconds = (performance.now() - began) / 1000
        if (body['successfulInvoiceCount'] !== count) throw new Error(JSON.stringify(body))
        const cpuWhole = cpuBefore === undefined ? seconds : served.cpu()! - cpuBefore
        const ownBefore = process.cpuUsage()
        const begun = performance.now()
        for (const one of bodies) necessary(session, one)
        const bare = (performance.now() - begun) / 1000
        const own = process.cpuUsage(ownBefore)
        const cpuAlone = cpuBefore === undefined ? bare : (own.user + own.system) / 1e6
        // The first round warms both up.
        if (round < 0) continue
        const rate = { whole: count / seconds, alone: count / bare, share: cpuAlone / cpuWhole }
        rates.push(rate)
        say(`${Math.round(rate.whole)} a second, alone ${Math.round(rate.alone)}`)
      }
    } finally {
      close()
      await served.stop()
    }
    return [
      { what: 'size of a document', value: bytes, unit: 'bytes' },
      { what: 'submission to number', value: median(rates.map(({ whole }) => whole)), unit: '/s' },
      {
        what: 'the necessary work alone, one thread',
        value: median(rates.map(({ alone }) => alone)),
        unit: '/s',
      },
      { what: 'ratio of the rates', value: median(rates.map((rate) => rate.whole / rate.alone)) },
      {
        what: 'share of processor time that is necessary',
        value: median(rates.map(({ share }) => share)),
        aim: { least: 0.6 },
      },
    ]
  },
}
