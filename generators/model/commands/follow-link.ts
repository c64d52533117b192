import fc from 'fast-check'
import { callReceiptLink } from '../../../lib/flows/receipt.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { command, named } from '../command.ts'
import { agree, agreeOk, agreeRefused } from '../divergence.ts'
import { linkOf } from '../settling.ts'
import { alive, clear, isRecent, over } from '../state.ts'
import type { InvoiceState, LoginState } from '../state.ts'
import { nameOf } from './callers.ts'
import { isParty } from './retrieve-invoice.ts'

interface Found {
  readonly invoice: InvoiceState
  readonly login: LoginState
  readonly link: NonNullable<InvoiceState['link']>
}

/** Follows the receipt link of an invoice: while it holds, and when it has run out; then a fresh one. */
export const followLink = () =>
  fc.record({ invoice: fc.nat(15), login: fc.nat(15), strange: fc.boolean() }).map((drawn) =>
    command<Found>({
      name: 'follow a receipt link',
      find(model) {
        const linked = model.invoices.filter(
          ({ link, session }) =>
            link !== undefined && clear(model, link.until) && isRecent(model, session.openedAt),
        )
        const invoice = model.choices.pick(linked, drawn.invoice)
        const readers = alive(model).filter(({ party }) => party.owner)
        const strangers = readers.filter(
          ({ party }) => invoice !== undefined && !isParty(invoice, party.context),
        )
        const login =
          model.choices.pick(drawn.strange ? strangers : [], drawn.login) ??
          model.choices.pick(readers, drawn.login)
        if (invoice?.link === undefined || login === undefined) return undefined
        return { invoice, login, link: invoice.link }
      },
      says: (model, { invoice, login, link }) =>
        `${nameOf(model, login)} follows the ${over(model, link.until) ? 'expired ' : ''}receipt link of ${named(
          'invoice',
          model.invoices,
          invoice,
        )}`,
      async act(model, world, { invoice, login, link }) {
        const expired = over(model, link.until)
        const got = await callReceiptLink(world.as(login), link.url)
        // In some dialects anyone with the address may follow it.
        const free = wireOperation('receipts.link', world.client.dialect).bearer === 'link'
        const party = free || isParty(invoice, login.party.context)
        if (!party) {
          const refusals = expired
            ? (['receipt-unknown', 'link-expired'] as const)
            : (['receipt-unknown'] as const)
          return agreeRefused(world, 'receipts.link.parties-only', got, ...refusals)
        }
        if (!expired) {
          agreeOk(world, 'receipts.link.expires', got)
          const carries = got.text.includes(invoice.svcNumber ?? '-')
          const rule = 'receipts.invoice.carries-number'
          return agree(world, rule, carries, `${invoice.svcNumber} on the receipt`, 'another', got)
        }
        const rule = 'receipts.link.expires'
        agreeRefused(world, rule, got, 'link-expired')
        const observer = await world.observer(invoice.session.party.context)
        const look = await observer.call('invoices.inSession', {
          path: {
            referenceNumber: world.handles.sessions.get(invoice.session)?.referenceNumber ?? '',
            invoiceReferenceNumber: world.handles.invoices.get(invoice)?.referenceNumber ?? '',
          },
        })
        const { body } = expectOk(look, 'look at the invoice')
        const fresh = linkOf(body as Record<string, unknown>)
        agree(
          world,
          rule,
          fresh !== undefined && fresh.url !== link.url,
          'a fresh link',
          fresh?.url,
          look,
        )
        if (fresh === undefined) return
        invoice.link = fresh
        agreeOk(world, rule, await callReceiptLink(observer, fresh.url))
      },
    }),
  )
