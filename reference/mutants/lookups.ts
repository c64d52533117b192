import { sha256Base64 } from '../base/crypto.ts'
import type { Mutant } from './mutant.ts'
import { accepts, answers, calls } from './rewrite.ts'

/** Defects of reading an invoice: by either number, by whom, and as it was sent. */

export const lookupsMutants = {
  'invoices.get.by-service-number/retrieved-reformatted': answers(
    ['invoices.byNumber', 'invoices.bySvcNumber'],
    (answer) => {
      const bytes = Buffer.from(`${Buffer.from(answer.bytes!).toString().trimEnd()}\n\n`)
      return { ...answer, bytes, headers: { 'x-ms-meta-hash': sha256Base64(bytes) } }
    },
  ),
  'invoices.get.by-invoice-number/not-found-by-number': {
    policy: { numberMatches: () => false },
  },
  'invoices.get.by-invoice-number/first-of-several': {
    policy: { lookupAmbiguous: () => false },
  },
  'invoices.get.parties-only/read-by-anyone': {
    policy: { mayReadInvoice: () => true },
  },
  'invoices.get.rejected-absent/rejected-retrievable': accepts(
    ['invoices.byNumber'],
    ['invoice-unknown'],
    ({ service, path }) => {
      const known = [...service.state.invoices.values()].find(
        ({ number, status }) => number === path['invoiceNumber'] && status.code >= 400,
      )
      return known && { bytes: Buffer.from(`<Faktura><P_2>${known.number}</P_2></Faktura>`) }
    },
  ),
  'invoices.get.by-invoice-number/plus-is-a-space': calls(['invoices.byNumber'], (call) => ({
    ...call,
    path: { ...call.path, invoiceNumber: (call.path['invoiceNumber'] ?? '').replaceAll('+', ' ') },
  })),
  'invoices.get.by-invoice-number/of-the-first-seller': {
    at: ['invoices.byNumber'],
    tables: {
      issued: {
        find: (found) =>
          found.filter(({ facts }) => facts.seller.nip === found[0]?.facts.seller.nip),
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
