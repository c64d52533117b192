/** Decisions about receipts: what they say, who reads them, how long an address of one holds. */

import type { Issued } from '../model/documents.ts'
import { receiptText, sealReceipt } from './receipt.ts'

export const receiptsPolicy = {
  // receipts.invoice.carries-number, receipts.session.verifies
  receiptText,
  // receipts.session.verifies
  sealReceipt,
  // receipts.session.verifies: each accepted invoice once, no rejected one
  receiptDocuments: (accepted: readonly Issued[]): readonly Issued[] => accepted,
  // receipts.link.in-status
  statusHasReceiptLink: (accepted: boolean): boolean => accepted,
  // receipts.link.expires
  receiptLinkHolds: (now: number, until: number): boolean => now < until,
  // receipts.link.expires: every status gives a new address
  receiptLinkFrom: (now: number): number => now,
  // receipts.link.parties-only
  mayReadReceipt: (issuer: boolean, buyer: boolean): boolean => issuer || buyer,
  // receipts.ways: what a repeat is told, session and number, finds the receipt
  // receipts.not-by-number-alone: a number finds a receipt within its session only
  receiptIsOfSession: (session: string, asked: string): boolean => session === asked,
}
