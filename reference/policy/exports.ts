/** Decisions about exports: how many run, what a package holds, how long it is available, who may read it. */

import type { Instant } from '../base/instants.ts'
import type { LinkUse } from '../http/links.ts'
import type { Issued } from '../model/documents.ts'

export const exportsPolicy = {
  // exports.running-limit
  mayStartExport: (running: number, limit: number): boolean => running < limit,
  // exports.package.content: exactly the matching invoices
  exportedInvoices: <T>(found: readonly T[], limit: number): readonly T[] => found.slice(0, limit),
  // exports.package.content: each of them is described
  describedInvoices: (exported: readonly Issued[]): readonly Issued[] => exported,
  // exports.package.content: byte for byte, under the service number
  packageEntry: ({ svcNumber }: Issued, bytes: Uint8Array) => ({ name: `${svcNumber}.xml`, bytes }),
  // exports.expiry
  exportExpires: (now: Instant, expiresAt: Instant): boolean => now >= expiresAt,
  // exports.expiry
  exportLinkHolds: (now: Instant, until: Instant): boolean => now < until,
  // exports.isolated: use, subject and expiry of a link are under its signature
  linkContent: (use: LinkUse, subject: string, until: Instant): string =>
    `${use}\n${subject}\n${until}`,
  // exports.isolated
  exportIsOfContext: (owner: string, caller: string): boolean => owner === caller,
}
