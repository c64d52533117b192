import type { OperationId } from '../../../contract/endpoints.ts'
import { sha256Base64 } from '../../base/crypto.ts'
import type { Issued } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import { policy as sound } from '../../policy/policy.ts'
import { isMeant, meets } from '../facets.ts'
import type { Mutant } from '../mutant.ts'
import { answers, records } from '../rewrite.ts'
import type { Fields } from '../rewrite.ts'
import type { CombinationRows, Pair } from './combination-row.ts'

/** Answers about an accepted invoice that are wrong only where two of its facets meet. */

type Text = (text: string) => string

const bytesAs =
  (change: Text) =>
  (bytes: Uint8Array): Uint8Array =>
    Buffer.from(change(Buffer.from(bytes).toString('utf8')))

/** A document that a read returns changed. */
const readAs =
  (change: Text) =>
  (pair: Pair): Mutant =>
    answers(['invoices.bySvcNumber'], (answer, { path, service: { state } }) => {
      const issued = state.issued.get(path['svcNumber'] ?? '')
      if (answer.bytes === undefined || !isMeant(issued, state, meets(...pair))) return answer
      const bytes = bytesAs(change)(answer.bytes)
      return { ...answer, bytes, headers: { 'x-ms-meta-hash': sha256Base64(bytes) } }
    })

/** A document that an export contains changed, or not at all. */
const exportedAs =
  (change: Text) =>
  (pair: Pair): Mutant => {
    let state: State | undefined
    return {
      at: ['export'],
      tables: {
        contents: {
          read(found, _key, of) {
            state = of
            return found
          },
        },
      },
      policy: {
        packageEntry: (issued, bytes) =>
          state !== undefined && isMeant(issued, state, meets(...pair))
            ? sound.packageEntry(issued, bytesAs(change)(bytes))
            : sound.packageEntry(issued, bytes),
      },
    }
  }

/** Metadata that a search reports with other fields. */
const describedAs =
  (change: (row: Fields) => object) =>
  (pair: Pair): Mutant =>
    records(['queries.metadata'], 'invoices', (row: Fields, { service: { state } }) =>
      isMeant(state.issued.get(String(row['svcNumber'])), state, meets(...pair)) ? change(row) : {},
    )

const receipts: readonly OperationId[] = [
  'receipts.session',
  'receipts.invoice',
  'receipts.invoiceBySvcNumber',
  'receipts.link',
]

/** Documents that receipts name with something else. */
const receivedAs =
  (change: Text) =>
  (pair: Pair): Mutant =>
    answers(receipts, (answer, { service: { state } }) => {
      if (answer.bytes === undefined) return answer
      const is = meets(...pair)
      const issuedIn = (text: string): Issued | undefined =>
        state.issued.get(/\d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}/.exec(text)?.[0] ?? '')
      const text = Buffer.from(answer.bytes)
        .toString('utf8')
        .replaceAll(/<Dokument>.*?<\/Dokument>/gs, (document) =>
          isMeant(issuedIn(document), state, is) ? change(document) : document,
        )
      return { ...answer, bytes: Buffer.from(text) }
    })

const otherMode: Text = (text) =>
  text.replace(/>(Online|Offline)</, (_, mode: string) =>
    mode === 'Online' ? '>Offline<' : '>Online<',
  )

export const combinedAnswers: CombinationRows = {
  'read-with-lf': {
    rules: ['invoices.get.by-service-number'],
    mutant: readAs((text) => text.replaceAll('\r\n', '\n')),
    pairs: [
      ['batch', 'crlf'],
      ['by-agent', 'crlf'],
      ['correction', 'crlf'],
      ['alone', 'crlf'],
    ],
  },
  'read-without-references': {
    rules: ['invoices.get.by-service-number'],
    mutant: readAs((text) => text.replaceAll('&#45;', '-')),
    pairs: [
      ['offline-batch', 'references'],
      ['by-unit', 'references'],
      ['corrected', 'references'],
    ],
  },
  'exported-with-lf': {
    rules: ['exports.package.content'],
    mutant: exportedAs((text) => text.replaceAll('\r\n', '\n')),
    pairs: [
      ['offline', 'crlf'],
      ['by-token', 'crlf'],
      ['escaped', 'crlf'],
    ],
  },
  'exported-empty': {
    rules: ['exports.package.content'],
    mutant: exportedAs(() => ''),
    pairs: [
      ['by-agent', 'batch'],
      ['correction', 'last-year'],
    ],
  },
  'described-in-zloty': {
    rules: ['queries.metadata.described'],
    mutant: describedAs(() => ({ currency: 'PLN' })),
    pairs: [
      ['yen', 'offline-batch'],
      ['euro', 'simplified'],
      ['euro', 'by-unit'],
    ],
  },
  'described-without-buyer': {
    rules: ['queries.metadata.described'],
    mutant: describedAs(({ buyer }) => ({
      buyer: { ...(buyer as object), identifier: { type: 'None' } },
    })),
    pairs: [
      ['other-buyer', 'correction'],
      ['eu-buyer', 'corrected'],
      ['eu-buyer', 'by-agent'],
    ],
  },
  'described-by-the-day-of-sending': {
    rules: ['queries.metadata.described'],
    mutant: describedAs(({ invoicingDate }) => ({
      issueDate: String(invoicingDate).slice(0, 10),
    })),
    pairs: [
      ['offline-batch', 'days-ago'],
      ['by-agent', 'last-year'],
    ],
  },
  'described-in-another-mode': {
    rules: ['queries.metadata.described'],
    mutant: describedAs(({ invoicingMode }) => ({
      invoicingMode: invoicingMode === 'Online' ? 'Offline' : 'Online',
    })),
    pairs: [
      ['correction', 'by-agent'],
      ['alone', 'advance'],
    ],
  },
  'received-in-another-mode': {
    rules: ['receipts.invoice.carries-number'],
    mutant: receivedAs(otherMode),
    pairs: [
      ['correction', 'by-unit'],
      ['batch', 'last-year'],
      ['by-agent', 'offline'],
      ['alone', 'longest-number'],
    ],
  },
}
