import type { Rule } from '../types.ts'

/** Receipts. */
export const receipts = {
  'receipts.invoice.carries-number': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Every accepted invoice has a receipt that contains its service number.',
    clause: 'What the service does',
    touches: ['receipt-paths'],
    variants: {
      'by reference': 'by reference number',
      'by service number': 'by service number',
      'technical correction': {
        description: 'of a technical correction',
        assumes: ['technical-correction'],
      },
    },
  },
  'receipts.session.verifies': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A session receipt conforms to its schema, has a valid signature, and lists exactly the accepted invoices.',
    clause: 'What the service does',
    ends: ['onlineSession', 'batchSession'],
    assumes: ['receipt-paths', 'receipt-signature'],
    variants: {
      schema: 'conforms to the XSD',
      signature: 'the signature is valid',
      content: 'every accepted invoice once, no rejected one',
      facts: 'number, date, seller and hash as sent',
      moments: { description: 'the times as reported by the status', assumes: ['invoice-status'] },
      identity: 'the identity that sent the invoices',
      'form of its day': { description: 'the form of the session', needs: ['clock'] },
      'moments of the year': {
        description: 'the times as reported by the status, in summer and in winter time',
        needs: ['clock'],
        assumes: ['invoice-status'],
      },
    },
  },
  'receipts.link.in-status': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The status of an invoice links to its receipt as soon as there is one.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['invoice-status'],
  },
  'receipts.ways': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'A receipt is available through the status, through the rejection of a duplicate, and through the response to sending where that contains a link.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['receipt-paths', 'invoice-status'],
    variants: {
      'status link': 'through the status',
      duplicate: 'through the session of the original',
      response: 'through the response to sending',
    },
  },
  'receipts.independent': {
    level: 'MAY',
    binds: 'S',
    origin: 'stated',
    sentence: 'A receipt remains available even if its invoice can no longer be read.',
    clause: 'What the service does',
  },
  'receipts.link.expires': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'A receipt link expires; a new status request returns a fresh one.',
    clause: 'Endpoints > Invoices, operations and others',
    needs: ['clock'],
    touches: ['receipt-link'],
    variants: {
      'after expiry': 'rejected after its expiry',
      'before expiry': 'accepted until its expiry',
      'fresh link': 'a fresh link works, and the earlier one stays expired',
    },
  },
  'receipts.link.parties-only': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Only the seller and the buyer can follow a receipt link.',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    needs: ['second'],
    touches: ['receipt-link'],
    variants: {
      seller: 'the seller is accepted',
      buyer: 'the buyer is accepted',
      'another context': 'another context is rejected',
      'no token': 'a caller without a token is rejected',
    },
  },
  'receipts.not-by-number-alone': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'A receipt cannot be requested by a service number alone.',
    clause: 'Endpoints > Invoices, operations and others',
    variants: {
      'another session': 'not below a session that did not contain the invoice',
      'at every address': {
        description: 'not in place of a reference or a link, whoever asks',
        needs: ['second'],
      },
    },
  },
} as const satisfies Record<string, Rule>
