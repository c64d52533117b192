import { expect, test } from '@playwright/test'
import { corpusDocument } from '../../generators/corpus/corpus.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import { lintInvoice } from '../../lint/lint.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

const { seed } = runOptions
const schemas = invoiceSchemasByNamespace()
const today = '2027-01-01'

test('findings name the limit and the missing element, and repeated ones come once', () => {
  const { bytes } = corpusDocument({ schema: 'fa3', seed, count: 1, kind: 'VAT', lines: 40 }, 0)
  const text = new TextDecoder().decode(bytes)
  const lint = (changed: string) =>
    lintInvoice(new TextEncoder().encode(changed), { schemas, today }).filter(
      ({ severity }) => severity === 'error',
    )
  expect(lint(text.replace(/<P_15>[^<]*/, '<P_15>1000.123'))[0]?.message).toBe(
    '"1000.123" has 3 decimals; at most 2 are allowed',
  )
  expect(lint(text.replace(/<P_15>[^<]*<\/P_15>/, ''))[0]?.message).toMatch(
    /^P_15 is missing before \w+$/,
  )
  // Among all elements that could come next, those after which the existing one is legal.
  for (const [missing, pattern, before] of [
    ['DaneIdentyfikacyjne', /<DaneIdentyfikacyjne>.*?<\/DaneIdentyfikacyjne>/s, 'Adres'],
    ['RodzajFaktury', /<RodzajFaktury>[^<]*<\/RodzajFaktury>/, '\\w+'],
    ['P_23', /<P_23>[^<]*<\/P_23>/, 'PMarzy'],
  ] as const)
    expect(lint(text.replace(pattern, ''))[0]?.message).toMatch(
      new RegExp(`^${missing} is missing before ${before}$`),
    )
  // What comes later is not missing, and a name of another namespace is not out of place.
  for (const [before, after, says] of [
    ['<P_1>', '<P_15>1</P_15><P_1>', /^P_15 is out of order after KodWaluty; expected P_1$/],
    ['<P_15>', '<P_15 xmlns="urn:x">', /^P_15 has the namespace "urn:x"; Fa has "http:.*"$/],
    ['>3</Wariant', '>2</Wariant', /^"2" is not "3", the only allowed value$/],
  ] as const)
    expect(lint(text.replace(before, after))[0]?.message).toMatch(says)
  const [repeated, ...others] = lint(text.replaceAll('</P_7>', '</P_7><P_7>x</P_7>'))
  expect(repeated).toMatchObject({ rule: 'schema.unexpected', occurrences: 40 })
  expect(others).toEqual([])
})
