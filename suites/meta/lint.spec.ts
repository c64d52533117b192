import { expect, test } from '@playwright/test'
import { corpusDocument } from '../../generators/corpus.ts'
import { lintInvoice } from '../../generators/lint.ts'
import { invoiceMalformationsOf, malform } from '../../generators/malformations/invoices.ts'
import { invoiceSchemasByNamespace } from '../../generators/xsd/contract.ts'
import { runOptions } from '../run-options.ts'

/** `assay lint` on what is wrong: it says so where the fault lies. */

const { seed } = runOptions
const schemas = invoiceSchemasByNamespace()
const today = '2027-01-01'

/** The path without numbers, and the one around it. */
const plain = (path: string) => path.replace(/\[\d+\]/g, '')
const around = (path: string) => path.split('/').slice(0, -1).join('/')
const near = (a: string, b: string) =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`) || around(a) === around(b)

for (const schema of ['fa3', 'fa2'] as const)
  test(`every malformed ${schema} document gets a finding at the place of its fault, and advice`, () => {
    const wrong: string[] = []
    let tried = 0
    for (const [index, entry] of invoiceMalformationsOf(schema).entries()) {
      const { invoice, line } = corpusDocument({ schema, seed, count: index + 1 }, index)
      const { bytes, fault } = malform(entry, invoice.document, line.seed)
      const findings = lintInvoice(bytes, { schemas, today })
      // Only who knows the session can tell another seller from the right one.
      if (entry.refusedAs === 'seller-not-allowed') continue
      tried += 1
      const first = findings.find(({ severity }) => severity === 'error') ?? findings[0]
      const whole = fault.path.startsWith('(')
      // Check digits are only production's business: a warning.
      const digits =
        entry.id.startsWith('semantics:check-digit') || entry.id === 'semantics:full-width-digits'
      const known = first && (digits || first.severity === 'error') && first.advice !== ''
      if (!known || (!whole && first.path !== '' && !near(plain(first.path), plain(fault.path))))
        wrong.push(`${entry.id}: ${fault.path}, but ${JSON.stringify(first)}`)
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(500)
  })

test('a fault below the markup has the path of the element that it lies in', () => {
  const { bytes } = corpusDocument({ schema: 'fa3', seed, count: 1, kind: 'VAT', lines: 3 }, 0)
  const text = new TextDecoder().decode(bytes)
  const third = text.lastIndexOf('</P_7>')
  const cut = (insert: string) =>
    new TextEncoder().encode(text.slice(0, third) + insert + text.slice(third))
  for (const [insert, rule] of [
    ['\u007F', 'discouraged-character'],
    ['&nbsp;', 'well-formed'],
    ['<?druk?>', 'instruction'],
  ] as const)
    expect(lintInvoice(cut(insert), { schemas, today })[0], rule).toMatchObject({
      rule,
      path: 'Faktura/Fa/FaWiersz[3]/P_7',
    })
})

test('a document far beyond every limit is not read', () => {
  const findings = lintInvoice(new Uint8Array(31_000_000).fill(0x3c), { schemas, today })
  expect(findings.map(({ rule }) => rule)).toEqual(['size'])
})
