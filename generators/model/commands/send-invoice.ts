import fc from 'fast-check'
import { command, named } from '../command.ts'
import { buyerOf } from '../state.ts'
import { nameOf } from './callers.ts'
import { deskOf, sendLetter } from './sending.ts'
import type { FoundDesk } from './sending.ts'

/** Sends an invoice with a number of its own, valid or against its schema. */
export const sendInvoice = () =>
  fc
    .record({
      session: fc.nat(15),
      place: fc.nat(15),
      stray: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 3),
      buyer: fc.nat(1),
      broken: fc.integer({ min: 0, max: 2 }).map((drawn) => drawn === 2),
    })
    .map((drawn) =>
      command<FoundDesk>({
        name: 'send an invoice',
        find: (model) => deskOf(model, drawn),
        says: (model, { session, login }) =>
          `${nameOf(model, login)} sends ${drawn.broken ? 'an invalid' : 'a valid'} invoice (invoice ${
            model.invoices.length + 1
          }) into ${named('session', model.sessions, session)}`,
        act: (model, world, desk) =>
          sendLetter(model, world, desk, {
            seller: desk.session.party.context,
            buyer: buyerOf(model, desk.session.party.context, drawn.buyer),
            number: world.nextNumber(desk.session.party.context),
            kind: 'VAT',
            broken: drawn.broken,
          }),
      }),
    )
