import { expect, test } from '@playwright/test'
import { XmlDocument } from 'libxml2-wasm'
import { minimalInvoice } from '../../generators/invoice/invoice.ts'
import type { Submission } from '../../reference/verification/verify.ts'
import { verify } from '../../reference/verification/verify.ts'
import { policy } from '../../reference/policy/policy.ts'
import { schemaFindings } from '../../reference/xml/schemas.ts'
import {
  discouragedCharacter,
  encodingFault,
  lexicalFindings,
  markupOf,
  withoutComments,
} from '../../reference/xml/markup.ts'
import { withDocument } from '../../reference/xml/xml.ts'

const cases: [string, string, Partial<ReturnType<typeof lexicalFindings>>][] = [
  ['nothing special', '<a/>', {}],
  [
    'a declaration',
    '<?xml version="1.0" encoding="UTF-8"?><a/>',
    { declaredVersion: '1.0', declaredEncoding: 'UTF-8' },
  ],
  [
    'single quotes',
    "<?xml version='1.1' encoding='latin2' ?><a/>",
    { declaredVersion: '1.1', declaredEncoding: 'latin2' },
  ],
  ['a declaration on lines', '<?xml\n version\t= "1.0"\r\n?><a/>', { declaredVersion: '1.0' }],
  [
    'an instruction before the root',
    '<?xml version="1.0"?><?x y?><a/>',
    { declaredVersion: '1.0', processingInstruction: 'x' },
  ],
  ['an instruction within', '<a><?php echo ?></a>', { processingInstruction: 'php' }],
  ['an instruction after the root', '<a/><?end?>', { processingInstruction: 'end' }],
  ['a second declaration', '<a/><?xml version="1.0"?>', { processingInstruction: 'xml' }],
  ['an instruction in Polish', '<a><?żółw?></a>', { processingInstruction: 'żółw' }],
  ['an instruction in a comment', '<!-- <?x?> --><a/>', { comments: 1 }],
  ['an instruction in CDATA', '<a><![CDATA[<?x?><!DOCTYPE a>]]></a>', {}],
  ['a DOCTYPE', '<!DOCTYPE a><a/>', { doctype: true }],
  [
    'a DOCTYPE after a comment',
    '<!-- --><!DOCTYPE a [<!ENTITY b "c">]><a/>',
    { doctype: true, comments: 1 },
  ],
  ['a DOCTYPE in a comment', '<!-- <!DOCTYPE a> --><a/>', { comments: 1 }],
  ['a comment without an end', '<a><!-- <?x?>', { comments: 1 }],
]

for (const [what, text, found] of cases) {
  test(`markup: ${what}`, () => {
    expect(lexicalFindings(markupOf(Buffer.from(text)))).toEqual({
      doctype: false,
      processingInstruction: undefined,
      declaredEncoding: undefined,
      declaredVersion: undefined,
      comments: 0,
      ...found,
    })
  })
}

test('finds discouraged XML characters, literal and as references, and only those', () => {
  const discouraged = (text: string) => discouragedCharacter(Buffer.from(text))
  for (const code of [0x7f, 0x84, 0x86, 0x9f, 0xfdd0, 0xfdef, 0x1fffe, 0x10ffff]) {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    expect(discouraged(`a${String.fromCodePoint(code)}b`)).toBe(name)
    expect(discouraged(`a&#x${code.toString(16)};b`)).toBe(name)
    expect(discouraged(`a&#${code};b`)).toBe(name)
  }
  for (const code of [0x7e, 0x85, 0xa0, 0xfdcf, 0xfdf0, 0x1fffd, 0x10fffd])
    expect(discouraged(`a${String.fromCodePoint(code)}&#${code};`)).toBeUndefined()
})

test('ignores references in comments and CDATA sections', () => {
  const discouraged = (text: string) => discouragedCharacter(Buffer.from(text))
  expect(discouraged('<a><!-- &#x7f; --><![CDATA[&#127;]]>&#x85;</a>')).toBeUndefined()
  expect(discouraged('<a><!-- &#x85; --><![CDATA[&#127;]]>&#x7f;</a>')).toBe('U+007F')
})

