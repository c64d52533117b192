import type { RefusalId } from '../../contract/errors.ts'
import type { AuthRequestRow } from './auth-request-rows.ts'

const doctype = (subset: string) => (xml: string) => `<!DOCTYPE AuthTokenRequest${subset}>${xml}`

/** Faults that are detected before schema validation. */
export const earlyRows: readonly (AuthRequestRow & {
  readonly seenBy: 'bytes' | 'parser'
  readonly refusedAs: RefusalId
})[] = [
  {
    id: 'doctype',
    summary: 'a document type that declares nothing',
    path: '(prolog)',
    seenBy: 'bytes',
    refusedAs: 'document-unreadable',
    rule: 'auth.xades.hostile-xml',
    write: doctype(''),
  },
  {
    id: 'doctype-entity',
    summary: 'an external entity',
    path: '(prolog)',
    seenBy: 'bytes',
    refusedAs: 'document-unreadable',
    rule: 'auth.xades.hostile-xml',
    write: doctype(' [<!ENTITY x SYSTEM "file:///etc/passwd">]'),
  },
  {
    id: 'doctype-bomb',
    summary: 'entities that grow',
    path: '(prolog)',
    seenBy: 'bytes',
    refusedAs: 'document-unreadable',
    rule: 'auth.xades.hostile-xml',
    write: doctype(
      ` [<!ENTITY a "ha">${Array.from({ length: 8 }, (_, i) => `<!ENTITY ${'bcdefghi'[i]} "${`&${'abcdefgh'[i]};`.repeat(10)}">`).join('')}]`,
    ),
  },
  {
    id: 'cut',
    summary: 'the document ends in the middle',
    path: '(document)',
    seenBy: 'parser',
    refusedAs: 'document-unreadable',
    write: (xml) => xml.slice(0, xml.length >> 1),
  },
  {
    id: 'not-xml',
    summary: 'no XML',
    path: '(document)',
    seenBy: 'parser',
    refusedAs: 'document-unreadable',
    write: () => '{"challenge":"x"}',
  },
  {
    id: 'empty',
    summary: 'nothing at all',
    path: '(document)',
    seenBy: 'parser',
    refusedAs: 'document-unreadable',
    write: () => '',
  },
  {
    id: 'deep',
    summary: 'five thousand elements within each other',
    path: '(document)',
    seenBy: 'parser',
    refusedAs: 'document-unreadable',
    rule: 'auth.xades.hostile-xml',
    write: (xml) =>
      xml.replace(
        '</AuthTokenRequest>',
        `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}</AuthTokenRequest>`,
      ),
  },
]
