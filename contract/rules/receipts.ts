import type { Rule } from '../types.ts'

/** Receipts. */
export const receipts = {
  'receipts.invoice.carries-number': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Every accepted invoice has a receipt, and in it stands its service number.',
    clause: 'What the service does',
    touches: ['receipt-paths'],
  },
  'receipts.session.verifies': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The receipt fits its schema, its signature holds, and it lists exactly the accepted invoices.',
    clause: 'What the service does',
    rests: ['receipt-paths', 'receipt-signature'],
    variants: {
      schema: 'against the XSD',
      signature: 'verifies',
      content: 'each accepted one once, no rejected one',
    },
  },
  'receipts.link.in-status': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Once there is a receipt, the status of the invoice links to it.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['invoice-status'],
  },
  'receipts.ways': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'A receipt can be reached through the status, through what a repeat is told, and through the answer to sending if that has it.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['receipt-paths', 'invoice-status'],
    variants: {
      'status link': 'through the status',
      resend: 'through the session of the original',
      send: 'through the answer to sending',
    },
  },
  'receipts.independent': {
    level: 'MAY',
    binds: 'S',
    origin: 'stated',
    sentence: 'A receipt lives on even where its invoice can no longer be read.',
    clause: 'What the service does',
  },
  'receipts.link.expires': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'A link to a receipt runs out, and asking for the status again gives a new one that works.',
    clause: 'Endpoints > Invoices, operations and others',
    needs: ['clock'],
    touches: ['receipt-link'],
    variants: { expires: 'the old one ends', fresh: 'a new one works' },
  },
  'receipts.link.parties-only': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Seller and buyer can follow the link, nobody else.',
    clause: 'Resources and their fields > Invoice submission (interactive session)',
    needs: ['second'],
    touches: ['receipt-link'],
    variants: { issuer: 'the seller', buyer: 'the buyer', other: 'somebody else' },
  },
  'receipts.not-by-number-alone': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'There is no way to a receipt that starts from a service number and nothing more.',
    clause: 'Endpoints > Invoices, operations and others',
  },
} as const satisfies Record<string, Rule>