test('accepts UTF-8 without a byte order mark and explains any other input', () => {
  expect(encodingFault(Buffer.from('<a>ąę€𝄞</a>'))).toBeUndefined()
  expect(encodingFault(Buffer.from('\ufeff<a/>'))).toBe('The document has a byte order mark')
  expect(encodingFault(Buffer.from('\ufeff<a/>', 'utf16le'))).toBe('The document is UTF-16')
  expect(encodingFault(Buffer.from('<a/>', 'utf16le'))).toBe('The document is not UTF-8')
  expect(encodingFault(Buffer.from([0x3c, 0xf3, 0x3e]))).toBe('The document is not UTF-8')
  expect(encodingFault(Buffer.from([0xed, 0xa0, 0x80]))).toBe('The document is not UTF-8')
})

test('removes comments from a text, and nothing else', () => {
  for (const [text, bare] of [
    ['<a/>', '<a/>'],
    ['<!--x--><a>b<!-- c -->d<!----></a><!--e-->', '<a>bd</a>'],
    ['<a><![CDATA[<!-- stays -->]]><!-- goes ]]> --></a>', '<a><![CDATA[<!-- stays -->]]></a>'],
    ['<a><!-- <![CDATA[ --></a>', '<a></a>'],
  ] as const)
    expect(withoutComments(text)).toBe(bare)
})

test('joins CDATA sections into one text node', () => {
  const count = (text: string) =>
    withDocument(Buffer.from(text), (document) => document.find('//text()').length)
  expect(count(`<a>${'<![CDATA[b]]>c'.repeat(100)}</a>`)).toBe(1)
})

test('a finding quotes only the beginning of a value', () => {
  const document = Buffer.from(
    minimalInvoice({ seller: '5265877635', number: 'N', issueDate: '2026-03-02' }),
  ).toString('utf8')
  const long = document.replace(/<P_15>[^<]*/, () => `<P_15>${'1'.repeat(500_000)}`)
  const findings = withDocument(Buffer.from(long), (tree) => schemaFindings(tree, 'fa3.xsd'))
  expect(findings.length).toBeGreaterThan(0)
  for (const finding of findings) expect(finding.length).toBeLessThanOrEqual(503)
})

test('a document with thousands of comments gets the same result as one without', () => {
  const document = Buffer.from(
    minimalInvoice({ seller: '5265877635', number: 'N', issueDate: '2026-03-02' }),
  ).toString('utf8')
  const comments = (count: number) =>
    document.replace(/<P_2>[^<]*/, () => `<P_2>${'a<!---->'.repeat(count)}`)
  const judged = (text: string) => {
    let seen = 0
    const submission: Submission = {
      content: Buffer.from(text),
      schema: 'fa3',
      limits: { maxInvoiceBytes: 1e6, maxInvoiceWithAttachmentBytes: 3e6, maxInvoices: 10_000 },
      today: '2026-06-15',
      checkDigits: true,
    }
    const verdict = verify(submission, {
      ...policy,
      schemaFindings(tree, file) {
        seen = tree instanceof XmlDocument ? tree.find('//comment()').length : -1
        return schemaFindings(tree, file)
      },
    })
    return { seen, rejected: 'fault' in verdict ? verdict.fault.details : [] }
  }
  expect(judged(comments(200))).toEqual({ seen: 200, rejected: [] })
  // The number of an invoice has 256 characters at most.
  expect(judged(comments(1_100))).toEqual({
    seen: 0,
    rejected: [expect.stringMatching(/P_2'.*maxLength.*length of '1100'/)],
  })
  expect(judged(document.replace('<Fa>', `${'<!---->'.repeat(1_100)}<Fa>`))).toEqual({
    seen: 0,
    rejected: [],
  })
})
