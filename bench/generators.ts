import process from 'node:process'
import { drawBytes, submission } from '../generators/malformations/payload.ts'
import { corpus } from '../generators/corpus.ts'
import { sampled, seededDraw } from '../generators/draw.ts'
import type { InvoiceOptions } from '../generators/invoice/invoice.ts'
import { invoice, makeInvoice } from '../generators/invoice/invoice.ts'
import { invoiceSchema } from '../generators/xsd/contract.ts'
import { readXml } from '../generators/xsd/reader.ts'
import { validate } from '../generators/xsd/validate.ts'
import { xsdValidator } from '../lib/node/xsd.ts'
import type { Benchmark, Measurement } from './benchmark.ts'
import { median } from './benchmark.ts'

/** Bytes of a document, and how many of them make a full run. */
const bytes = 5_000
const many = 10_000
const rounds = 3

const options: InvoiceOptions = {
  seller: '5265877635',
  number: 'B/1',
  issueDate: '2026-03-02',
  profile: 'general',
  bytes,
}

/** Seconds of processor time: on a shared machine the clock measures the others, too. */
function seconds(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

/** Things a second of processor time, the middle of some rounds. */
const rate = (count: number, run: () => void): number =>
  median(Array.from({ length: rounds }, () => count / seconds(run)))

/** What a generator without meaning would do: one text with holes, filled and encoded. */
function template(): (n: number) => Uint8Array {
  const parts = Buffer.from(makeInvoice({ ...options, number: 'HOLE-HOLE' }, 1))
    .toString('utf8')
    .split('HOLE-HOLE')
  const encoder = new TextEncoder()
  return (n) => encoder.encode(parts.join(`B/${n}`))
}

/** Documents from the very arbitrary that the tests use, against a string template of the same size. */
export const generators: Benchmark = {
  id: 'generators',
  what: `FA(3) documents of ${bytes} bytes with meaning, one thread`,
  async run(scale, say) {
    const count = Math.max(200, Math.round(many * scale))
    const arbitrary = invoice(options)
    const draw = (own: number, amount: number) => {
      let sum = 0
      sampled(arbitrary, { seed: own, count: amount }, (each) => {
        sum += each.bytes.length
      })
      return sum
    }
    say('warm-up')
    draw(0, 500)
    let seed = 1
    say(`${count} documents, ${rounds} times`)
    const drawn = rate(count, () => draw(seed++, count))
    const streamed = rate(count, () => {
      for (let i = 0; i < count; i++) makeInvoice(options, i)
    })
    const fill = template()
    const filled = rate(count, () => {
      for (let i = 0; i < count; i++) fill(i)
    })

    say('generated, hashed, encrypted, Base64')
    const source = seededDraw(1)
    const secret = {
      key: drawBytes(source, 32),
      iv: drawBytes(source, 16),
      wrappedKey: new Uint8Array(0),
    }
    const ready =
      (many / count) *
      seconds(() => {
        for (let i = 0; i < count; i++) submission({ xml: makeInvoice(options, i), ...secret })
      })

    say('validated')
    const documents = [
      ...corpus({ schema: 'fa3', seed: 1, count: Math.max(50, count / 20), bytes }),
    ]
    const schema = invoiceSchema('fa3')
    const texts = documents.map((each) => new TextDecoder().decode(each.bytes))
    const own = rate(texts.length, () => {
      for (const text of texts) validate(schema, readXml(text).root)
    })
    const validator = xsdValidator('fa3')
    const engine = rate(documents.length, () => {
      for (const each of documents) validator.problems(each.bytes)
    })
    const measurements: Measurement[] = [
      {
        what: 'drawn by the arbitrary of the tests',
        value: drawn,
        unit: '/s',
        aim: { least: 4_000 },
      },
      { what: 'streamed from a seed', value: streamed, unit: '/s' },
      { what: 'a string template of the same size', value: filled, unit: '/s' },
      { what: 'template / arbitrary', value: filled / drawn },
      {
        what: `${many} made, hashed, encrypted, Base64`,
        value: ready,
        unit: 's',
        aim: { most: 5 },
      },
      { what: 'validated by the engine, one by one', value: engine, unit: '/s' },
      { what: 'read and validated by the generators', value: own, unit: '/s' },
    ]
    return Promise.resolve(measurements)
  },
}
