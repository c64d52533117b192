import type { RuleId } from '../../../contract/rules.ts'
import type { Mutant } from '../mutant.ts'
import { keyOf } from '../../model/entities.ts'
import type { Repeat } from '../../policy/invoices.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy as sound } from '../../policy/policy.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/**
 * Checks of documents that are missing in one way of sending: interactive, in a batch, declared offline in either, as a
 * technical correction, or the alternative send.
 */

type Way = 'interactive' | 'batch' | 'send' | 'correction' | 'offline' | 'offline-batch'

const rulesOfWay: Readonly<Record<Way, readonly RuleId[]>> = {
  interactive: [],
  correction: [],
  offline: [],
  'offline-batch': [],
  batch: ['sessions.batch.errors-isolated', 'sessions.batch.failed-list'],
  send: ['invoices.send.alternative'],
}

const isWithinSession = ({ held, session }: Repeat): boolean =>
  held.session === session.referenceNumber

type Decide = (...given: never[]) => unknown

/** A decision taken differently about documents that came one way. */
const inOneWay = (way: Way, change: Partial<Policy>): Mutant => {
  let isOneOf = false
  const policy = Object.fromEntries(
    Object.entries(change as Readonly<Record<string, Decide>>).map(([name, decide]) => {
      const usual = (sound as unknown as Readonly<Record<string, Decide>>)[name] ?? decide
      return [name, (...given: never[]) => (isOneOf ? decide : usual)(...given)]
    }),
  )
  return {
    at: ['invoice'],
    ...(way === 'send' && { needs: 'invoices.send' }),
    policy,
    tables: {
      // A document is read right before it is verified.
      contents: {
        read(found, key, state) {
          const invoice = state.invoices.get(key)
          const isPackaged = invoice && state.sessions.get(invoice.session)?.kind === 'batch'
          const isDeclared = found?.declared === true
          isOneOf = {
            interactive: isDeclared && !isPackaged,
            batch: isPackaged === true,
            send: !isDeclared && !isPackaged,
            correction: invoice?.corrects !== undefined,
            offline: invoice?.offline === true && invoice.corrects === undefined && !isPackaged,
            'offline-batch': invoice?.offline === true && isPackaged === true,
          }[way]
          return found
        },
      },
    },
  }
}

/** The checks of a document, each with what skips it. */
const checks: Readonly<
  Record<string, { readonly rules: Rules; readonly policy: Partial<Policy> }>
