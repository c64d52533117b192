import { expect, test } from '@playwright/test'
import { corpusDocument } from '../../generators/corpus/corpus.ts'
import { lintInvoice } from '../../lint/lint.ts'
import { invoiceMalformationsOf, malform } from '../../generators/faults/invoices.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import { verify } from '../../reference/verification/verify.ts'
import { policy } from '../../reference/policy/policy.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { sampleNote, sampled } from '../sample.ts'

/** `assay lint` reports a fault where it is. */

const { seed } = runOptions
const schemas = invoiceSchemasByNamespace()
const today = '2027-01-01'

/** The path without numbers, and the one around it. */
const plain = (path: string) => path.replace(/\[\d+\]/g, '')
const around = (path: string) => path.split('/').slice(0, -1).join('/')
const near = (a: string, b: string) =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`) || around(a) === around(b)

for (const schema of ['fa3', 'fa2'] as const)
  test(`a malformed ${schema} document gets a finding at the place of its fault, and advice`, () => {
    const wrong: string[] = []
    let tried = 0
    const classes = [...invoiceMalformationsOf(schema).entries()]
    for (const [index, entry] of sampled(classes, 4, `lint ${schema}`)) {
      const { invoice, line } = corpusDocument({ schema, seed, count: index + 1 }, index)
      const { bytes, fault } = malform(entry, invoice.document, line.seed)
      const findings = lintInvoice(bytes, { schemas, today })
      // Only a session shows whether seller, form or way of sending are the right ones.
      if (entry.refusedAs === 'seller-not-allowed' || entry.seenBy === 'session') continue
      if (entry.refusedAs === 'attachment-not-allowed') continue
      tried += 1
      // Only production verifies check digits: lint warns of them, perhaps among other things.
      const digits =
        entry.id.startsWith('semantics:check-digit') || entry.id === 'semantics:full-width-digits'
      const first = findings.find(({ severity, rule }) =>
        digits ? rule.endsWith('check-digit') : severity === 'error',
      )
      const whole = fault.path.startsWith('(')
      const known = first && first.advice !== ''
      if (!known || (!whole && first.path !== '' && !near(plain(first.path), plain(fault.path))))
        wrong.push(`${entry.id}: ${fault.path}, but ${JSON.stringify(first)}`)
    }
    expect(wrong, sampleNote).toEqual([])
    expect(tried).toBeGreaterThan(classes.length / 8)
  })

test('a fault below the markup reports the path of its element', () => {
  const { bytes } = corpusDocument({ schema: 'fa3', seed, count: 1, kind: 'VAT', lines: 3 }, 0)
  const text = new TextDecoder().decode(bytes)
  const third = text.lastIndexOf('</P_7>')
  const cut = (insert: string) =>
    new TextEncoder().encode(text.slice(0, third) + insert + text.slice(third))
  for (const [insert, rule] of [
    ['\u0000', 'encoding'],
    ['\u007F', 'discouraged-character'],
    ['&nbsp;', 'well-formed'],
    ['<?druk?>', 'instruction'],
  ] as const)
    expect(lintInvoice(cut(insert), { schemas, today })[0], rule).toMatchObject({
      rule,
      path: 'Faktura/Fa/FaWiersz[3]/P_7',
    })
})

test('does not read a document far beyond every limit', () => {
  const findings = lintInvoice(new Uint8Array(31_000_000).fill(0x3c), { schemas, today })
  expect(findings.map(({ rule }) => rule)).toEqual(['size'])
})

const declared = '<?xml version="1.0" encoding="UTF-8"?>'
const tag = (name: string, ...content: readonly string[]) =>
  `<${name}>${content.join('')}</${name}>`
const line = (rate: string, value: string, ...more: readonly string[]) =>
  tag('FaWiersz', tag('NrWierszaFa', '1'), tag('P_11', value), tag('P_12', rate), ...more)

/** An invoice like those that are published, built from its parts. */
const written = ({
  kind = 'VAT',
  currency = 'PLN',
  totals = '<P_13_1>100.00</P_13_1><P_14_1>23.00</P_14_1><P_15>123.00</P_15>',
  head = '',
  lines = line('23', '100.00'),
  behind = '',
  buyer = '<NIP>1111111111</NIP>',
  flags = '',
}: Readonly<Record<string, string>>) => {
  const notes = tag(
    'Adnotacje',
    '<P_16>2</P_16><P_17>2</P_17><P_18>2</P_18><P_18A>2</P_18A>',
    flags || '<Zwolnienie><P_19N>1</P_19N></Zwolnienie>',
    '<NoweSrodkiTransportu><P_22N>1</P_22N></NoweSrodkiTransportu><P_23>2</P_23>',
    '<PMarzy><P_PMarzyN>1</P_PMarzyN></PMarzy>',
  )
  const address = '<Adres><KodKraju>PL</KodKraju><AdresL1>A</AdresL1></Adres>'
  return (
    `${declared}<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/"><Naglowek>` +
    '<KodFormularza kodSystemowy="FA (3)" wersjaSchemy="1-0E">FA</KodFormularza>' +
    '<WariantFormularza>3</WariantFormularza>' +
    '<DataWytworzeniaFa>2026-03-02T10:00:00Z</DataWytworzeniaFa></Naglowek>' +
    tag('Podmiot1', tag('DaneIdentyfikacyjne', '<NIP>5265877635</NIP><Nazwa>A</Nazwa>'), address) +
    tag('Podmiot2', tag('DaneIdentyfikacyjne', buyer), '<JST>2</JST><GV>2</GV>') +
    tag(
      'Fa',
      `<KodWaluty>${currency}</KodWaluty><P_1>2026-03-02</P_1><P_2>1</P_2>${totals}${notes}`,
      tag('RodzajFaktury', kind) + head + lines + behind,
    ) +
    '</Faktura>'
  )
}
const found = (text: string) =>
  lintInvoice(new TextEncoder().encode(text), { schemas, today }).map(({ rule }) => rule)
