import { isUtf8 } from 'node:buffer'
import { dayOf } from '../../base/identifiers.ts'
import { isNip } from '../../base/service-numbers.ts'
import type { Instant } from '../../base/instants.ts'
import type { Issued, Session } from '../../model/documents.ts'
import { nipOf } from '../../model/entities.ts'
import { readAsIssueDate } from '../remembered-facts.ts'
import type { InvoiceFacts } from '../../model/invoice-facts.ts'
import { invoicesPolicy } from '../../policy/invoices.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { onReceipts } from '../on-receipts.ts'
import { validatedOnce } from '../once-more.ts'
import { fetchNamed } from '../hostile-readers.ts'

/** Dates of issue are compared with the day on which the session was opened, in sessions of any kind or one. */
const dayOfOpening = (kind?: Session['kind']): Mutant => {
  let opened: Instant | undefined
  return {
    at: ['invoice'],
    tables: {
      sessions: {
        read(found) {
          opened = kind === undefined || found?.kind === kind ? found?.openedAt : undefined
          return found
        },
      },
    },
    policy: { dayOfAcceptance: (now) => dayOf(opened ?? now) },
  }
}

/** Characters that are written as references of one kind are not checked. */
const withoutReferences = (kind: RegExp): Mutant => ({
  policy: {
    discouragedCharacter: (bytes) =>
      policy.discouragedCharacter(Buffer.from(Buffer.from(bytes).toString().replace(kind, ''))),
  },
})

/** Invoices that say something are not accepted without a signature. */
const signatureNeeded = (
  isSuch: (facts: InvoiceFacts, issued: Issued, session: Session | undefined) => boolean,
): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { issued, sessions }) {
        const found = issued.get(next.svcNumber ?? '')
        return next.status.code === 200 &&
          found !== undefined &&
          isSuch(found.facts, found, sessions.get(found.session))
          ? { ...next, status: { code: 450, description: 'The document has no signature' } }
          : next
      },
    },
  },
})

