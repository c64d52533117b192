import fc from 'fast-check'
import { command, named } from '../command.ts'
import { isAccepted } from '../state.ts'
import type { InvoiceState } from '../state.ts'
import { nameOf } from './callers.ts'
import { deskOf, sendLetter } from './sending.ts'
import type { FoundDesk } from './sending.ts'

/**
 * Sends an accepted invoice again: in any session, in the name of its seller from another context too, or with
 * another kind under the same number.
 */
export const repeatInvoice = () =>
  fc
    .record({
      invoice: fc.nat(15),
      session: fc.nat(15),
      place: fc.nat(15),
      otherKind: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 3),
    })
    .map((drawn) =>
      command<FoundDesk & { invoice: InvoiceState }>({
        name: 'repeat an invoice',
        find(model) {
          const invoice = model.choices.pick(model.invoices.filter(isAccepted), drawn.invoice)
          if (invoice === undefined) return undefined
          const { seller } = invoice
          const desk = deskOf(
            model,
            { ...drawn, stray: false },
            ({ party }) => party.context === seller || seller === 0,
          )
          return desk === undefined ? undefined : { ...desk, invoice }
        },
        says: (model, { session, login, invoice }) =>
          `${nameOf(model, login)} sends ${named('invoice', model.invoices, invoice)} again${
            drawn.otherKind ? ', as another kind,' : ''
          } (invoice ${model.invoices.length + 1}) into ${named('session', model.sessions, session)}`,
        act: (model, world, { invoice, ...desk }) =>
          sendLetter(model, world, desk, {
            seller: invoice.seller,
            buyer: invoice.buyer,
            number: invoice.number,
            kind: drawn.otherKind ? 'UPR' : invoice.kind,
            broken: false,
          }),
      }),
    )