const correcting = (day: string) =>
  tag(
    'DaneFaKorygowanej',
    tag('DataWystFaKorygowanej', day) + '<NrFaKorygowanej>0</NrFaKorygowanej><NrKSeFN>1</NrKSeFN>',
  )
const account = (number: string) =>
  tag('Platnosc', '<FormaPlatnosci>6</FormaPlatnosci>', tag('RachunekBankowy', tag('NrRB', number)))
const euro = (rate: string, converted: string) =>
  written({
    currency: 'EUR',
    totals: `<P_13_1>100.00</P_13_1><P_14_1>23.00</P_14_1>${converted}<P_15>123.00</P_15>`,
    lines: line('23', '100.00', rate),
  })
const supply = '<P_13_6_2>100.00</P_13_6_2><P_15>100.00</P_15>'
const advances =
  '<FakturaZaliczkowa><NrKSeFZN>1</NrKSeFZN><NrFaZaliczkowej>Z</NrFaZaliczkowej></FakturaZaliczkowa>'
const zeros = '<P_13_1>100.00</P_13_1><P_14_1>23.00</P_14_1><P_13_7>0</P_13_7><P_13_11>0</P_13_11>'

const remarks: [string, string, string[]][] = [
  ['nothing wrong', written({}), []],
  [
    'totals of zero are no exemption and no margin',
    written({ totals: `${zeros}<P_15>123</P_15>` }),
    [],
  ],
  [
    'a placeholder for a NIP has no check digit',
    written({ buyer: '<NIP>#nip#</NIP>' }),
    ['schema.value'],
  ],
  ['a NIP has one', written({ buyer: '<NIP>1234567890</NIP>' }), ['nip-check-digit']],
  [
    'a placeholder for a date is not later',
    written({}).replace('<P_1>2026-03-02', '<P_1>{{DATE}}'),
    ['schema.value'],
  ],
  ['a date is', written({}).replace('<P_1>2026-03-02', '<P_1>2027-01-02'), ['issue-date']],
  ['a settlement of nothing', written({ kind: 'ROZ' }), ['settlement-advance']],
  ['a settlement of an advance', written({ kind: 'ROZ', head: advances }), []],
  ['a total without lines', written({ lines: line('8', '0.00') }), ['rate-total']],
  [
    'a correction of what comes later',
    written({ kind: 'KOR', head: correcting('2026-03-03') }),
    ['corrected-later'],
  ],
  [
    'a correction of what came before',
    written({ kind: 'KOR', head: correcting('2026-03-02') }),
    [],
  ],
  [
    'a large simplified invoice',
    written({
      kind: 'UPR',
      totals: '<P_15>450.01</P_15>',
      lines: '<FaWiersz><NrWierszaFa>1</NrWierszaFa></FaWiersz>',
    }),
    ['simplified-limit'],
  ],
  ['a small one', written({ kind: 'UPR', totals: '<P_15>450</P_15>' }), []],
  [
    'a supply to a domestic buyer',
    written({ totals: supply, lines: line('0 WDT', '100.00') }),
    ['supply-buyer'],
  ],
  [
    'a supply to an EU buyer',
    written({
      totals: supply,
      lines: line('0 WDT', '100.00'),
      buyer: '<KodUE>DE</KodUE><NrVatUE>1</NrVatUE>',
    }),
    [],
  ],
  [
    'split payment that is due',
    written({
      totals: '<P_13_1>20000.00</P_13_1><P_14_1>4600.00</P_14_1><P_15>24600.00</P_15>',
      lines: line('23', '20000.00', '<P_12_Zal_15>1</P_12_Zal_15>'),
    }),
    ['split-payment-flag'],
  ],
  [
    'a service taxed by its EU buyer',
    written({ totals: '<P_13_9>1</P_13_9><P_15>1</P_15>', lines: line('np II', '1') }),
    ['reverse-charge-flag'],
  ],
  ['tax in euro alone', euro('', ''), ['converted-tax']],
  ['tax converted', euro('<KursWaluty>4.3120</KursWaluty>', '<P_14_1W>99.18</P_14_1W>'), []],
  [
    'tax converted wrongly',
    euro('<KursWaluty>4.3120</KursWaluty>', '<P_14_1W>23.00</P_14_1W>'),
    ['converted-tax'],
  ],
  ['tax converted at a rate that is not told', euro('', '<P_14_1W>99.18</P_14_1W>'), []],
  ['an account with its country', written({ behind: account('PL61109010140000071219812874') }), []],
  [
    'an account with its country and a wrong digit',
    written({ behind: account('PL61109010140000071219812875') }),
    ['account-check-digits'],
  ],
  [
    'an account that is too long',
    written({ behind: account('PL46548465988989787987898787987') }),
    ['account-length'],
  ],
  ['an account of 25 digits', written({ behind: account('6'.repeat(25)) }), ['account-length']],
  ['an account of another country', written({ behind: account('DE89370400440532013000') }), []],
  [
    'a Polish number among those of other states',
    written({ buyer: '<KodUE>PL</KodUE><NrVatUE>1111111111</NrVatUE>' }),
    ['buyer-identifier'],
  ],
  [
    'an exemption of nothing',
    written({ flags: '<Zwolnienie><P_19>1</P_19><P_19A>x</P_19A></Zwolnienie>' }),
    ['exemption-flag'],
  ],
  [
    'a discouraged character as a reference',
    written({ buyer: '<NIP>1111111111</NIP><Nazwa>a&#x7F;</Nazwa>' }),
    ['discouraged-character'],
  ],
  [
    'the same in CDATA',
    written({ buyer: '<NIP>1111111111</NIP><Nazwa><![CDATA[&#x7F;]]></Nazwa>' }),
    [],
  ],
  [
    'a blank that is none between elements',
    written({}).replace('</Naglowek>', '</Naglowek>\u00A0'),
    ['schema.text'],
  ],
  ['a byte order mark there', written({}).replace('<Fa>', '\uFEFF<Fa>'), ['schema.text']],
  ['NEL there', written({}).replace('<Fa>', '\u0085<Fa>'), ['schema.text']],
  ...(
    [
      ['xmlns:x="http://a b"', ['namespace-name']],
      ['xmlns:x="a:b#c#d"', ['namespace-name']],
      ['xmlns:x="&amp;b:c"', ['namespace-name']],
      ['xmlns:x="%zz"', ['namespace-name']],
      ['xmlns:x="ż"', ['namespace-name']],
      ['xmlns:x=""', ['well-formed']],
      ['xmlns:x="urn:a" xmlns:x="urn:b"', ['well-formed']],
      ['xmlns:xml="urn:a"', ['well-formed']],
      ['xmlns:x="http://www.w3.org/XML/1998/namespace"', ['well-formed']],
      ['xmlns:x="http://www.w3.org/2000/xmlns/"', ['well-formed']],
      ['xmlns:xmlns="urn:a"', ['well-formed']],
      ['xmlns:xml="http://www.w3.org/XML/1998/namespace"', []],
      ['xmlns:x="urn:a:b"', []],
      ['xmlns:x="http://a.b:80/c/%C5%BC?d=e/f#g"', []],
      ['xmlns:x="http://[::1]/"', []],
    ] as const
  ).map(([declaration, rules]): [string, string, string[]] => [
    `a declaration ${declaration}`,
    written({}).replace('<Fa>', `<Fa ${declaration}>`),
    [...rules],
  ]),
  ['XML 1.1', written({}).replace('version="1.0"', 'version="1.1"'), ['xml-version']],
]
for (const [what, text, rules] of remarks)
  test(`remarks: ${what}`, () => {
    expect(found(text)).toEqual(rules)
  })

test('the reference rejects exactly what lint reports as an error', () => {
  const differences = remarks.flatMap(([what, text]) => {
    const content = new TextEncoder().encode(text)
    const limits = { maxInvoiceBytes: 1e6, maxInvoiceWithAttachmentBytes: 3e6, maxInvoices: 1 }
    const verdict = verify({ content, schema: 'fa3', limits, today, checkDigits: false }, policy)
    const errors = lintInvoice(content, { schemas, today }).some(
      ({ severity }) => severity === 'error',
    )
    return errors === 'fault' in verdict ? [] : [what]
  })
  expect(differences).toEqual([])
})

test('a document with twenty thousand faults is read within bounds', () => {
  const lines = '<FaWiersz><P_11>abc</P_11></FaWiersz>'.repeat(20_000)
  const findings = lintInvoice(new TextEncoder().encode(written({ lines })), { schemas, today })
  expect(findings.length).toBeLessThan(500)
  expect(JSON.stringify(findings).length).toBeLessThan(500_000)
})
