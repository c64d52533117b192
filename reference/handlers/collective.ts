import { dayOf } from '../base/identifiers.ts'
import { refuse } from '../base/refusals.ts'
import { normalSvcNumber } from '../base/service-numbers.ts'
import { instantOf, utc } from '../base/wording.ts'
import type { AnyCall, Caller, Handler, Handlers } from '../call/call.ts'
import type { Service } from '../call/service.ts'
import { page } from '../http/paging.ts'
import type { Collective, Issued } from '../model/documents.ts'
import { keyOf } from '../model/entities.ts'
import { isParty as hasRole, rolesIn } from '../model/roles.ts'

/** Collective identifiers: one number for invoices of one seller. Source: gap further-operations. */

const day = 24 * 3600 * 1000

/** An accepted invoice in which the caller has a part. */
const visible = ({ state }: Service, caller: Caller, svcNumber: string): Issued | undefined => {
  const issued = state.issued.get(normalSvcNumber(svcNumber) ?? '')
  return issued && hasRole(rolesIn(caller.context, issued)) ? issued : undefined
}

const isOwn = (caller: Caller, { context }: Collective): boolean =>
  context === keyOf(caller.context)

/** Whether a caller finds a collective identifier: its context created it or is the seller. */
const finds = (caller: Caller, collective: Collective): boolean =>
  isOwn(caller, collective) || keyOf(caller.context) === `Nip:${collective.seller}`

const newestFirst = (found: readonly Collective[]): Collective[] =>
  found.toSorted((a, b) => b.createdAt - a.createdAt || (a.number < b.number ? 1 : -1))

const place = ({ createdAt, number }: Collective): string =>
  `${String(createdAt).padStart(16, '0')} ${number}`

const pageOf = <T>(call: AnyCall, scope: string, all: readonly T[], at: (item: T) => string) =>
  page(call.service, all, {
    scope,
    size: Number(call.query['pageSize']),
    token: call.headers['x-continuation-token'],
    place: at,
    after: (item, last) => at(item) < last,
  })

/** @throws refusal collectives-exhausted */
const checkRoom = (service: Service, context: string, svcNumber: string): void => {
  const held = [...service.state.collectives.values()].filter(
    (one) =>
      one.context === context && one.invoices.some((invoice) => invoice.svcNumber === svcNumber),
  ).length
  if (held >= service.limit('collective.perInvoice'))
    throw refuse('collectives-exhausted', svcNumber)
}

const create: Handler<'invoices.createCollective'> = (call) => {
  const { service, caller, now } = call
  const { policy, state, identifiers } = service
  const given = call.body.invoices
  const maxInvoices = service.limit('collective.invoices')
  if (given.length === 0 || given.length > maxInvoices)
    throw refuse('invalid-input', `'invoices' must have 1 to ${maxInvoices} entries`)
  const context = keyOf(caller.context)
  const seen = new Set<string>()
  let seller: string | undefined
  const invoices = given.map((one) => {
    const issued = visible(service, caller, one.svcNumber)
    const nip = issued?.facts.seller.nip ?? ''
    if (
      issued === undefined ||
      seen.has(issued.svcNumber) ||
      !policy.sameSeller(nip, seller ?? nip)
    )
      throw refuse('invoice-not-collectable', one.svcNumber)
    seen.add(issued.svcNumber)
    seller ??= nip
    checkRoom(service, context, issued.svcNumber)
    return { ...one, svcNumber: issued.svcNumber }
  })
  const number = policy.collectiveNumber(seller ?? '', dayOf(now), identifiers.bytes(6))
  state.collectives.put({ number, context, seller: seller ?? '', createdAt: now, invoices })
  return { body: { collectiveIdentifierNumber: number } }
}

const query: Handler<'invoices.queryCollectives'> = (call) => {
  const { service, caller, body: asked } = call
  const from = instantOf(asked.dateCreatedFrom) ?? 0
  const to = instantOf(asked.dateCreatedTo) ?? 0
  const days = service.limit('collective.days')
  if (from > to || to - from > days * day)
    throw refuse('invalid-input', `'dateCreatedTo' must lie within ${days} days of the start`)
  const { collectiveIdentifierNumber: number, invoiceCountFrom, invoiceCountTo } = asked
  const own = asked.createdInCurrentContext ?? undefined
  const found = newestFirst(
    [...service.state.collectives.values()].filter(
      (one) =>
        finds(caller, one) &&
        one.createdAt >= from &&
        one.createdAt <= to &&
        (!number || one.number === number) &&
        one.invoices.length >= (invoiceCountFrom ?? 0) &&
        one.invoices.length <= (invoiceCountTo ?? Infinity) &&
        (own === undefined || own === isOwn(caller, one)),
    ),
  )
  const scope = `collectives ${keyOf(caller.context)} ${JSON.stringify(asked)}`
  const { items, continuationToken } = pageOf(call, scope, found, place)
  return {
    body: {
      collectiveIdentifiers: items.map((one) => ({
        ...shown(caller, one),
        invoiceCount: one.invoices.length,
      })),
      continuationToken,
    },
  }
}

const shown = (caller: Caller, one: Collective) => ({
  collectiveIdentifierNumber: one.number,
  dateCreated: utc(one.createdAt),
  createdInCurrentContext: isOwn(caller, one),
})

type CollectiveOperation =
  | 'invoices.createCollective'
  | 'invoices.queryCollectives'
  | 'invoices.ofCollective'
  | 'invoices.collectivesOf'

export const collectiveHandlers: Pick<Handlers<'invoices'>, CollectiveOperation> = {
  'invoices.createCollective': create,
  'invoices.queryCollectives': query,

  'invoices.ofCollective': (call) => {
    const { service, caller, path } = call
    const found = service.state.collectives.get(path.collectiveIdentifierNumber)
    const isPartyOf = ({ svcNumber }: { readonly svcNumber: string }): boolean =>
      visible(service, caller, svcNumber) !== undefined
    if (found === undefined || !(finds(caller, found) || found.invoices.some(isPartyOf)))
      throw refuse('collective-unknown')
    const invoices = found.invoices.toSorted((a, b) => (a.svcNumber < b.svcNumber ? 1 : -1))
    const scope = `collective ${keyOf(caller.context)} ${found.number}`
    const { items, continuationToken } = pageOf(call, scope, invoices, (one) => one.svcNumber)
    return {
      body: {
        invoices: items.map((one) => {
          // The amount to pay is shown to the creator of the identifier, and to the parties of the invoice.
          const open = isOwn(caller, found) || isPartyOf(one)
          return {
            svcNumber: one.svcNumber,
            payment: open ? (one.payment ?? null) : null,
            description: open ? (one.description ?? null) : null,
            detailsHidden: !open && (one.payment ?? null) !== null,
          }
        }),
        continuationToken,
      },
    }
  },

  'invoices.collectivesOf': (call) => {
    const { service, caller, path } = call
    const number = normalSvcNumber(path.svcNumber) ?? path.svcNumber
    const isParty = visible(service, caller, number) !== undefined
    const found = newestFirst(
      [...service.state.collectives.values()].filter(
        (one) =>
          (isParty || finds(caller, one)) &&
          one.invoices.some(({ svcNumber }) => svcNumber === number),
      ),
    )
    if (!isParty && found.length === 0) throw refuse('collective-unknown')
    const scope = `collectives of ${keyOf(caller.context)} ${number}`
    const { items, continuationToken } = pageOf(call, scope, found, place)
    return {
      body: {
        collectiveIdentifiers: items.map((one) => shown(caller, one)),
        continuationToken,
      },
    }
  },
}
