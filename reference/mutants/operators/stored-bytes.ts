import { sha256Base64 } from '../../base/crypto.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Mutant } from '../mutant.ts'
import type { Roles } from '../../model/roles.ts'
import { rolesIn } from '../../model/roles.ts'
import { answers } from '../rewrite.ts'
import { policy } from '../../policy/policy.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Documents that are not returned as they came: normalized, re-encoded, cut. */

/** What software does to a document that it parses, stores as text or writes anew. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  'crlf-as-lf': (text) => text.replaceAll('\r\n', '\n'),
  'lf-as-crlf': (text) => text.replace(/(?<!\r)\n/g, '\r\n'),
  'trailing-space-lost': (text) => text.trimEnd(),
  'line-feed-added': (text) => `${text}\n`,
  'declaration-lost': (text) => text.replace(/^<\?xml.*?\?>\s*/s, ''),
  'declaration-respelled': (text) =>
    text.replace(/^(<\?xml[^>]*encoding=)(["'])utf-8\2/i, '$1"utf-8"'),
  'declaration-added': (text) =>
    text.startsWith('<?xml') ? text : `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  'comments-lost': (text) => text.replaceAll(/<!--.*?-->/gs, ''),
  'beyond-the-bmp-lost': (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  'outside-latin-lost': (text) => text.replaceAll(/[\u0100-\uffff]/g, '?'),
  composed: (text) => text.normalize('NFC'),
  'references-resolved': (text) =>
    text.replaceAll(/&#(x[0-9a-f]+|[0-9]+);/gi, (all, code: string) => {
      const point = code.startsWith('x') ? parseInt(code.slice(1), 16) : Number(code)
      return point > 31 && ![34, 38, 39, 60, 62].includes(point) ? String.fromCodePoint(point) : all
    }),
  'quotes-turned': (text) => text.replaceAll(/='([^'"<>]*)'/g, '="$1"'),
  'empty-elements-closed': (text) => text.replaceAll(/<([\w:]+)((?:\s[^<>]*)?)><\/\1>/g, '<$1$2/>'),
  'cdata-resolved': (text) => text.replaceAll(/<!\[CDATA\[([^<&]*?)\]\]>/gs, '$1'),
  'blanks-between-elements-lost': (text) => text.replaceAll(/>[ \t\r\n]+</g, '><'),
  'tabs-as-blanks': (text) => text.replaceAll('\t', ' '),
  'blanks-collapsed': (text) => text.replaceAll(/ {2,}/g, ' '),
  'ampersand-doubled': (text) => text.replaceAll('&amp;', '&amp;amp;'),
  'apostrophes-escaped': (text) => text.replaceAll(/(>[^<>]*)'(?=[^<>]*<)/g, '$1&apos;'),
}

const applied = (bytes: Uint8Array, change: (text: string) => string): Uint8Array =>
  Buffer.from(change(Buffer.from(bytes).toString('utf8')))

/** Where documents are returned, with the rules that this breaks. */
const ways: Readonly<Partial<Record<OperationId, Rules>>> = {
  'invoices.byNumber': ['invoices.get.by-invoice-number', 'invoices.get.by-service-number'],
  'invoices.bySvcNumber': ['invoices.get.by-service-number'],
}

const given = (operation: OperationId, change: (text: string) => string): Mutant =>
  answers([operation], (answer) => {
    if (answer.bytes === undefined) return answer
    const bytes = applied(answer.bytes, change)
    return { ...answer, bytes, headers: { 'x-ms-meta-hash': sha256Base64(bytes) } }
  })

/** Readers who did not send the document, and get it from a copy that was not kept byte for byte. */
const others: Readonly<Record<string, (roles: Roles) => boolean>> = {
  buyers: ({ buyer }) => buyer,
  'third-parties': ({ third }) => third,
  'authorized-parties': ({ authorized }) => authorized,
  sellers: ({ seller }) => seller,
}

const givenTo = (
  operation: OperationId,
  is: (roles: Roles) => boolean,
  change: (text: string) => string,
): Mutant =>
  answers([operation], (answer, { caller, path, service: { state } }) => {
    const issued =
      state.issued.get(path['svcNumber'] ?? '') ??
      state.issued.by('number', path['invoiceNumber'] ?? '')[0]
    if (answer.bytes === undefined || caller === undefined || issued === undefined) return answer
    const roles = rolesIn(caller.context, issued)
    if (roles.sender || !is(roles)) return answer
    const bytes = applied(answer.bytes, change)
    return { ...answer, bytes, headers: { 'x-ms-meta-hash': sha256Base64(bytes) } }
  })

/** Ways in which a reader gets the document, with the changes that are tried for each kind of reader. */
const copies = (): Generated[] =>
  Object.entries(others).flatMap(([who, is]) =>
    (who === 'sellers' ? (['invoices.bySvcNumber'] as const) : Object.keys(ways))
      .flatMap((operation) =>
        ['crlf-as-lf', 'composed', 'cdata-resolved'].map((name) => ({ operation, name })),
      )
      .map(({ operation, name }) =>
        generated(
          'bytes',
          `${operation}.${name}.for-${who}`,
          ways[operation as OperationId]!,
          givenTo(operation as OperationId, is, changes[name]!),
        ),
      ),
  )

/** Receipts are signed: whatever changes them afterwards breaks the signature. */
const receipts: readonly OperationId[] = [
  'receipts.session',
  'receipts.invoice',
  'receipts.invoiceBySvcNumber',
  'receipts.link',
]
const receiptChanges: Readonly<Record<string, (text: string) => string>> = {
  formatted: (text) => text.replaceAll('><', '>\n<'),
  'signature-lost': (text) => text.replace(/<ds:Signature .*<\/ds:Signature>/s, ''),
  'time-changed': (text) =>
    text.replace(
      /(<DataNadaniaNumer[^>]*>)(\d{4})/,
      (_, tag: string, year: string) => `${tag}${Number(year) + 1}`,
    ),
  'mode-changed': (text) =>
    text.replace(/>(Online|Offline)</, (_, mode: string) =>
      mode === 'Online' ? '>Offline<' : '>Online<',
    ),
  'number-changed': (text) =>
    text.replace(
      /(\d{10}-\d{8}-[0-9A-F]{6})/,
      (number) => `${number.slice(0, -1)}${number.endsWith('0') ? '1' : '0'}`,
    ),
  'line-feed-inside': (text) => text.replace('<Dokument>', '\n<Dokument>'),
}
const receiptRules: Readonly<Partial<Record<OperationId, Rules>>> = {
  'receipts.session': ['receipts.session.verifies'],
  'receipts.invoice': ['receipts.invoice.carries-number', 'receipts.session.verifies'],
  'receipts.invoiceBySvcNumber': ['receipts.invoice.carries-number', 'receipts.session.verifies'],
  'receipts.link': [
    'receipts.ways',
    'receipts.link.in-status',
    'receipts.session.verifies',
    'receipts.invoice.carries-number',
  ],
}

/** Every document that is stored, by every way in which it is returned. */
export const changedBytes = (): Generated[] => [
  ...Object.entries(ways).flatMap(([operation, rules]) =>
    Object.entries(changes).map(([name, change]) =>
      generated('bytes', `${operation}.${name}`, rules, given(operation as OperationId, change)),
    ),
  ),
  ...copies(),
  ...Object.entries(changes).map(([name, change]) =>
    generated('bytes', `exports.part.${name}`, ['exports.package.content'], {
      policy: {
        packageEntry: (issued, bytes) => policy.packageEntry(issued, applied(bytes, change)),
      },
    }),
  ),
  ...receipts.flatMap((operation) =>
    Object.entries(receiptChanges).map(([name, change]) =>
      generated(
        'bytes',
        `${operation}.${name}`,
        receiptRules[operation]!,
        given(operation, change),
      ),
    ),
  ),
]
