import fc from 'fast-check'
import { statusOf } from '../../../lib/flows/settle.ts'
import { receiptPages, callReceipt } from '../../../lib/flows/receipt.ts'
import { settleSession as awaitSession } from '../../../lib/flows/session.ts'
import { command, named } from '../command.ts'
import { agree, agreeOk, agreeRefused } from '../divergence.ts'
import { settleSession } from '../settling.ts'
import { clear, invoicesOf, isClosed, usable } from '../state.ts'
import type { Model, SessionState } from '../state.ts'
import type { World } from '../world.ts'
import { nameOf, refusalOf } from './callers.ts'
import { deskOf, sendLetter } from './sending.ts'
import type { FoundDesk } from './sending.ts'

const numbersOn = (receipt: string): string[] =>
  [...receipt.matchAll(/<(?:\w+:)?NumerKSeFDokumentu>([^<]*)</g)].map(([, number = '']) => number)

/** The aggregate receipt of a session that has ended lists exactly the accepted invoices. */
export const compareReceipt = async (
  model: Model,
  world: World,
  session: SessionState,
): Promise<void> => {
  const handle = world.handles.sessions.get(session)
  const accepted = invoicesOf(model, session).flatMap(({ svcNumber }) => svcNumber ?? [])
  if (handle === undefined || accepted.length === 0) return
  const observer = await world.observer(session.party.context)
  const settled = await awaitSession(observer, handle, session.kind)
  const { upo } = settled.body as { upo?: { pages?: readonly unknown[] } }
  const paged = (upo?.pages?.length ?? 0) > 0
  const rule = 'sessions.online.receipt-after-close'
  agree(world, rule, paged, 'an aggregate receipt', 'none', settled.exchanges.at(-1))
  const listed: string[] = []
  for (const page of receiptPages(settled)) {
    const receipt = await callReceipt(observer, {
      sessionReferenceNumber: handle.referenceNumber,
      upoReferenceNumber: page.referenceNumber,
    })
    agreeOk(world, rule, receipt)
    listed.push(...numbersOn(receipt.text))
  }
  const exact = listed.toSorted().join(' ') === accepted.toSorted().join(' ')
  const wanted = `the accepted invoices ${accepted.join(', ')}`
  agree(world, 'receipts.session.verifies', exact, wanted, listed.join(', '))
}

/** Another login of the same party knows of the closing too: it sends nothing more into the session. */
const sendByAnother = async (
  model: Model,
  world: World,
  { session, login }: FoundDesk,
): Promise<void> => {
  const seller = session.party.context
  const other = usable(model).find(
    (one) =>
      one !== login &&
      one.party === session.party &&
      clear(model, one.accessUntil) &&
      refusalOf(model, one, 'InvoiceWrite') === undefined,
  )
  if (other === undefined) return
  const letter = { seller, buyer: seller, number: world.nextNumber(seller), kind: 'VAT' } as const
  await sendLetter(model, world, { session, login: other }, { ...letter, broken: false })
}

/** Closes a session, awaits its end and reads its receipt; a second closing is refused. */
export const closeSession = () =>
  fc
    .record({
      session: fc.nat(15),
      place: fc.nat(15),
      stray: fc.integer({ min: 0, max: 2 }).map((drawn) => drawn === 2),
    })
    .map((drawn) =>
      command<FoundDesk>({
        name: 'close a session',
        find: (model) => deskOf(model, { ...drawn, batches: true }),
        says: (model, { session, login }) =>
          `${nameOf(model, login)} closes ${named('session', model.sessions, session)}${
            isClosed(model, session) ? ' again' : ''
          }`,
        async act(model, world, { session, login }) {
          const handle = world.handles.sessions.get(session)
          if (handle === undefined) return
          const path = { referenceNumber: handle.referenceNumber }
          const { kind } = session
          const operation = kind === 'batchSession' ? 'sessions.closeBatch' : 'sessions.closeOnline'
          const rule = kind === 'batchSession' ? 'sessions.batch.close' : 'sessions.online.close'
          const answer = await world.as(login).call(operation, { path })
          const refusal = refusalOf(model, login, 'InvoiceWrite')
          if (refusal !== undefined) return agreeRefused(world, refusal.rule, answer, refusal.as)
          if (login.party.context !== session.party.context)
            return agreeRefused(world, 'sessions.online.isolated', answer, 'session-unknown')
          if (isClosed(model, session))
            return agreeRefused(world, rule, answer, 'session-state-forbids')
          agreeOk(world, 'sessions.online.close', answer)
          session.closed = true
          const code = statusOf(answer.body)?.code
          if (code !== undefined) session.seen.push(code)
          await settleSession(model, world, session)
          await compareReceipt(model, world, session)
          if (kind === 'onlineSession') await sendByAnother(model, world, { session, login })
        },
      }),
    )
