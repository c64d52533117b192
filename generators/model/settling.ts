import type { Exchange } from '../../lib/exchange.ts'
import { settleExport } from '../../lib/flows/export.ts'
import { settleAuthentication } from '../../lib/flows/login.ts'
import {
  settleInvoice as awaitInvoice,
  settleSession as awaitSession,
} from '../../lib/flows/session.ts'
import type { Settled } from '../../lib/flows/settle.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { agree, agreeForward, agreeRejected } from './divergence.ts'
import { ahead, endRule, finalCode, invoicesOf, isClosed, isRecent } from './state.ts'
import type { ExportState, InvoiceState, LoginState, Model, SessionState } from './state.ts'
import type { ModelRule } from './rules.ts'
import { unendedOf } from './unreached.ts'
import { codeOf } from './world.ts'
import type { World } from './world.ts'

/** Awaiting what is pending, and comparing how it ended. */

const succeeded = 200

/** What the status of an accepted invoice says about its receipt. */
export const linkOf = (body: Readonly<Record<string, unknown>>): InvoiceState['link'] => {
  const { upoDownloadUrl, upoDownloadUrlExpirationDate } = body
  const until = Date.parse(String(upoDownloadUrlExpirationDate))
  if (typeof upoDownloadUrl !== 'string' || Number.isNaN(until)) return undefined
  return { url: upoDownloadUrl, until }
}

const lastOf = (settled: Settled): Exchange | undefined => settled.exchanges.at(-1)

/** Awaits work that has to end under a rule. */
const awaitEnd = async (
  world: World,
  rule: ModelRule,
  wait: () => Promise<Settled>,
): Promise<Settled> => {
  try {
    return await wait()
  } catch (error) {
    throw (error instanceof Inconclusive && unendedOf(world, error, rule)) || error
  }
}

/** The rule by which an authentication succeeds. */
const loginRule = ({ token }: Pick<LoginState, 'token'>): ModelRule =>
  token === undefined ? 'auth.xades.accepted' : 'auth.token.accepted'

/** Awaits an authentication whose authentication token still opens its status. */
export const settleLogin = async (model: Model, world: World, login: LoginState): Promise<void> => {
  const started = world.handles.started.get(login)
  if (started === undefined || (login.seen.at(-1) ?? 0) >= succeeded) return
  if (!ahead(model, login.tokenUntil)) return
  const settled = await settleAuthentication(world.client, started)
  for (const look of settled.exchanges)
    agreeForward(
      world,
      'auth.status.moves-forward',
      'authentication',
      login.seen,
      codeOf(look) ?? 0,
      look,
    )
  if (login.succeeds) {
    const { code } = settled.status
    const holds = code === succeeded
    agree(
      world,
      loginRule(login),
      holds,
      'an authentication that succeeds',
      `state ${code}`,
      lastOf(settled),
    )
  }
}

/** The status of a duplicate names the invoice that it repeats. */
export const agreeOriginal = (
  world: World,
  { original }: InvoiceState,
  { code, body }: { readonly code: number | undefined; readonly body: Settled['body'] },
  exchange: Exchange | undefined,
): void => {
  if (original?.svcNumber === undefined || code !== 440) return
  const { originalSvcNumber, originalSessionReferenceNumber } = body
  const session = world.handles.sessions.get(original.session)?.referenceNumber
  agree(
    world,
    'invoices.duplicate.points-to-original',
    originalSvcNumber === original.svcNumber && originalSessionReferenceNumber === session,
    `the original ${original.svcNumber} in the session ${session}`,
    `${String(originalSvcNumber)} in the session ${String(originalSessionReferenceNumber)}`,
    exchange,
  )
}

