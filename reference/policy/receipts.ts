/** Decisions about receipts: what they say, who reads them, how long a link to one is valid. */

import type { Instant } from '../base/instants.ts'
import { receiptText, sealReceipt } from './receipt.ts'

export const receiptsPolicy = {
  // receipts.invoice.carries-number, receipts.session.verifies: each accepted invoice once, no rejected one
  receiptText,
  // receipts.session.verifies
  sealReceipt,
  // receipts.link.expires
  receiptLinkHolds: (now: Instant, until: Instant): boolean => now < until,
  // receipts.link.expires: every status answers with a new link; lifetime in seconds
  receiptLinkUntil: (now: Instant, lifetime: number): Instant => now + lifetime * 1000,
  // receipts.link.parties-only
  mayReadReceipt: (issuer: boolean, buyer: boolean): boolean => issuer || buyer,
  // receipts.ways: session and number, as a refused duplicate reports them, find the receipt
  // receipts.not-by-number-alone: a number finds a receipt within its session only
  receiptIsOfSession: (session: string, asked: string): boolean => session === asked,
}
