import type { Exchange } from '../../lib/exchange.ts'
import { callReceipt } from '../../lib/flows/receipt.ts'
import { expectOk } from '../../lib/outcome.ts'
import { agree, agreeForward, agreeOk } from './divergence.ts'
import { agreeRetrieved } from './retrieval.ts'
import { ahead, invoicesOf, isAccepted, isOpen, isRecent } from './state.ts'
import type { ExportState, InvoiceState, LoginState, Model, SessionState } from './state.ts'
import { codeOf } from './world.ts'
import type { World } from './world.ts'

/** Read-only checks of what must hold after every step, whatever the step was. */

const finalFrom = 200

const auditLogin = async (model: Model, world: World, login: LoginState): Promise<void> => {
  const started = world.handles.started.get(login)
  if (started === undefined || !ahead(model, login.tokenUntil)) return
  const look = expectOk(
    await world.client.call('auth.status', {
      path: { referenceNumber: started.referenceNumber },
      bearer: started.authenticationToken,
    }),
    'look at the authentication',
  )
  const code = codeOf(look) ?? 0
  agreeForward(world, 'auth.status.moves-forward', 'authentication', login.seen, code, look)
  if (code !== finalFrom || login.succeeds) return
  const rule = 'auth.status.failure-is-final'
  agree(world, rule, false, 'an authentication that does not succeed', `state ${code}`, look)
}

const countsOf = ({ body }: { readonly body: unknown }) => {
  const counts = (body ?? {}) as Record<string, unknown>
  return {
    total: Number(counts['invoiceCount'] ?? 0),
    succeeded: Number(counts['successfulInvoiceCount'] ?? 0),
    failed: Number(counts['failedInvoiceCount'] ?? 0),
  }
}

const auditCounts = (model: Model, world: World, session: SessionState, look: Exchange): void => {
  const { total, succeeded, failed } = countsOf(look)
  const sent = invoicesOf(model, session)
  const accepted = sent.filter(isAccepted).length
  const reported = `${total} sent, ${succeeded} succeeded, ${failed} failed`
  const rule = 'sessions.status.counts'
  agree(world, rule, total === sent.length, `${sent.length} sent invoices`, reported, look)
  agree(
    world,
    rule,
    succeeded + failed <= total,
    'succeeded and failed at most all',
    reported,
    look,
  )
  const rejected = sent.length - accepted
  if (sent.every(({ settled }) => settled))
    agree(
      world,
      rule,
      succeeded === accepted && failed === rejected,
      `${accepted} succeeded, ${rejected} failed`,
      reported,
      look,
    )
}

const auditSession = async (model: Model, world: World, session: SessionState): Promise<void> => {
  const handle = world.handles.sessions.get(session)
  if (handle === undefined || !isRecent(model, session.openedAt)) return
  const path = { referenceNumber: handle.referenceNumber }
  const observer = await world.observer(session.party.context)
  const look = expectOk(await observer.call('sessions.status', { path }), 'look at the session')
  const code = codeOf(look) ?? 0
  const rule = 'sessions.status.moves-forward'
  agreeForward(world, rule, session.kind, session.seen, code, look)
  if (isOpen(model, session))
    agree(world, rule, code === 100, 'an open session (100)', `state ${code}`, look)
  const { upo } = (look.body ?? {}) as { upo?: { pages?: readonly unknown[] } | null }
  const pages = upo?.pages?.length ?? 0
  if (isOpen(model, session))
    agree(
      world,
      'sessions.online.receipt-after-close',
      pages === 0,
      'no aggregate receipt of an open session',
      `${pages} pages`,
      look,
    )
  auditCounts(model, world, session, look)
  const list = expectOk(
    await observer.call('sessions.invoices', { path, query: { pageSize: 100 } }),
    'list the invoices of the session',
  )
  const { invoices = [] } = list.body as {
    invoices?: readonly {
      readonly referenceNumber: string
      readonly status: { readonly code: number }
    }[]
  }
  const listed = new Map(invoices.map((row) => [row.referenceNumber, row]))
  const sent = invoicesOf(model, session)
  const complete = invoices.length === sent.length && listed.size === sent.length
  agree(
    world,
    'sessions.invoices.complete',
    complete,
    `${sent.length} invoices in the list`,
    `${invoices.length}`,
    list,
  )
  for (const invoice of sent) {
    const row = listed.get(world.handles.invoices.get(invoice)?.referenceNumber ?? '')
    agree(
      world,
      'sessions.invoices.complete',
      row !== undefined,
      'every sent invoice in the list',
      'one missing',
      list,
    )
    agreeForward(world, rule, 'invoice', invoice.seen, row?.status.code ?? 0, list)
  }
}

const auditExport = async (model: Model, world: World, one: ExportState): Promise<void> => {
  const started = world.handles.exports.get(one)
  if (started === undefined || !isRecent(model, one.askedAt)) return
  const observer = await world.observer(one.party.context)
  const path = { referenceNumber: started.referenceNumber }
  const look = expectOk(await observer.call('exports.status', { path }), 'look at the export')
  agreeForward(world, 'exports.status.moves-forward', 'export', one.seen, codeOf(look) ?? 0, look)
}

/** An accepted invoice comes back byte for byte, and is on its receipt. */
const auditInvoice = async (world: World, invoice: InvoiceState): Promise<void> => {
  const { svcNumber } = invoice
  const sent = world.handles.invoices.get(invoice)
  const session = world.handles.sessions.get(invoice.session)
  if (svcNumber === undefined || sent === undefined || session === undefined) return
  const observer = await world.observer(invoice.session.party.context)
  await agreeRetrieved(world, observer, invoice)
  const receipt = await callReceipt(observer, {
    sessionReferenceNumber: session.referenceNumber,
    invoiceReferenceNumber: sent.referenceNumber,
  })
  agreeOk(world, 'receipts.invoice.carries-number', receipt)
  const carries = receipt.text.includes(svcNumber)
  agree(
    world,
    'receipts.invoice.carries-number',
    carries,
    `${svcNumber} on the receipt`,
    'another',
    receipt,
  )
}

/** Steps after which what has come to its end is looked at once more. */
const everySo = 4

/** Whether something may still change; what has ended is looked at again from time to time. */
const isDue = (world: World, seen: readonly number[]): boolean =>
  (seen.at(-1) ?? 0) < finalFrom || world.steps.length % everySo === 0

/**
 * The read-only checks after a step: every status that may change, every count, and one of the accepted invoices, each
 * in its turn. Where calls are limited, there are none: the end of the sequence checks everything.
 */
export const audit = async (model: Model, world: World): Promise<void> => {
  if (!world.unlimited) return
  for (const login of model.logins)
    if (isDue(world, login.seen)) await auditLogin(model, world, login)
  for (const session of model.sessions)
    if (isDue(world, session.seen)) await auditSession(model, world, session)
  for (const one of model.exports) if (isDue(world, one.seen)) await auditExport(model, world, one)
  const accepted = model.invoices.filter(({ svcNumber }) => svcNumber !== undefined)
  const next = accepted[world.steps.length % Math.max(1, accepted.length)]
  if (next !== undefined) await auditInvoice(world, next)
}

/** The read-only checks at the end of a sequence: everything. */
export const auditAll = async (model: Model, world: World): Promise<void> => {
  for (const login of model.logins) await auditLogin(model, world, login)
  for (const session of model.sessions) await auditSession(model, world, session)
  for (const one of model.exports) await auditExport(model, world, one)
  for (const invoice of model.invoices) await auditInvoice(world, invoice)
}
