/**
 * The indispensable work of a submission, in a loop without anything else: decoding, both hashes, decryption, the
 * schema. As a thread it reports how long the loop takes, so that several can run at once.
 */

import { isMainThread, parentPort, workerData, Worker } from 'node:worker_threads'
import { decryptAes, fromBase64, sha256Base64 } from '../../../reference/base/crypto.ts'
import { prepareSchema, schemaFindings } from '../../../reference/xml/schemas.ts'
import { withDocument } from '../../../reference/xml/xml.ts'

export interface Work {
  readonly key: Uint8Array
  readonly iv: Uint8Array
  /** Requests as JSON. */
  readonly bodies: readonly string[]
}

const once = ({ key, iv }: Work, body: string): void => {
  const { encryptedInvoiceContent } = JSON.parse(body) as { encryptedInvoiceContent: string }
  const content = fromBase64(encryptedInvoiceContent)!
  sha256Base64(content)
  const plain = decryptAes(key, iv, content)!
  sha256Base64(plain)
  const findings = withDocument(plain, (document) => schemaFindings(document, 'fa3.xsd'))
  if (findings.length > 0) throw new Error(findings[0])
}

/** The loop in this thread. @returns seconds of it, and of processor time. */
export const loopAlone = (work: Work): { readonly seconds: number; readonly cpu: number } => {
  prepareSchema('fa3.xsd')
  const before = process.cpuUsage()
  const began = performance.now()
  for (const body of work.bodies) once(work, body)
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  return { seconds, cpu: (user + system) / 1e6 }
}

interface Times {
  readonly from: number
  readonly to: number
}

/** The loop in several threads at once. @returns passes of the loop per second, over all threads. */
export const rateOnThreads = async (work: Work, threads: number): Promise<number> => {
  const times = await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise<Times>((resolve, reject) => {
          const thread = new Worker(new URL('./alone.js', import.meta.url), { workerData: work })
          thread.once('message', (took: Times) => {
            resolve(took)
            void thread.terminate()
          })
          thread.once('error', reject)
        }),
    ),
  )
  // Each thread is timed separately: they do not start at the same moment.
  return times.reduce((sum, { from, to }) => sum + work.bodies.length / ((to - from) / 1000), 0)
}

if (!isMainThread && parentPort !== null) {
  const work = workerData as Work
  // Warm, as the service is.
  for (let time = 0; time < 3; time++) loopAlone(work)
  const from = performance.now()
  loopAlone(work)
  parentPort.postMessage({ from, to: performance.now() } satisfies Times)
}
