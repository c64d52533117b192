import fc from 'fast-check'
import { command, named } from '../command.ts'
import type { InvoiceState } from '../state.ts'
import { nameOf } from './callers.ts'
import { deskOf, sendLetter } from './sending.ts'
import type { FoundDesk } from './sending.ts'

/** Sends an invalid invoice again, corrected, under the number that it had. */
export const correctInvoice = () =>
  fc.record({ invoice: fc.nat(15), session: fc.nat(15), place: fc.nat(15) }).map((drawn) =>
    command<FoundDesk & { invoice: InvoiceState }>({
      name: 'correct an invoice',
      find(model) {
        const invoice = model.choices.pick(
          model.invoices.filter(({ broken }) => broken),
          drawn.invoice,
        )
        if (invoice === undefined) return undefined
        const desk = deskOf(
          model,
          { ...drawn, stray: false },
          ({ party }) => party.context === invoice.seller,
        )
        return desk === undefined ? undefined : { ...desk, invoice }
      },
      says: (model, { session, login, invoice }) =>
        `${nameOf(model, login)} sends ${named('invoice', model.invoices, invoice)} put right (invoice ${
          model.invoices.length + 1
        }) into ${named('session', model.sessions, session)}`,
      act: (model, world, { invoice, ...desk }) =>
        sendLetter(model, world, desk, {
          seller: invoice.seller,
          buyer: invoice.buyer,
          number: invoice.number,
          kind: invoice.kind,
          broken: false,
        }),
    }),
  )
