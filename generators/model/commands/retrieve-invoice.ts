import fc from 'fast-check'
import { command, named } from '../command.ts'
import { agreeRefused } from '../divergence.ts'
import { agreeRetrieved } from '../retrieval.ts'
import type { InvoiceState, LoginState } from '../state.ts'
import { callerOf, nameOf, refusalOf } from './callers.ts'

/** Whether a context has a part in an invoice: as its seller, its buyer or its sender. */
export const isParty = ({ seller, buyer, session }: InvoiceState, context: number): boolean =>
  [seller, buyer, session.party.context].includes(context)

/** Reads an accepted invoice by its service number: a party gets it byte for byte, a stranger not at all. */
export const retrieveInvoice = () =>
  fc.record({ invoice: fc.nat(15), place: fc.nat(15), stray: fc.boolean() }).map((drawn) =>
    command<{ invoice: InvoiceState; login: LoginState }>({
      name: 'retrieve an invoice',
      find(model) {
        const accepted = model.invoices.filter(({ svcNumber }) => svcNumber !== undefined)
        const invoice = model.choices.pick(accepted, drawn.invoice)
        if (invoice === undefined) return undefined
        const strange = ({ party }: LoginState) => !isParty(invoice, party.context)
        const login =
          (drawn.stray ? callerOf(model, drawn, 'InvoiceRead', strange) : undefined) ??
          callerOf(model, drawn, 'InvoiceRead')
        return login === undefined ? undefined : { invoice, login }
      },
      says: (model, { invoice, login }) =>
        `${nameOf(model, login)} retrieves ${named('invoice', model.invoices, invoice)}`,
      async act(model, world, { invoice, login }) {
        const caller = world.as(login)
        const refused = refusalOf(model, login, 'InvoiceRead')
        const party = isParty(invoice, login.party.context)
        if (refused === undefined && party) return agreeRetrieved(world, caller, invoice)
        const path = { svcNumber: invoice.svcNumber ?? '' }
        const got = await caller.call('invoices.bySvcNumber', { path })
        return refused === undefined
          ? agreeRefused(world, 'invoices.get.parties-only', got, 'invoice-unknown')
          : agreeRefused(world, refused.rule, got, refused.as)
      },
    }),
  )
