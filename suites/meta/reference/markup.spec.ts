import { expect, test } from '@playwright/test'
import { discouragedCharacter, lexicalFindings, utf8Text } from '../../../reference/xml.ts'

const cases: [string, string, Partial<ReturnType<typeof lexicalFindings>>][] = [
  ['nothing special', '<a/>', {}],
  ['a declaration', '<?xml version="1.0" encoding="UTF-8"?><a/>', { declaredEncoding: 'UTF-8' }],
  ['single quotes', "<?xml version='1.0' encoding='latin2' ?><a/>", { declaredEncoding: 'latin2' }],
  [
    'an instruction before the root',
    '<?xml version="1.0"?><?x y?><a/>',
    { processingInstruction: 'x' },
  ],
  ['an instruction within', '<a><?php echo ?></a>', { processingInstruction: 'php' }],
  ['an instruction after the root', '<a/><?end?>', { processingInstruction: 'end' }],
  ['a second declaration', '<a/><?xml version="1.0"?>', { processingInstruction: 'xml' }],
  ['an instruction in a comment', '<!-- <?x?> --><a/>', {}],
  ['an instruction in CDATA', '<a><![CDATA[<?x?><!DOCTYPE a>]]></a>', {}],
  ['a DOCTYPE', '<!DOCTYPE a><a/>', { doctype: true }],
  ['a DOCTYPE after a comment', '<!-- --><!DOCTYPE a [<!ENTITY b "c">]><a/>', { doctype: true }],
  ['a DOCTYPE in a comment', '<!-- <!DOCTYPE a> --><a/>', {}],
  ['a comment without an end', '<a><!-- <?x?>', {}],
]

for (const [what, text, found] of cases) {
  test(`markup: ${what}`, () => {
    expect(lexicalFindings(text)).toEqual({
      doctype: false,
      processingInstruction: undefined,
      declaredEncoding: undefined,
      ...found,
    })
  })
}

test('characters that XML discourages are found, written out and as references, and their neighbours are not', () => {
  for (const code of [0x7f, 0x84, 0x86, 0x9f, 0xfdd0, 0xfdef, 0x1fffe, 0x10ffff]) {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    expect(discouragedCharacter(`a${String.fromCodePoint(code)}b`)).toBe(name)
    expect(discouragedCharacter(`a&#x${code.toString(16)};b`)).toBe(name)
    expect(discouragedCharacter(`a&#${code};b`)).toBe(name)
  }
  for (const code of [0x7e, 0x85, 0xa0, 0xfdcf, 0xfdf0, 0x1fffd, 0x10fffd])
    expect(discouragedCharacter(`a${String.fromCodePoint(code)}&#${code};`)).toBeUndefined()
})

test('bytes are UTF-8 without a byte order mark or say why not', () => {
  expect(utf8Text(Buffer.from('<a>ąę€𝄞</a>'))).toEqual({ text: '<a>ąę€𝄞</a>' })
  expect(utf8Text(Buffer.from('\ufeff<a/>'))).toEqual({
    wrong: 'The document has a byte order mark',
  })
  expect(utf8Text(Buffer.from('\ufeff<a/>', 'utf16le'))).toEqual({
    wrong: 'The document is UTF-16',
  })
  expect(utf8Text(Buffer.from([0x3c, 0xf3, 0x3e]))).toEqual({ wrong: 'The document is not UTF-8' })
  expect(utf8Text(Buffer.from([0xed, 0xa0, 0x80]))).toEqual({ wrong: 'The document is not UTF-8' })
})
