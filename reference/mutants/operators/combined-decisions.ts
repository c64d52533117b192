import { policy as sound } from '../../policy/policy.ts'
import { facets, inVerification, meets } from '../facets.ts'
import type { Mutant } from '../mutant.ts'
import type { CombinationRows, Pair } from './combination-row.ts'

/** Decisions about a document that are wrong only where two of its facets meet, or a facet and a fault. */

/** A similar triple that is taken for the one of an accepted invoice, when a repeat is verified. */
const takenFor =
  (isSimilar: (one: readonly string[], other: readonly string[]) => boolean) =>
  (pair: Pair): Mutant =>
    inVerification(
      meets(...pair),
      () => ({}),
      ({ isMeant: isMeantNow }) => ({
        read: (found, key, { claims }) =>
          found ??
          (isMeantNow()
            ? [...claims.values()].find(({ triple }) =>
                isSimilar(JSON.parse(triple) as string[], JSON.parse(key) as string[]),
              )
            : undefined),
      }),
    )

export const combinedDecisions: CombinationRows = {
  refused: {
    rules: ['invoices.submit.accepted'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        schemaFindings: (document, xsd) =>
          isMeantNow() ? ['not permitted here'] : sound.schemaFindings(document, xsd),
      })),
    pairs: [
      ['alone', 'corrected'],
      ['offline-batch', 'by-agent'],
      ['correction', 'by-token'],
      ['by-unit', 'no-buyer'],
      ['crlf', 'simplified'],
      ['last-year', 'settlement'],
      ['escaped', 'alone'],
      ['references', 'offline'],
      ['after-rejected', 'by-person'],
    ],
  },
  'number-of-sender': {
    rules: ['invoices.number.unique'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ meant }) => ({
        svcNumber: (nip, day, technical) =>
          sound.svcNumber(meant()?.session.context.value ?? nip, day, technical),
      })),
    pairs: [
      ['by-agent', 'batch'],
      ['by-agent', 'correction'],
      ['by-agent', 'last-year'],
    ],
  },
  'number-of-the-day-of-issue': {
    rules: ['invoices.number.unique'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ meant }) => ({
        svcNumber: (nip, day, technical) =>
          sound.svcNumber(nip, meant()?.facts?.issueDate ?? day, technical),
      })),
    pairs: [
      ['offline', 'last-year'],
      ['offline-batch', 'days-ago'],
      ['correction', 'last-year'],
    ],
  },
  mode: {
    rules: ['invoices.mode'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        invoiceMode: (sending) =>
          isMeantNow() !== (sound.invoiceMode(sending) === 'Online') ? 'Online' : 'Offline',
      })),
    pairs: [
      ['by-agent', 'days-ago'],
      ['alone', 'last-year'],
      ['offline-batch', 'by-unit'],
      ['correction', 'corrected'],
      ['batch', 'by-token'],
    ],
  },
  'duplicate-by': {
    rules: ['invoices.duplicate.everywhere'],
    mutant: ([original, ...again]) =>
      inVerification(meets(...again), ({ isMeant: isMeantNow, wasMeant }) => ({
        claimHolds: (repeat) =>
          sound.claimHolds(repeat) &&
          !(isMeantNow() && wasMeant(repeat.held.svcNumber, facets[original!])),
      })),
    pairs: [
      ['by-agent', 'alone'],
      ['by-unit', 'offline-batch'],
      ['correction', 'by-agent'],
      ['offline', 'by-unit'],
      ['longest-number', 'batch'],
      ['escaped', 'correction'],
      ['settlement', 'by-person'],
      ['last-year', 'offline'],
    ],
  },
  'kind-ignored': {
    rules: ['invoices.duplicate.triple'],
    mutant: takenFor(([a, , b], [c, , d]) => a === c && b === d),
    pairs: [['offline-batch'], ['alone'], ['by-agent']],
  },
  'seller-ignored': {
    rules: ['invoices.duplicate.triple'],
    mutant: takenFor(([, a, b], [, c, d]) => a === c && b === d),
    pairs: [['correction'], ['offline-batch'], ['lower-case']],
  },
  'end-ignored': {
    rules: ['invoices.duplicate.triple'],
    mutant: takenFor(
      ([a, b, one = ''], [c, d, other = '']) =>
        a === c && b === d && one.slice(0, -1) === other.slice(0, one.length - 1),
    ),
    pairs: [['longest-number'], ['escaped'], ['offline']],
  },
  'unique-for-five-years': {
    rules: ['invoices.duplicate.ten-years'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        uniqueUntil: (day) =>
          isMeantNow() ? `${Number(day.slice(0, 4)) + 5}-12-31` : sound.uniqueUntil(day),
      })),
    pairs: [
      ['by-agent', 'offline-batch'],
      ['alone', 'corrected'],
      ['correction', 'by-token'],
    ],
  },
  'unique-for-ever': {
    rules: ['invoices.duplicate.ten-years'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        uniqueUntil: (day) => (isMeantNow() ? '9999-12-31' : sound.uniqueUntil(day)),
      })),
    pairs: [
      ['by-unit', 'settlement'],
      ['offline', 'last-year'],
    ],
  },
  unvalidated: {
    rules: ['invoices.content.invalid-rejected'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        schemaFindings: (document, xsd) =>
          isMeantNow() ? [] : sound.schemaFindings(document, xsd),
        doctypeAccepted: (present) => sound.doctypeAccepted(present) || isMeantNow(),
        processingInstructionAccepted: (target) =>
          sound.processingInstructionAccepted(target) || isMeantNow(),
        xmlVersionAccepted: (version) => sound.xmlVersionAccepted(version) || isMeantNow(),
      })),
    // Which fault comes with a pair of facets is drawn.
    pairs: [['by-agent'], ['by-unit'], ['by-token'], ['offline-batch'], ['after-rejected']],
  },
  'any-seller': {
    rules: ['invoices.content.invalid-rejected'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        sellerAllowed: (ties) => sound.sellerAllowed(ties) || isMeantNow(),
      })),
    pairs: [['offline-batch'], ['by-unit'], ['crlf'], ['corrected']],
  },
  'any-day': {
    rules: ['invoices.content.invalid-rejected'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        issueDateAccepted: (day, today) => sound.issueDateAccepted(day, today) || isMeantNow(),
      })),
    pairs: [['offline-batch'], ['by-agent'], ['settlement']],
  },
  'any-encoding': {
    rules: ['invoices.content.utf8-without-bom'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        declaredEncodingAccepted: (encoding) =>
          sound.declaredEncodingAccepted(encoding) || isMeantNow(),
      })),
    pairs: [['by-agent'], ['offline-batch'], ['crlf']],
  },
  'any-size': {
    rules: ['invoices.size.without-attachments'],
    mutant: (pair) =>
      inVerification(meets(...pair), ({ isMeant: isMeantNow }) => ({
        plainInvoiceFits: (bytes, limit) => sound.plainInvoiceFits(bytes, limit) || isMeantNow(),
      })),
    pairs: [['by-agent'], ['prefixed'], ['after-rejected'], ['crlf']],
  },
}