> = {
  schema: { rules: ['invoices.content.invalid-rejected'], policy: { schemaFindings: () => [] } },
  encoding: {
    rules: ['invoices.content.utf8-without-bom'],
    policy: { encodingFault: () => undefined },
  },
  'declared-encoding': {
    rules: ['invoices.content.utf8-without-bom'],
    policy: { declaredEncodingAccepted: () => true },
  },
  'xml-version': {
    rules: ['invoices.content.invalid-rejected'],
    policy: { xmlVersionAccepted: () => true },
  },
  doctype: {
    rules: ['invoices.content.invalid-rejected'],
    policy: { doctypeAccepted: () => true },
  },
  'processing-instruction': {
    rules: ['invoices.content.invalid-rejected'],
    policy: { processingInstructionAccepted: () => true },
  },
  characters: {
    rules: ['invoices.content.invalid-rejected'],
    policy: { discouragedCharacter: () => undefined },
  },
  'check-digits': {
    rules: ['invoices.content.check-digits'],
    policy: { nipAccepted: () => true },
  },
  'issue-date': {
    rules: ['invoices.content.issue-date'],
    policy: { issueDateAccepted: () => true },
  },
  size: { rules: ['invoices.size.without-attachments'], policy: { plainInvoiceFits: () => true } },
  'attachment-size': {
    rules: ['invoices.size.with-attachments'],
    policy: { attachmentInvoiceFits: () => true },
  },
  'attachment-consent': {
    rules: ['invoices.size.with-attachments', 'testdata.attachments'],
    policy: { attachmentConsentSuffices: () => true },
  },
  'attachment-place': {
    rules: ['invoices.size.with-attachments'],
    policy: { attachmentPlaceAllowed: () => true },
  },
  seller: {
    rules: [
      'invoices.content.invalid-rejected',
      'permissions.revoke.effective',
      'permissions.grant.effective',
    ],
    policy: { sellerAllowed: () => true },
  },
  duplicate: {
    rules: ['invoices.duplicate.rejected', 'invoices.duplicate.everywhere'],
    policy: { claimHolds: () => false },
  },
  'duplicate-by-context': {
    rules: ['invoices.duplicate.everywhere'],
    policy: {
      claimHolds: (repeat) =>
        sound.claimHolds(repeat) && repeat.held.context === keyOf(repeat.session.context),
    },
  },
  'duplicate-by-session': {
    rules: ['invoices.duplicate.everywhere', 'invoices.duplicate.rejected'],
    policy: {
      claimHolds: (repeat) => sound.claimHolds(repeat) && isWithinSession(repeat),
    },
  },
  'duplicate-within': {
    rules: ['invoices.duplicate.rejected', 'sessions.batch.duplicates'],
    policy: {
      claimHolds: (repeat) => sound.claimHolds(repeat) && !isWithinSession(repeat),
    },
  },
  hash: { rules: ['invoices.submit.hash-mismatch'], policy: { plainHashMatches: () => true } },
  'declared-size': {
    rules: ['invoices.submit.size-mismatch'],
    policy: { plainSizeMatches: () => true },
  },
  mode: { rules: ['invoices.mode'], policy: { invoiceMode: () => 'Online' } },
  'offline-mode': { rules: ['invoices.mode'], policy: { invoiceMode: () => 'Offline' } },
  'triple-without-kind': {
    rules: ['invoices.duplicate.triple'],
    policy: { tripleOf: (facts) => sound.tripleOf({ ...facts, kind: 'VAT' }) },
  },
  'triple-without-case': {
    rules: ['invoices.duplicate.triple'],
    policy: {
      tripleOf: (facts) => sound.tripleOf({ ...facts, number: facts.number.toLowerCase() }),
    },
  },
  'triple-without-blanks': {
    rules: ['invoices.duplicate.triple'],
    policy: {
      tripleOf: (facts) =>
        sound.tripleOf({ ...facts, number: facts.number.replaceAll(/[\s/-]/g, '') }),
    },
  },
  'triple-with-buyer': {
    rules: ['invoices.duplicate.triple', 'invoices.duplicate.rejected'],
    policy: { tripleOf: (facts) => `${sound.tripleOf(facts)} ${facts.buyer.identifier.value}` },
  },
  'triple-with-day': {
    rules: ['invoices.duplicate.triple', 'invoices.duplicate.rejected'],
    policy: { tripleOf: (facts) => `${sound.tripleOf(facts)} ${facts.issueDate}` },
  },
  'unique-until-year-before': {
    rules: ['invoices.duplicate.ten-years'],
    policy: { uniqueUntil: (day) => `${Number(day.slice(0, 4)) + 9}-12-31` },
  },
  'unique-ten-years-to-the-day': {
    rules: ['invoices.duplicate.ten-years'],
    policy: { uniqueUntil: (day) => `${Number(day.slice(0, 4)) + 10}${day.slice(4, 10)}` },
  },
  'unique-for-ever': {
    rules: ['invoices.duplicate.ten-years'],
    policy: { uniqueUntil: () => '9999-12-31' },
  },
}

/** Checks that only documents with declared hashes, in interactive sessions, undergo. */
const declaredOnly = new Set(['hash', 'declared-size', 'attachment-place'])
const submitted: ReadonlySet<Way> = new Set(['interactive', 'correction', 'offline'])

/** Every check of a document, left out in one way of sending. */
export const skippedChecks = (): Generated[] =>
  Object.entries(checks).flatMap(([name, { rules, policy }]) =>
    (Object.keys(rulesOfWay) as Way[])
      .filter((way) => submitted.has(way) || !declaredOnly.has(name))
      .map((way) =>
        generated(
          'way-in',
          `${name}.${way}`,
          [...rules, ...rulesOfWay[way]],
          inOneWay(way, policy),
        ),
      ),
  )
