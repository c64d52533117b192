/** Decisions about sessions: what opens them, what they accept, how they end, who sees them. */

import type { Form, FormCode, SchemaInForce } from '../../contract/environments.ts'
import type { AnnouncedPart } from '../model/documents.ts'

export interface Digest {
  readonly size: number
  readonly hash: string
}

/** An entry of a ZIP archive, with its check value as the archive states it and as it is. */
export interface CheckedEntry {
  readonly stated: number
  readonly found: number
  readonly bytes: number
}

/** A part of a package by its number. */
interface Numbered {
  readonly ordinalNumber: number
}

export const sessionsPolicy = {
  // sessions.online.bad-key-refused, sessions.batch.bad-key-refused
  sessionKeyFits: (key: Uint8Array): boolean => key.length === 32,
  // sessions.online.bad-key-refused, sessions.batch.bad-key-refused
  initVectorFits: (iv: Uint8Array): boolean => iv.length === 16,
  // sessions.online.bad-form-code-refused
  formCodeFits: ({ formCode }: Pick<SchemaInForce, 'formCode'>, asked: FormCode): boolean =>
    formCode.systemCode === asked.systemCode &&
    formCode.schemaVersion === asked.schemaVersion &&
    formCode.value === asked.value,
  // sessions.online.further-forms
  formOfKind: ({ batch }: Form, kind: 'online' | 'batch'): boolean => batch || kind === 'online',
  // sessions.online.form-code-forms: the label stands for the parts
  formCodeLabelFits: ({ formCode }: SchemaInForce, label: string): boolean =>
    formCode.systemCode === label,
  // sessions.online.schema-calendar: first and last day inclusive, in Europe/Warsaw
  schemaInForce: ({ from, until }: SchemaInForce, day: string): boolean =>
    (from === undefined || from <= day) && (until === undefined || day <= until),
  // sessions.online.isolated
  sessionIsOfContext: (owner: string, caller: string): boolean => owner === caller,
  // sessions.online.of-subject: a caller sees its own sessions of a context, or all of them with Introspection
  sessionIsOfSubject: (own: boolean, introspects: () => boolean): boolean => own || introspects(),
  // sessions.online.close: an open session takes invoices, and closes once
  sessionTakesInvoices: (state: number): boolean => state === 100,
  // sessions.batch.close
  sessionTakesParts: (state: number): boolean => state === 100,
  // sessions.online.close
  sessionMayClose: (state: number): boolean => state === 100,
  // sessions.online.ten-thousand, sessions.batch.ten-thousand
  sessionHasRoom: (invoices: number, limit: number): boolean => invoices < limit,
  // sessions.batch.part-checked: the headers that the opening gave are part of the agreement
  partHeadersFit: (
    headers: Readonly<Record<string, string>>,
    agreed: Readonly<Record<string, string>>,
  ): boolean => Object.entries(agreed).every(([name, value]) => headers[name] === value),
  // sessions.batch.part-checked
  partFits: (part: AnnouncedPart, bytes: number): boolean => part.fileSize === bytes,
  // sessions.batch.part-checked
  partHashFits: (part: AnnouncedPart, hash: string): boolean => part.fileHash === hash,
  // sessions.batch.close
  everyPartNeeded: (missing: number): boolean => missing === 0,
  // sessions.batch.close: by their numbers, in whatever order they were uploaded
  joined: <T extends Numbered>(uploaded: readonly T[]): readonly T[] =>
    uploaded.toSorted((a, b) => a.ordinalNumber - b.ordinalNumber),
  // sessions.batch.close
  uploadInTime: (now: number, until: number): boolean => now <= until,
  // sessions.batch.too-large-refused
  partsFit: (parts: number, limit: number): boolean => parts <= limit,
  // sessions.batch.too-large-refused: the limit holds for the plain part; padding adds at most a block
  partSizeFits: (encrypted: number, limit: number): boolean => encrypted <= limit + 16,
  // sessions.batch.too-large-refused
  packageFits: (bytes: number, limit: number): boolean => bytes <= limit,
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
  // sessions.batch.hostile-archive: an archive that unpacks to more than any package may hold is a bomb
  archiveExpansionAllowed: (unpacked: number, limit: number): boolean => unpacked <= limit,
  // sessions.batch.hostile-archive
  archiveEntryAllowed: (content: Uint8Array): boolean =>
    !(content[0] === 0x50 && content[1] === 0x4b && (content[2] ?? 0) < 9) &&
    !(content[0] === 0x1f && content[1] === 0x8b),
  // sessions.batch.hostile-archive
  archiveCheckValueFits: ({ stated, found }: CheckedEntry): boolean => stated === found,
  // sessions.batch.failed-list
  listedAsFailed: (code: number): boolean => code >= 300,

  // sessions.list.complete: any one of several
  outcomeWanted: (wanted: readonly string[], outcome: string): boolean => wanted.includes(outcome),
}