/** Defects of what makes an invoice valid. */
export const invoicesContentMutants = {
  'invoices.content.utf8-without-bom/document-type-by-its-text': {
    policy: {
      encodingFault: (bytes) =>
        Buffer.from(bytes).includes('<!DOCTYPE')
          ? 'The document has a document type declaration'
          : policy.encodingFault(bytes),
    },
  },
  'invoices.content.utf8-without-bom/standalone-refused': {
    policy: {
      encodingFault: (bytes) =>
        Buffer.from(bytes.subarray(0, 100)).includes('standalone')
          ? 'The declaration says more than version and encoding'
          : policy.encodingFault(bytes),
    },
  },
  'invoices.content.invalid-rejected/decimal-references-unread': withoutReferences(/&#\d+;/g),
  'invoices.content.invalid-rejected/hexadecimal-references-unread':
    withoutReferences(/&#x[\da-f]+;/gi),
  'invoices.content.further-forms/any-root': { policy: { formFindings: () => [] } },
  'invoices.content.further-forms/any-seller': { policy: { sellerAllowed: () => true } },
  'invoices.content.further-forms/none-valid': {
    policy: { formFindings: () => ['The form is not supported'] },
  },
  'invoices.content.further-forms/correction-counts-as-the-invoice': {
    policy: {
      tripleOf: (facts) =>
        policy.tripleOf(facts.kind === 'KOR_PEF' ? { ...facts, kind: 'VAT_PEF' } : facts),
    },
  },
  'invoices.content.invalid-rejected/schema-not-checked': { policy: { schemaFindings: () => [] } },
  'invoices.content.invalid-rejected/form-of-the-document': {
    policy: {
      schemaFindings: (document, xsd) => {
        const [one = [], other = []] = ['fa2.xsd', 'fa3.xsd'].map((file) =>
          invoicesPolicy.schemaFindings(document, file),
        )
        return one.length === 0 ? one : other.length === 0 ? other : [`not valid by ${xsd}`]
      },
    },
  },
  'invoices.content.invalid-rejected/fetches-what-is-named': {
    policy: {
      plainHashMatches(declared, bytes) {
        fetchNamed(bytes, 'SYSTEM')
        fetchNamed(bytes, 'PUBLIC')
        return invoicesPolicy.plainHashMatches(declared, bytes)
      },
    },
  },
  'invoices.content.invalid-rejected/doctype-accepted': { policy: { doctypeAccepted: () => true } },
  'invoices.content.invalid-rejected/xml-1-1-accepted': {
    policy: { xmlVersionAccepted: () => true },
  },
  'invoices.content.invalid-rejected/lengths-unchecked': {
    policy: {
      schemaFindings: (...given) =>
        invoicesPolicy.schemaFindings(...given).filter((finding) => !/maxLength/.test(finding)),
    },
  },
  'invoices.content.check-digits/check-digits-nowhere': { policy: { nipAccepted: () => true } },
  'invoices.content.check-digits/check-digits-everywhere': {
    policy: { nipAccepted: (nip) => invoicesPolicy.nipAccepted(nip, true) },
  },
  'invoices.content.check-digits/none-taken-for-zero': {
    policy: {
      nipAccepted: (nip, enforced) =>
        invoicesPolicy.nipAccepted(nip, enforced) ||
        Array.from('0123456789').every((last) => !isNip(nip.slice(0, 9) + last)),
    },
  },
  'invoices.content.utf8-without-bom/in-capitals-only': {
    policy: {
      declaredEncodingAccepted: (encoding) => encoding === undefined || encoding === 'UTF-8',
    },
  },
  'invoices.content.utf8-without-bom/bom-accepted': {
    policy: {
      encodingFault: (bytes) =>
        bytes[0] === 0xef ? undefined : invoicesPolicy.encodingFault(bytes),
      // Behind a mark, the declaration looks like an instruction.
      processingInstructionAccepted: (target) => target === undefined || target === 'xml',
    },
  },
  'invoices.content.utf8-without-bom/utf-16-without-a-mark-accepted': {
    policy: {
      encodingFault: (bytes) =>
        isUtf8(bytes) && bytes.includes(0) ? undefined : policy.encodingFault(bytes),
    },
  },
  'invoices.content.utf8-without-bom/any-encoding-accepted': {
    policy: {
      encodingFault: () => undefined,
      declaredEncodingAccepted: () => true,
    },
  },
  'invoices.content.unsigned/signature-needed': {
    policy: { schemaFindings: () => ['The document has no signature'] },
  },
  'invoices.content.unsigned/signature-needed-for-large-amounts': signatureNeeded(
    ({ gross }) => gross > 100_000_000n,
  ),
  'invoices.content.unsigned/signature-needed-for-corrections': signatureNeeded(({ kind }) =>
    kind.startsWith('KOR'),
  ),
  'invoices.content.unsigned/signature-needed-offline': {
    also: ['invoices.mode'],
    tables: {
      invoices: {
        write: (next) =>
          next.offline && next.status.code === 200
            ? { ...next, status: { code: 450, description: 'The document has no signature' } }
            : next,
      },
    },
  },
  'invoices.content.issue-date/day-of-the-opening': dayOfOpening(),
  'invoices.content.issue-date/day-of-the-opening-of-a-package': dayOfOpening('batch'),
  'invoices.content.issue-date/issue-date-is-day-of-sending': {
    tables: {
      issued: {
        write: (next) => ({
          ...next,
          facts: { ...next.facts, issueDate: dayOf(next.acquiredAt) },
        }),
      },
    },
  },
  'invoices.content.issue-date/days-of-greenwich': {
    policy: { dayOfAcceptance: (instant) => new Date(instant).toISOString().slice(0, 10) },
  },
  'invoices.content.issue-date/issued-tomorrow-accepted': {
    also: ['invoices.content.invalid-rejected'],
    policy: { issueDateAccepted: () => true },
  },
  'invoices.content.invalid-rejected/validated-once': validatedOnce(),
  'invoices.content.unsigned/signature-needed-of-agents': signatureNeeded(
    ({ seller, authorized }, { context }) => nipOf(context) !== seller.nip && !authorized,
  ),
  'invoices.content.unsigned/signature-needed-of-representatives': signatureNeeded(
    ({ seller, authorized }, { context }) =>
      authorized !== undefined && nipOf(context) !== seller.nip,
  ),
  'invoices.content.unsigned/signature-needed-of-units': signatureNeeded(
    (_facts, { context }) => context.type === 'InternalId',
  ),
  'invoices.content.unsigned/signature-needed-after-a-login-by-token': signatureNeeded(
    (_facts, _issued, session) => session !== undefined && 'token' in session.proof,
  ),
  'invoices.content.unsigned/signature-needed-of-persons': signatureNeeded(
    (_facts, _issued, session) => session?.subject.type === 'Pesel',
  ),
  'invoices.content.issue-date/date-of-the-corrected-invoice':
    readAsIssueDate('DataWystFaKorygowanej'),
  'invoices.content.issue-date/date-of-delivery': readAsIssueDate('P_6'),
  'invoices.content.issue-date/date-of-payment': readAsIssueDate('DataZaplaty'),
  'invoices.content.issue-date/date-of-the-document': readAsIssueDate('DataWytworzeniaFa'),
  'invoices.content.issue-date/day-of-sending-on-receipts': onReceipts((one) => ({
    ...one,
    facts: { ...one.facts, issueDate: dayOf(one.invoicingAt) },
  })),
  'invoices.content.issue-date/day-of-sending-in-exports': {
    at: ['export'],
    tables: {
      issued: {
        find: (found) =>
          found.map((one) => ({
            ...one,
            facts: { ...one.facts, issueDate: dayOf(one.acquiredAt) },
          })),
      },
    },
  },
  'invoices.content.issue-date/day-of-sending-of-packages': {
    tables: {
      issued: {
        write: (next, _before, { sessions }) =>
          sessions.get(next.session)?.kind === 'batch'
            ? { ...next, facts: { ...next.facts, issueDate: dayOf(next.acquiredAt) } }
            : next,
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
