import { expect, test } from '@playwright/test'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { seedFrom } from '../../lib/random.ts'
import { factsOf, moved } from '../../suites/support/documents/documents.ts'
import { selfInvoiced } from '../../suites/support/documents/parties.ts'
import { readRunOptions } from '../../suites/support/checks/run-options.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytes = (xml: string): Uint8Array => new TextEncoder().encode(xml)

const original = makeInvoice(
  { seller: '5265877635', number: 'F/1', issueDate: '2026-03-02', buyer: '7980332920' },
  7,
)
const to = { seller: '6824515772', issueDate: '2026-06-15', number: 'A&B/<1>' }

test('reads the facts of a document', () => {
  expect(factsOf(original)).toEqual({
    seller: '5265877635',
    issueDate: '2026-03-02',
    number: 'F/1',
    kind: 'VAT',
    attachment: false,
  })
})

test('a document is self-invoiced, or not, whatever it was', () => {
  const given = [original, selfInvoiced(original)]
  expect(given.map((one) => text(selfInvoiced(one)).match(/<P_17>./)?.[0])).toEqual([
    '<P_17>1',
    '<P_17>1',
  ])
  expect(given.map((one) => text(selfInvoiced(one, false)))).toEqual([
    text(original),
    text(original),
  ])
})

test('moving a document changes seller, date and number only', () => {
  const result = text(moved(original, to))
  expect(result).toContain('<P_2>A&amp;B/&lt;1&gt;</P_2>')
  expect(factsOf(bytes(result))).toMatchObject({ seller: to.seller, issueDate: to.issueDate })
  const back = result
    .replace('<P_2>A&amp;B/&lt;1&gt;<', '<P_2>F/1<')
    .replace(`<P_1>${to.issueDate}<`, '<P_1>2026-03-02<')
    .replace(`<NIP>${to.seller}<`, '<NIP>5265877635<')
  expect(back).toBe(text(original))
})

test('moving a document keeps a buyer with the same NIP and supports prefixes', () => {
  const xml =
    '<f:Faktura xmlns:f="urn:x"><f:Podmiot1><f:NIP>1111111111</f:NIP></f:Podmiot1><f:Podmiot2><f:NIP>1111111111</f:NIP></f:Podmiot2><f:Fa><f:P_1 >2026-01-01</f:P_1><f:P_2>x</f:P_2></f:Fa><f:Zalacznik/></f:Faktura>'
  const result = text(moved(bytes(xml), to))
  expect(result).toContain('<f:Podmiot1><f:NIP>6824515772</f:NIP>')
  expect(result).toContain('<f:Podmiot2><f:NIP>1111111111</f:NIP>')
  expect(result).toContain('<f:P_1 >2026-06-15</f:P_1>')
  expect(factsOf(bytes(xml)).attachment).toBe(false)
  expect(
    factsOf(bytes(xml.replace('<f:Zalacznik/>', '<f:Zalacznik></f:Zalacznik>'))).attachment,
  ).toBe(true)
})

test('reads run options from the environment and rejects invalid ones', () => {
  expect(readRunOptions({})).toMatchObject({ seed: 1, limits: 'production', dialect: 'svc' })
  expect(readRunOptions({ ASSAY_MUTANTS: 'a, b' }).mutants).toEqual([{ id: 'a' }, { id: 'b' }])
  expect(readRunOptions({ ASSAY_MUTANTS: 'all' }).mutants).toBe('all')
  expect(readRunOptions({ ASSAY_STRICT: '1' }).strict).toBe(true)
  expect(() => readRunOptions({ ASSAY_SEED: '2147483648' })).toThrow('ASSAY_SEED')
  expect(() => readRunOptions({ ASSAY_SEED: 'x' })).toThrow('int32')
})

test('derived seeds are int32, depend on every part, and are stable', () => {
  const seed = seedFrom(1, 'a.b', 'variant', 'namespace')
  expect(seed).toBe(seedFrom(1, 'a.b', 'variant', 'namespace'))
  expect(Number.isInteger(seed) && Math.abs(seed) <= 2 ** 31).toBe(true)
  const others = [
    seedFrom(2, 'a.b', 'variant', 'namespace'),
    seedFrom(1, 'a.b', 'variant', 'other'),
  ]
  expect(others).not.toContain(seed)
})