/** Awaits an invoice and compares its end. */
export const settleInvoice = async (
  model: Model,
  world: World,
  invoice: InvoiceState,
): Promise<void> => {
  if (invoice.settled) return
  const session = world.handles.sessions.get(invoice.session)
  const sent = world.handles.invoices.get(invoice)
  if (session === undefined || sent === undefined) return
  const observer = await world.observer(invoice.session.party.context)
  const settled = await awaitEnd(world, invoice.expected.rule, () =>
    awaitInvoice(observer, session, sent.referenceNumber),
  )
  for (const look of settled.exchanges)
    agreeForward(
      world,
      'sessions.status.moves-forward',
      'invoice',
      invoice.seen,
      codeOf(look) ?? 0,
      look,
    )
  invoice.settled = true
  const { expected } = invoice
  if (expected.ends === 'rejected') {
    agreeRejected(world, expected.rule, settled.status, expected.as, lastOf(settled))
    const { status, body } = settled
    agreeOriginal(world, invoice, { code: status.code, body }, lastOf(settled))
    return
  }
  const { code, description = '', details } = settled.status
  const said = `state ${code} (${[description, ...details].join('; ')})`
  agree(world, expected.rule, code === succeeded, 'an accepted invoice', said, lastOf(settled))
  const { svcNumber } = settled.body
  const numbers = model.invoices.map((one) => one.svcNumber)
  const fresh = typeof svcNumber === 'string' && !numbers.includes(svcNumber)
  agree(
    world,
    'invoices.number.unique',
    fresh,
    'a service number that no other invoice has',
    svcNumber,
    lastOf(settled),
  )
  invoice.svcNumber = String(svcNumber)
  invoice.link = linkOf(settled.body)
  const linked = invoice.link !== undefined
  agree(
    world,
    'receipts.link.in-status',
    linked,
    'a receipt link with its end',
    'none',
    lastOf(settled),
  )
}

/** Awaits the end of a closed session and compares it. */
export const settleSession = async (
  model: Model,
  world: World,
  session: SessionState,
): Promise<void> => {
  const handle = world.handles.sessions.get(session)
  if (handle === undefined || !isRecent(model, session.openedAt)) return
  if (!isClosed(model, session) || (session.seen.at(-1) ?? 0) >= succeeded) return
  for (const invoice of invoicesOf(model, session)) await settleInvoice(model, world, invoice)
  const settled = await awaitEnd(world, endRule(session), async () =>
    awaitSession(await world.observer(session.party.context), handle, session.kind),
  )
  for (const look of settled.exchanges)
    agreeForward(
      world,
      'sessions.status.moves-forward',
      session.kind,
      session.seen,
      codeOf(look) ?? 0,
      look,
    )
  const wanted = finalCode(model, session)
  const { code } = settled.status
  agree(
    world,
    endRule(session),
    code === wanted,
    `a session that ends in state ${wanted}`,
    `state ${code}`,
    lastOf(settled),
  )
}

/** Awaits a package. */
export const settlePackage = async (
  model: Model,
  world: World,
  one: ExportState,
): Promise<Settled | undefined> => {
  const started = world.handles.exports.get(one)
  if (started === undefined || !isRecent(model, one.askedAt)) return undefined
  const settled = await settleExport(await world.observer(one.party.context), started)
  for (const look of settled.exchanges)
    agreeForward(world, 'exports.status.moves-forward', 'export', one.seen, codeOf(look) ?? 0, look)
  const until = Date.parse(String(settled.body['packageExpirationDate']))
  if (one.expiresAt === undefined && !Number.isNaN(until)) one.expiresAt = until
  const wanted = one.expiresAt === undefined || ahead(model, one.expiresAt) ? [200] : [200, 210]
  const holds = wanted.includes(settled.status.code)
  agree(
    world,
    'exports.create.accepted',
    holds,
    'an export that becomes ready',
    `state ${settled.status.code}`,
    lastOf(settled),
  )
  return settled
}

/** Awaits the packages that are being made. */
export const settleExports = async (model: Model, world: World): Promise<void> => {
  for (const one of model.exports)
    // Until when a package lasts is read from its status once it is ready, whoever saw that first.
    if (one.expiresAt === undefined) await settlePackage(model, world, one)
}

/** Awaits everything that is under way. */
export const settleAll = async (model: Model, world: World): Promise<void> => {
  for (const login of model.logins) await settleLogin(model, world, login)
  for (const invoice of model.invoices) await settleInvoice(model, world, invoice)
  for (const session of model.sessions) await settleSession(model, world, session)
  await settleExports(model, world)
  model.now = world.client.now()
}
