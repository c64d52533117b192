/** Decisions about exports: how many, what is in them, how long they last, whose they are. */

import type { Instant } from '../time/clock.ts'

export const exportsPolicy = {
  // exports.create.accepted
  exportReference: (referenceNumber: string): string => referenceNumber,
  // exports.running-limit
  mayStartExport: (running: number, most: number): boolean => running < most,
  // exports.running-limit: an export takes a while, so that several can be running; ms
  exportDuration: (): number => 250,
  // exports.status.moves-forward
  shownExportState: (state: number): number => state,
  // exports.package.content: exactly the matching invoices, byte for byte
  exportedBytes: (stored: Uint8Array): Uint8Array => stored,
  // exports.package.content
  exportedInvoices: <T>(found: readonly T[], most: number): readonly T[] => found.slice(0, most),
  // exports.package.content: the key that the caller gave
  exportKey: (key: Uint8Array): Uint8Array => key,
  // exports.expiry
  exportExpires: (now: Instant, expiresAt: Instant): boolean => now >= expiresAt,
  // exports.expiry
  exportLinkHolds: (now: Instant, until: Instant): boolean => now < until,
  // exports.isolated: the end of a link is under its signature
  linkSeals: (until: number): number => until,
  // exports.isolated
  exportIsOfContext: (owner: string, caller: string): boolean => owner === caller,
}
