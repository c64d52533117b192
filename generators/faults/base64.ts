import { concatBytes } from '../../lib/codec.ts'
import type { SubmissionBody, SubmissionDraft } from '../requests/payload.ts'
import type { SubmissionMalformation } from './submission.ts'
import { base64, submission } from '../requests/payload.ts'

const lines = (text: string, length: number, end: string) =>
  text.replace(new RegExp(`.{${length}}`, 'g'), `$&${end}`)

/** Base64 in other forms than the canonical one: standard alphabet, padded, in one line. */
export const base64Ways: readonly (readonly [
  id: string,
  summary: string,
  write: (text: string) => string,
])[] = [
  ['line-feeds-76', 'line feeds every 76 characters', (text) => lines(text, 76, '\n')],
  ['line-breaks-64', 'line breaks every 64 characters', (text) => lines(text, 64, '\r\n')],
  ['line-feed-behind', 'a line feed at the end', (text) => `${text}\n`],
  ['blank-inside', 'a blank in the middle', (text) => `${text.slice(0, 8)} ${text.slice(8)}`],
  ['blank-in-front', 'a blank in front', (text) => ` ${text}`],
  ['url-safe', 'Base64 for addresses', (text) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['padding-more', 'a padding character too many', (text) => `${text.replace(/=*$/, '')}====`],
  ['padding-inside', 'padding in the middle', (text) => `${text.slice(0, 6)}==${text.slice(8)}`],
  [
    'character',
    'a character that Base64 does not have',
    (text) => `${text.slice(0, 5)}*${text.slice(6)}`,
  ],
  [
    'letter-outside',
    'a letter that is not in ASCII',
    (text) => `${text.slice(0, 5)}ż${text.slice(6)}`,
  ],
  [
    'length',
    'a length that no padding explains',
    (text) => `${text.replace(/=*$/, '')}A`.slice(0, 4 * Math.floor(text.length / 4) - 3),
  ],
  ['percent', 'written for a form', (text) => encodeURIComponent(text)],
  ['data-url', 'as an address with data', (text) => `data:application/xml;base64,${text}`],
  ['pem', 'between lines of PEM', (text) => `-----BEGIN DATA-----\n${text}\n-----END DATA-----`],
]

/** A submission whose content needs padding: a longer document replaces one that needs none. */
function padded(draft: SubmissionDraft): SubmissionBody {
  const body = submission(draft)
  if (body.encryptedInvoiceContent.endsWith('=')) return body
  return padded({ ...draft, xml: concatBytes([draft.xml, new Uint8Array(16).fill(0x0a)]) })
}

/** Content that is not canonical Base64. */
export function base64Forms(): SubmissionMalformation[] {
  const shared = {
    layer: 'base64',
    of: 'submission',
    rule: 'invoices.submit.bad-base64',
    refusedAs: 'content-not-base64',
  } as const
  return [
    ...base64Ways.map(([id, summary, write]): SubmissionMalformation => ({
      ...shared,
      id: `base64:${id}`,
      summary,
      apply: (draft) => {
        const body = submission(draft)
        return {
          body: { ...body, encryptedInvoiceContent: write(body.encryptedInvoiceContent) },
          fault: { path: '/encryptedInvoiceContent', new: summary },
          refusedAs: shared.refusedAs,
        }
      },
    })),
    {
      ...shared,
      id: 'base64:unpadded',
      summary: 'without its padding',
      apply: (draft) => {
        const body = padded(draft)
        const bare = body.encryptedInvoiceContent.replace(/=+$/, '')
        return {
          body: { ...body, encryptedInvoiceContent: bare },
          fault: { path: '/encryptedInvoiceContent', new: 'without its padding' },
          refusedAs: shared.refusedAs,
        }
      },
    },
    {
      ...shared,
      id: 'base64:twice',
      rule: 'invoices.submit.encrypted-metadata-mismatch',
      refusedAs: 'encrypted-size-mismatch',
      summary: 'encoded twice',
      apply: (draft) => {
        const body = submission(draft)
        const twice = base64(Buffer.from(body.encryptedInvoiceContent))
        return {
          body: { ...body, encryptedInvoiceContent: twice },
          fault: { path: '/encryptedInvoiceContent', new: 'encoded twice' },
          refusedAs: 'encrypted-size-mismatch',
        }
      },
    },
  ]
}
