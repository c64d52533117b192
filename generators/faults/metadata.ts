import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { SubmissionBody, SubmissionDraft } from '../requests/payload.ts'
import type { SubmissionMalformation } from './submission.ts'
import { base64, digest, encrypted, hash64, submission } from '../requests/payload.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

type Value = (draft: SubmissionDraft, body: SubmissionBody) => unknown

interface Field {
  readonly field: keyof SubmissionBody
  readonly layer: string
  readonly rule: RuleId
  /** Where the value has the right form but is wrong. */
  readonly refusedAs: RefusalId
  readonly wrong: readonly (readonly [id: string, summary: string, value: Value])[]
  /** Where the value does not have the form that the field requires. */
  readonly misshapen: readonly (readonly [id: string, summary: string, value: Value])[]
}

/** Wrong hashes of one side; `other` is what people hash instead. */
function hashes(
  field: 'invoiceHash' | 'encryptedInvoiceHash',
  own: (draft: SubmissionDraft) => Uint8Array,
  other: (draft: SubmissionDraft) => Uint8Array,
  otherWords: string,
): Pick<Field, 'field' | 'wrong' | 'misshapen'> {
  return {
    field,
    wrong: [
      ['wrong-side', `the hash of ${otherWords}`, (draft) => hash64(other(draft))],
      ['empty', 'the hash of nothing', () => hash64(new Uint8Array(0))],
      [
        'base64-text',
        'the hash of the Base64 text',
        (draft) => hash64(Buffer.from(base64(own(draft)))),
      ],
      [
        'line-feed',
        'the hash of the bytes and a line feed',
        (draft) => hash64(Buffer.concat([own(draft), Buffer.from('\n')])),
      ],
      ['hashed-twice', 'the hash of the hash', (draft) => hash64(digest(own(draft)))],
      ['sha3', 'SHA3-256 instead of SHA-256', (draft) => base64(digest(own(draft), 'sha3-256'))],
      [
        'reversed',
        'the bytes of the hash in reverse',
        (draft) => base64(digest(own(draft)).toReversed()),
      ],
    ],
    misshapen: [
      ['hex', 'the hash in hexadecimal digits', (draft) => hex(digest(own(draft)))],
      [
        'hex-in-base64',
        'the hexadecimal digits in Base64',
        (draft) => base64(Buffer.from(hex(digest(own(draft))))),
      ],
      ['sha1', 'SHA-1 instead of SHA-256', (draft) => base64(digest(own(draft), 'sha1'))],
      ['sha512', 'SHA-512 instead of SHA-256', (draft) => base64(digest(own(draft), 'sha512'))],
      ['md5', 'MD5 instead of SHA-256', (draft) => base64(digest(own(draft), 'md5'))],
      ['unpadded', 'Base64 without its padding', (draft) => hash64(own(draft)).replaceAll('=', '')],
      ['url-safe', 'Base64 for addresses', (draft) => urlSafe(hash64(own(draft)))],
      ['prefixed', 'the name of the algorithm in front', (draft) => `sha256:${hash64(own(draft))}`],
      ['no-text', 'an empty text', () => ''],
    ],
  }
}

function sizes(
  field: 'invoiceSize' | 'encryptedInvoiceSize',
  own: (body: SubmissionBody) => number,
  other: (draft: SubmissionDraft, body: SubmissionBody) => number,
  otherWords: string,
): Pick<Field, 'field' | 'wrong' | 'misshapen'> {
  return {
    field,
    wrong: [
      ['one-more', 'one more than there are', (_, body) => own(body) + 1],
      ['one-less', 'one less than there are', (_, body) => own(body) - 1],
      ['wrong-side', otherWords, other],
      [
        'base64-length',
        'the length of the Base64 text',
        (_, body) => body.encryptedInvoiceContent.length,
      ],
      ['kilobytes', 'in kilobytes', (_, body) => Math.ceil(own(body) / 1024)],
    ],
    misshapen: [
      ['zero', 'zero', () => 0],
      ['negative', 'negative', (_, body) => -own(body)],
      ['text', 'as text', (_, body) => `${own(body)} B`],
      ['fraction', 'with a fraction', (_, body) => own(body) + 0.5],
    ],
  }
}

const plain = (draft: SubmissionDraft) => draft.xml
const cipher = (draft: SubmissionDraft) => encrypted(draft.xml, draft)

const fields: readonly Field[] = [
  {
    ...hashes('invoiceHash', plain, cipher, 'the encrypted content'),
    layer: 'metadata',
    rule: 'invoices.submit.hash-mismatch',
    refusedAs: 'invoice-hash-mismatch',
  },
  {
    ...hashes('encryptedInvoiceHash', cipher, plain, 'the plain document'),
    layer: 'metadata',
    rule: 'invoices.submit.encrypted-metadata-mismatch',
    refusedAs: 'encrypted-hash-mismatch',
  },
  {
    ...sizes(
      'invoiceSize',
      ({ invoiceSize }) => invoiceSize,
      (_, body) => body.encryptedInvoiceSize,
      'the size of the encrypted content',
    ),
    layer: 'metadata',
    rule: 'invoices.submit.size-mismatch',
    refusedAs: 'invoice-size-mismatch',
  },
  {
    ...sizes(
      'encryptedInvoiceSize',
      ({ encryptedInvoiceSize }) => encryptedInvoiceSize,
      (draft) => draft.xml.length,
      'the size of the plain document',
    ),
    layer: 'metadata',
    rule: 'invoices.submit.encrypted-metadata-mismatch',
    refusedAs: 'encrypted-size-mismatch',
  },
]

/** The size in characters differs from that in bytes only where the document has other letters than ASCII. */
const inCharacters: SubmissionMalformation = {
  id: 'metadata:invoiceSize/characters',
  layer: 'metadata',
  of: 'submission',
  rule: 'invoices.submit.size-mismatch',
  refusedAs: 'invoice-size-mismatch',
  summary: 'invoiceSize: counted in characters',
  apply: (draft) => {
    // A comment with such letters makes sure that the document has some; comments are allowed.
    const xml = Buffer.concat([draft.xml, Buffer.from('<!-- Żółw -->')])
    const body = submission({ ...draft, xml })
    const characters = Array.from(xml.toString('utf8')).length
    return {
      body: { ...body, invoiceSize: characters },
      fault: { path: '/invoiceSize', old: String(body.invoiceSize), new: String(characters) },
      refusedAs: 'invoice-size-mismatch',
    }
  },
}

/** Hashes and sizes that are not those of what was sent. */
export function metadata(): SubmissionMalformation[] {
  const derived = fields.flatMap(({ field, layer, rule, refusedAs, wrong, misshapen }) => {
    const entry = (
      [id, summary, value]: readonly [string, string, Value],
      as: RefusalId,
      ruleOf: RuleId,
    ): SubmissionMalformation => ({
      id: `metadata:${field}/${id}`,
      layer,
      of: 'submission',
      rule: ruleOf,
      refusedAs: as,
      summary: `${field}: ${summary}`,
      apply: (draft) => {
        const body = submission(draft)
        const made = value(draft, body)
        return {
          body: { ...body, [field]: made },
          fault: { path: `/${field}`, old: String(body[field]), new: String(made) },
          refusedAs: as,
        }
      },
    })
    return [
      ...wrong.map((each) => entry(each, refusedAs, rule)),
      ...misshapen.map((each) => entry(each, 'invalid-input', 'transport.malformed-body')),
    ]
  })
  return [...derived, inCharacters]
}
