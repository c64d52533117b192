import { succeeded } from '../../../lib/exchange.ts'
import { submissionBody } from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { agree, agreeOk, agreeRefused } from '../divergence.ts'
import { settleInvoice } from '../settling.ts'
import { clear, endRule, expectedOf, holderOf, isClosed } from '../state.ts'
import type { InvoiceState, LoginState, Model, SessionState } from '../state.ts'
import type { World } from '../world.ts'
import { callerOf, refusalOf } from './callers.ts'
import type { DrawnCaller } from './callers.ts'

/** What all commands that send an invoice have in common. */

export interface DrawnDesk extends DrawnCaller {
  readonly session: number
  /** Whether a batch session, which takes nothing more, may be found too. */
  readonly batches?: boolean
}

/** A session and a login to send with. */
export interface FoundDesk {
  readonly session: SessionState
  readonly login: LoginState
}

/** A login and its session; a stray one can belong to another context, or its session can be closed. */
export const deskOf = (
  model: Model,
  drawn: DrawnDesk,
  among: (session: SessionState) => boolean = () => true,
): FoundDesk | undefined => {
  const steady = model.sessions.filter(
    (session) =>
      among(session) &&
      (session.kind === 'onlineSession' || drawn.batches === true) &&
      (session.validUntil === undefined || clear(model, session.validUntil)),
  )
  const open = steady.filter((session) => !isClosed(model, session))
  const session = model.choices.pick(drawn.stray ? steady : open, drawn.session)
  if (session === undefined) return undefined
  const { party } = session
  const login = callerOf(model, drawn, 'InvoiceWrite', (one) =>
    drawn.stray ? one.party === party || one.party.context !== party.context : one.party === party,
  )
  return login === undefined ? undefined : { session, login }
}

export interface Letter {
  readonly seller: number
  readonly buyer: number
  readonly number: string
  readonly kind: 'VAT' | 'UPR'
  readonly broken: boolean
}

/** An invoice as the model knows it once it was sent. */
export const sentInvoice = (model: Model, session: SessionState, letter: Letter): InvoiceState => {
  const expected = expectedOf(model, { session, ...letter })
  return {
    session,
    ...letter,
    sentAt: model.now,
    expected,
    original: expected.ends === 'rejected' ? holderOf(model, letter) : undefined,
    seen: [],
    settled: false,
    svcNumber: undefined,
    link: undefined,
  }
}

/** Awaits pending invoices of the same triple, so that it is known which of the two comes first. */
export const awaitRivals = async (
  model: Model,
  world: World,
  letter: Pick<Letter, 'seller' | 'number'>,
): Promise<void> => {
  for (const one of model.invoices)
    if (one.seller === letter.seller && one.number === letter.number)
      await settleInvoice(model, world, one)
}

/** Sends an invoice and adds it to the model; a call that must be refused is only compared. */
export const sendLetter = async (
  model: Model,
  world: World,
  { session, login }: FoundDesk,
  letter: Letter,
): Promise<void> => {
  const handle = world.handles.sessions.get(session)
  if (handle === undefined) return
  await awaitRivals(model, world, letter)
  const bytes = world.invoiceBytes({ ...letter, byAgent: letter.seller !== session.party.context })
  const api = world.as(login)
  const path = { referenceNumber: handle.referenceNumber }
  const body = await submissionBody(api, handle, bytes)
  const answer = await api.call('invoices.submit', { path, body })
  const refusal = refusalOf(model, login, 'InvoiceWrite')
  if (refusal !== undefined) return agreeRefused(world, refusal.rule, answer, refusal.as)
  if (login.party.context !== session.party.context)
    return agreeRefused(world, 'sessions.online.isolated', answer, 'session-unknown')
  if (isClosed(model, session))
    return agreeRefused(world, endRule(session), answer, 'session-state-forbids')
  const expected = expectedOf(model, { session, ...letter })
  // Some targets refuse immediately what others refuse later.
  if (!succeeded(answer) && expected.ends === 'rejected')
    return agreeRefused(world, expected.rule, answer, ...expected.as)
  agreeOk(world, expected.ends === 'accepted' ? expected.rule : 'invoices.submit.accepted', answer)
  const { referenceNumber } = (answer.body ?? {}) as { referenceNumber?: unknown }
  const known = [...world.handles.invoices.values()].map((one) => one.referenceNumber)
  const fresh = typeof referenceNumber === 'string' && !known.includes(referenceNumber)
  agree(world, 'invoices.submit.accepted', fresh, 'a unique reference', referenceNumber, answer)
  const invoice = sentInvoice(model, session, letter)
  const code = statusOf(answer.body)?.code
  if (code !== undefined) invoice.seen.push(code)
  model.invoices.push(invoice)
  world.handles.invoices.set(invoice, { referenceNumber: String(referenceNumber), bytes })
}
