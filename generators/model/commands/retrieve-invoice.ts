import fc from 'fast-check'
import { command, named } from '../command.ts'
import { agree, agreeOk, agreeRefused } from '../divergence.ts'
import type { InvoiceState, LoginState } from '../state.ts'
import { callerOf, nameOf, refusalOf } from './callers.ts'

/** Whether a context has a part in an invoice: as its seller, its buyer (the next one) or its sender. */
export const isParty = (invoice: InvoiceState, context: number, contexts: number): boolean =>
  [invoice.seller, (invoice.seller + 1) % contexts, invoice.session.party.context].includes(context)

/** Reads an accepted invoice by its service number: a party gets it byte for byte, a stranger not at all. */
export const retrieveInvoice = () =>
  fc.record({ invoice: fc.nat(15), place: fc.nat(15), stray: fc.boolean() }).map((drawn) =>
    command<{ invoice: InvoiceState; login: LoginState }>({
      name: 'retrieve an invoice',
      find(model) {
        const accepted = model.invoices.filter(({ svcNumber }) => svcNumber !== undefined)
        const invoice = model.choices.pick(accepted, drawn.invoice)
        if (invoice === undefined) return undefined
        const contexts = model.parties.filter(({ owner }) => owner).length
        const strange = ({ party }: LoginState) => !isParty(invoice, party.context, contexts)
        const login =
          (drawn.stray ? callerOf(model, drawn, 'InvoiceRead', strange) : undefined) ??
          callerOf(model, drawn, 'InvoiceRead')
        return login === undefined ? undefined : { invoice, login }
      },
      says: (model, { invoice, login }) =>
        `${nameOf(model, login)} retrieves ${named('invoice', model.invoices, invoice)}`,
      async act(model, world, { invoice, login }) {
        const path = { svcNumber: invoice.svcNumber ?? '' }
        const got = await world.as(login).call('invoices.bySvcNumber', { path })
        const refusal = refusalOf(model, login, 'InvoiceRead')
        if (refusal !== undefined) return agreeRefused(world, refusal.rule, got, refusal.as)
        const contexts = world.owners.length
        if (!isParty(invoice, login.party.context, contexts))
          return agreeRefused(world, 'invoices.get.parties-only', got, 'invoice-unknown')
        const rule = 'invoices.get.by-service-number'
        agreeOk(world, rule, got)
        const sent = world.handles.invoices.get(invoice)?.bytes ?? new Uint8Array()
        const same = Buffer.from(got.bytes).equals(Buffer.from(sent))
        agree(
          world,
          rule,
          same,
          'the invoice byte for byte',
          `${got.bytes.length} other bytes`,
          got,
        )
      },
    }),
  )
