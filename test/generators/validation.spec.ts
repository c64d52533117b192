import { expect, test } from '@playwright/test'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { corpus } from '../../generators/corpus/corpus.ts'
import { seededDraw } from '../../generators/draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { invoiceMalformationsOf, malform } from '../../generators/faults/invoices.ts'
import { openXsd, xsdValidator } from '../../lib/node/xsd.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { sampleSize, sampled } from '../sample.ts'

/** Many documents validated together get the very findings that each gets alone. */

const { seed } = runOptions
const base = { seller: '5265877635', number: 'V/1', issueDate: '2026-03-02' } as const

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

/** Malformed documents, but not the large ones, each beside a valid one. */
function* mixed(schema: InvoiceSchemaId) {
  for (const entry of sampled(invoiceMalformationsOf(schema), 8, `together ${schema}`)) {
    if (['occurrence', 'size'].includes(entry.layer)) continue
    const own = seedFrom(seed, 'validation', entry.id)
    const { document } = buildInvoice({ ...base, schema }, seededDraw(own))
    yield { id: entry.id, bytes: malform(entry, document, own).bytes }
    yield { id: 'valid', bytes: makeInvoice({ ...base, schema }, own) }
  }
}

for (const schema of ['fa3', 'fa2'] as const)
  test(`together as alone: ${schema}, malformed documents among valid ones`, () => {
    const validator = xsdValidator(schema)
    const documents = [...mixed(schema)]
    const together = [...validator.problemsOfEach(documents.map(({ bytes }) => bytes))]
    expect(together).toHaveLength(documents.length)
    const differences = documents.flatMap(({ id, bytes }, i) => {
      const alone = validator.problems(bytes)
      return JSON.stringify(alone) === JSON.stringify(together[i])
        ? []
        : [{ id, alone, together: together[i] }]
    })
    expect(differences).toEqual([])
    expect(together.filter((found) => found.length === 0).length).toBeGreaterThanOrEqual(
      documents.length / 2,
    )
  })

test('together as alone: documents that would escape their wrapper, and those that only look like it', () => {
  const validator = xsdValidator('fa3')
  const text = new TextDecoder().decode(makeInvoice(base, seed))
  const bare = text.slice(text.indexOf('?>') + 2).trim()
  const wrong = bare.replace('</Faktura>', '<X/></Faktura>')
  const documents: (string | Uint8Array)[] = [
    text,
    `${text}<!-- never closed`,
    `--> ${text}`,
    `${text}<!-- closed --><?note?>`,
    `${text}text`,
    `${text}${bare}`,
    `${bare}</each><each>${bare}`,
    bare.slice(0, -1),
    '',
    ' ',
    'text',
    '<!-- alone -->',
    `<?xml version="1.0"\n encoding='utf-8'\n?>\n${wrong}`,
    `<?xml version="1.1"?>${bare}`,
    `<?xml version="1.0" encoding="ISO-8859-2"?>${wrong}`,
    Buffer.from(`<?xml version="1.0" encoding="windows-1250"?>${bare}`, 'latin1'),
    Buffer.from(text, 'utf16le'),
    Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from(text)]),
    Buffer.from([...Buffer.from(bare.slice(0, -10)), 0xc3, 0x28]),
    `<!DOCTYPE Faktura>${bare}`,
    `\n\n${bare.replaceAll('><', '>\r\n<').replace('</Faktura>', '<X/></Faktura>')}`,
    bare.replaceAll('><', '>\n<').replace('<Fa>', '<Fa xml:id="a">'),
    bare.replace('<Fa>', '<Fa xml:id="a">'),
    bare.replace('<Faktura ', '<Inna ').replace('</Faktura>', '</Inna>'),
    bare.replace(/ xmlns="[^"]*"/, ''),
    bare.replace(/ xmlns="[^"]*"/, ' xmlns="urn:other"'),
    `${'<a>'.repeat(255)}${'</a>'.repeat(255)}`,
    wrong,
    text,
  ]
  const together = [...validator.problemsOfEach(documents)]
  expect(together).toEqual(documents.map((each) => validator.problems(each)))
  expect(together.at(0)).toEqual([])
  expect(together.at(-1)).toEqual([])
  expect(together.at(-2)).not.toEqual([])
})

test('together as alone: line numbers start at each document', () => {
  const validator = xsdValidator('fa3')
  const long = new TextDecoder()
    .decode(makeInvoice({ ...base, lines: 300 }, seed))
    .replaceAll('><', '>\n<')
  const last = long.replace(/<\/Faktura>/, '<X/></Faktura>')
  const documents = [long, last, long.replace('<Naglowek>', '<Naglowek a="b">'), last]
  const together = [...validator.problemsOfEach(documents)]
  expect(together).toEqual(documents.map((each) => validator.problems(each)))
  expect(together[1]![0]).toContain(`line ${long.split('\n').length}: `)
})

test('any schema: without a namespace, with several roots, with identifiers', () => {
  const open = (body: string, attributes = '') =>
    openXsd(
      Buffer.from(
        `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"${attributes}>${body}</xs:schema>`,
      ),
    )
  const roots =
    '<xs:element name="a" type="xs:int"/><xs:element name="b"><xs:complexType><xs:attribute name="id" type="xs:string"/></xs:complexType></xs:element>'
  const identified = roots.replace('xs:string', 'xs:ID')
  const documents = ['<a>1</a>', '<b id="x"/>', '<b id="x"/>', '<a>x</a>', '<c/>', '<a xmlns="u"/>']
  for (const validator of [open(roots), open(identified), open(roots, ' targetNamespace="urn:t"')])
    expect([...validator.problemsOfEach(documents)]).toEqual(
      documents.map((each) => validator.problems(each)),
    )
  const inUrn = documents.map((each) => each.replace(/^<(\w)/, '<$1 xmlns="urn:t"'))
  const there = open(roots, ' targetNamespace="urn:t"')
  expect([...there.problemsOfEach(inUrn.slice(0, 5))].map((found) => found.length > 0)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

for (const schema of ['fa3', 'fa2'] as const)
  test(`${schema} documents of a given size are valid`, () => {
    const count = sampleSize(2_000, 10)
    const documents = corpus({ schema, seed, count, bytes: 6_000, namespace: 'sized' })
    let [index, faults]: [number, string[]] = [0, []]
    function* contents() {
      for (const { bytes } of documents) yield bytes
    }
    for (const found of xsdValidator(schema).problemsOfEach(contents())) {
      faults.push(...found.map((problem) => `document ${index}: ${problem}`))
      index++
    }
    expect(index).toBe(count)
    expect(faults).toEqual([])
  })
