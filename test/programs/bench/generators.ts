import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { corpus } from '../../../generators/corpus/corpus.ts'
import { sampled } from '../../../generators/draw/arbitrary.ts'
import { invoice, makeInvoice } from '../../../generators/invoice/invoice.ts'
import { invoiceSchema } from '../../../generators/schema/contract.ts'
import { readXml } from '../../../generators/schema/reader.ts'
import { validate } from '../../../generators/schema/validate.ts'
import { xsdPath, xsdValidator } from '../../../lib/node/xsd.ts'
import type { Benchmark, Measurement } from './benchmark.ts'
import { median } from './benchmark.ts'
import {
  documentBytes as bytes,
  documentOptions as options,
  makeReady,
  processorSeconds,
} from './ready.ts'

/** Documents of a full run. */
const many = 10_000
const rounds = 3

/** Items per second of processor time, the median of several rounds. */
const rate = (count: number, run: () => void): number =>
  median(Array.from({ length: rounds }, () => count / processorSeconds(run)))

/** Seconds until two processes have each made their half: the longer of the two times. */
async function onBothCores(count: number): Promise<number> {
  const script = fileURLToPath(new URL('ready.js', import.meta.url))
  const halves = [0, 1].map((half) => {
    const args = [`--ready-from=${half * count}`, `--ready-count=${Math.ceil(count / 2)}`]
    return promisify(execFile)(process.execPath, [script, ...args])
  })
  return Math.max(...(await Promise.all(halves)).map(({ stdout }) => Number(stdout)))
}

/** What libxml2 needs for a document and nothing else; the schema is compiled beforehand. */
function bareEngine(): (document: Uint8Array) => void {
  const path = xsdPath('fa3')
  const schema = XmlDocument.fromBuffer(readFileSync(path), { url: 'mem:///bench.xsd' })
  const validator = XsdValidator.fromDoc(schema)
  return (xml) => {
    const document = XmlDocument.fromBuffer(xml)
    try {
      validator.validate(document)
    } finally {
      document.dispose()
    }
  }
}

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
    const ready = rate(count, () => makeReady(0, count))
    const together = (many / count) * (await onBothCores(count))

    say('validated')
    const documents = [
      ...corpus({ schema: 'fa3', seed: 1, count: Math.max(200, count / 5), bytes }),
    ].map((each) => each.bytes)
    const schema = invoiceSchema('fa3')
    const texts = documents.map((each) => new TextDecoder().decode(each))
    const own = rate(texts.length, () => {
      for (const text of texts) validate(schema, readXml(text).root)
    })
    const validator = xsdValidator('fa3')
    const few = documents.slice(0, documents.length / 4)
    const alone = rate(few.length, () => {
      for (const each of few) validator.problems(each)
    })
    const batched = rate(documents.length, () => {
      for (const found of validator.problemsOfEach(documents))
        if (found.length > 0) throw new Error(`a document is not valid: ${found[0]}`)
    })
    const bare = bareEngine()
    const engine = rate(documents.length, () => {
      for (const each of documents) bare(each)
    })
    const measurements: Measurement[] = [
      {
        what: 'drawn by the arbitrary of the tests',
        value: drawn,
        unit: '/s',
        aim: { min: 4_000 },
      },
      { what: 'streamed from a seed', value: streamed, unit: '/s' },
      { what: 'a string template of the same size', value: filled, unit: '/s' },
      { what: 'template / arbitrary', value: filled / drawn },
      { what: 'made, hashed, encrypted, Base64', value: ready, unit: '/s' },
      {
        what: `${many} of these with both cores`,
        value: together,
        unit: 's',
        aim: { max: 5 },
      },
      { what: 'parsed and validated by libxml2, bare', value: engine, unit: '/s' },
      { what: 'validated in batches', value: batched, unit: '/s' },
      { what: 'batches / bare libxml2', value: batched / engine, aim: { min: 1 } },
      { what: 'validated one by one', value: alone, unit: '/s' },
      { what: 'read and validated by the generators', value: own, unit: '/s' },
      { what: 'generators / bare libxml2', value: own / engine },
    ]
    return measurements
  },
}
