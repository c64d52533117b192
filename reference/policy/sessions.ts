/** Decisions about sessions: what opens them, what they take, how they end, who sees them. */

import type { FormCode, SchemaInForce } from '../../contract/environments.ts'
import type { Instant } from '../time/clock.ts'
import type { AnnouncedPart, Session } from '../model/documents.ts'

export interface Digest {
  readonly size: number
  readonly hash: string
}

/** A part of a package by its number. */
interface Numbered {
  readonly ordinalNumber: number
}

export const sessionsPolicy = {
  // sessions.online.opens, sessions.batch.opens
  openedReference: (referenceNumber: string): string => referenceNumber,
  // sessions.online.bad-key-refused, sessions.batch.bad-key-refused
  sessionKeyFits: (key: Uint8Array): boolean => key.length === 32,
  // sessions.online.bad-key-refused, sessions.batch.bad-key-refused
  initVectorFits: (iv: Uint8Array): boolean => iv.length === 16,
  // sessions.online.bad-form-code-refused
  formCodeFits: ({ formCode }: SchemaInForce, asked: FormCode): boolean =>
    formCode.systemCode === asked.systemCode &&
    formCode.schemaVersion === asked.schemaVersion &&
    formCode.value === asked.value,
  // sessions.online.form-code-forms: the label stands for the parts
  formCodeLabelFits: ({ formCode }: SchemaInForce, label: string): boolean =>
    formCode.systemCode === label,
  // sessions.online.schema-calendar: first and last day inclusive, in Europe/Warsaw
  schemaInForce: ({ from, until }: SchemaInForce, day: string): boolean =>
    (from === undefined || from <= day) && (until === undefined || day <= until),
  // sessions.online.side-by-side
  openingEndsOthers: (): boolean => false,
  // sessions.online.isolated
  sessionIsOfContext: (owner: string, caller: string): boolean => owner === caller,
  // sessions.online.of-subject: of one context, only one's own, unless one may look into all
  sessionIsOfSubject: (own: boolean, introspects: () => boolean): boolean => own || introspects(),
  // sessions.online.close: an open session takes invoices, and closes once
  sessionTakesInvoices: (state: number): boolean => state === 100,
  // sessions.online.close
  sessionMayClose: (state: number): boolean => state === 100,
  // sessions.online.ten-thousand, sessions.batch.ten-thousand
  sessionHasRoom: (invoices: number, most: number): boolean => invoices < most,
  // sessions.status.counts: what is in none of the two is still being processed
  countedInvoices: ({ total, accepted, rejected }: Session) => ({ total, accepted, rejected }),
  // sessions.status.dates: as Unix milliseconds, in the status and in the list alike
  sessionDates: ({ openedAt, updatedAt, validUntil }: Session, _in: 'status' | 'list') => ({
    dateCreated: openedAt,
    dateUpdated: updatedAt,
    validUntil,
  }),
  // sessions.status.dates
  toldEnd: (validUntil: Instant): Instant => validUntil,
  // sessions.status.dates: a session that nobody closes ends when it was told to
  sessionEndsByItself: (): boolean => true,
  // sessions.status.moves-forward
  shownSessionState: (state: number): number => state,
  // sessions.online.receipt-after-close: none before the session has ended
  receiptsShown: ({ receipts }: Session): readonly string[] => receipts,
  // sessions.online.receipt-after-close
  receiptIsDue: (state: number): boolean => state === 200,

  // sessions.batch.part-checked: the headers that the opening gave are part of the agreement
  partHeadersFit: (
    headers: Readonly<Record<string, string>>,
    agreed: Readonly<Record<string, string>>,
  ): boolean => Object.entries(agreed).every(([name, value]) => headers[name] === value),
  // sessions.batch.part-checked
  partFits: (part: AnnouncedPart, bytes: Uint8Array): boolean => part.fileSize === bytes.length,
  // sessions.batch.part-checked
  partHashFits: (part: AnnouncedPart, hash: string): boolean => part.fileHash === hash,
  // sessions.batch.opens: an address for every part
  uploadAddresses: <T>(addresses: readonly T[]): readonly T[] => addresses,
  // sessions.batch.parts-unlimited: no counter looks at uploads
  uploadAllowed: (_uploaded: number): boolean => true,
  // sessions.batch.close
  everyPartNeeded: (missing: number): boolean => missing === 0,
  // sessions.batch.close: by their numbers, in whatever order they came
  joinedAs: (announced: readonly Numbered[], _uploaded: readonly Numbered[]): readonly Numbered[] =>
    announced,
  // sessions.batch.close
  uploadInTime: (now: number, until: number): boolean => now <= until,
  // sessions.batch.too-large-refused
  partsFit: (parts: number, most: number): boolean => parts <= most,
  // sessions.batch.too-large-refused: the limit holds for the plain part; padding adds at most a block
  partSizeFits: (encrypted: number, most: number): boolean => encrypted <= most + 16,
  // sessions.batch.too-large-refused
  packageFits: (bytes: number, most: number): boolean => bytes <= most,
  // sessions.batch.part-checked: the parts, decrypted and joined, are the announced package
  packageMatches: (announced: Digest, found: Digest): boolean =>
    announced.size === found.size && announced.hash === found.hash,
  // sessions.batch.hostile-archive
  archiveNameAllowed: (name: string): boolean =>
    !name.startsWith('/') &&
    !/^[A-Za-z]:/.test(name) &&
    !name.includes('\\') &&
    !name.includes('\0') &&
    !name.split('/').includes('..'),
  // sessions.batch.hostile-archive: what unpacks to more than any package may hold is a bomb
  archiveExpansionAllowed: (unpacked: number, most: number): boolean => unpacked <= most,
  // sessions.batch.hostile-archive
  archiveEntryAllowed: (head: Uint8Array): boolean =>
    !(head[0] === 0x50 && head[1] === 0x4b && (head[2] ?? 0) < 9) &&
    !(head[0] === 0x1f && head[1] === 0x8b),
  // sessions.batch.hostile-archive
  emptyArchiveAllowed: (): boolean => false,
  // sessions.batch.errors-isolated, invoices.rejected.isolated
  rejectionStops: (_session: Session): boolean => false,
  // sessions.batch.failed-list
  listedAsFailed: (code: number): boolean => code >= 300,

  // sessions.list.complete, sessions.invoices.complete
  pageShown: <T>(items: readonly T[]): readonly T[] => items,
  // sessions.list.complete: every filter that is given must hold
  sessionFilterHolds: (holds: boolean): boolean => holds,
  // sessions.list.complete: any one of several
  outcomeWanted: (wanted: readonly string[], outcome: string): boolean => wanted.includes(outcome),
  // sessions.list.complete
  sessionIsListed: (_session: Session): boolean => true,
}
