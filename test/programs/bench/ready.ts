import process from 'node:process'
import { parseArgs } from 'node:util'
import { seededDraw, drawBytes } from '../../../generators/draw/draw.ts'
import type { InvoiceOptions } from '../../../generators/invoice/invoice.ts'
import { makeInvoice } from '../../../generators/invoice/invoice.ts'
import { submission } from '../../../generators/requests/payload.ts'

/** Bytes of a document. */
export const documentBytes = 5_000

/** What the benchmarks of documents make: FA(3) with meaning, of a given size. */
export const documentOptions: InvoiceOptions = {
  seller: '5265877635',
  number: 'B/1',
  issueDate: '2026-03-02',
  profile: 'general',
  bytes: documentBytes,
}

const source = seededDraw(1)
const secret = {
  key: drawBytes(source, 32),
  iv: drawBytes(source, 16),
  wrappedKey: new Uint8Array(0),
}

/** Makes documents from this number on, and everything for their submission: hashes, encryption, Base64. */
export function makeReady(from: number, count: number): void {
  for (let i = from; i < from + count; i++)
    submission({ xml: makeInvoice(documentOptions, i), ...secret })
}

/** Seconds of processor time: on a shared machine, wall-clock time would include other processes. */
export function processorSeconds(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

// Runs as a separate process: one of those that share the work between the cores.
const { values } = parseArgs({
  strict: false,
  options: { 'ready-from': { type: 'string' }, 'ready-count': { type: 'string' } },
})
if (values['ready-count'] !== undefined) {
  makeReady(0, 500)
  const seconds = processorSeconds(() =>
    makeReady(Number(values['ready-from']), Number(values['ready-count'])),
  )
  process.stdout.write(`${seconds}\n`)
}
