import fc from 'fast-check'
import { invoiceSchemas } from '../../../contract/environments.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { batchBody, callUpload, readBatchOpened } from '../../../lib/flows/batch.ts'
import { settleSession as awaitSession } from '../../../lib/flows/session.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import type { Files } from '../../../lib/node/archive.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { command } from '../command.ts'
import { agree, agreeOk, agreeRefused } from '../divergence.ts'
import { settleInvoice, settleSession } from '../settling.ts'
import { buyerOf, invoicesOf, isAccepted } from '../state.ts'
import type { InvoiceState, LoginState, Model, SessionState } from '../state.ts'
import type { World } from '../world.ts'
import { callerOf, nameOf, refusalOf } from './callers.ts'
import { compareReceipt } from './close-session.ts'
import { awaitRivals, sentInvoice } from './sending.ts'
import type { Letter } from './sending.ts'

/** What a package holds: something new, valid or not, or an accepted invoice of the context once more. */
type Piece =
  | { readonly what: 'valid' | 'invalid'; readonly buyer: number }
  | { readonly what: 'again'; readonly invoice: number }

const pieces = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.nat(1).map((buyer): Piece => ({ what: 'valid', buyer })) },
    { weight: 1, arbitrary: fc.nat(1).map((buyer): Piece => ({ what: 'invalid', buyer })) },
    { weight: 2, arbitrary: fc.nat(15).map((invoice): Piece => ({ what: 'again', invoice })) },
  ),
  { minLength: 1, maxLength: 3 },
)

const ownOf = (model: Readonly<Model>, context: number): InvoiceState[] =>
  model.invoices.filter((one) => isAccepted(one) && one.seller === context)

/** Each triple once: the contract does not say which of two in a package comes first. */
const lettersOf = (
  model: Model,
  world: World,
  context: number,
  drawn: readonly Piece[],
): Letter[] => {
  const own = ownOf(model, context)
  const letters = new Map<string, Letter>()
  for (const piece of drawn) {
    const repeated = piece.what === 'again' ? model.choices.pick(own, piece.invoice) : undefined
    const letter: Letter = {
      seller: context,
      buyer: repeated?.buyer ?? buyerOf(model, context, 'buyer' in piece ? piece.buyer : 0),
      number: repeated?.number ?? world.nextNumber(context),
      kind: repeated?.kind ?? 'VAT',
      broken: piece.what === 'invalid',
    }
    letters.set(`${letter.kind} ${letter.number}`, letter)
  }
  return [...letters.values()]
}

/** What a package holds, in words; where nothing was accepted yet, nothing can be sent again. */
const described = (model: Readonly<Model>, context: number, drawn: readonly Piece[]): string =>
  drawn
    .map((piece) =>
      piece.what === 'again' && ownOf(model, context).length === 0 ? 'valid' : piece.what,
    )
    .join(', ')

interface Sent {
  readonly letter: Letter
  readonly bytes: Uint8Array
}

/** Adds the documents of a package to model and world, by the rows of the list of its session. */
const takeInvoices = async (
  model: Model,
  world: World,
  session: SessionState,
  sent: readonly Sent[],
): Promise<void> => {
  const observer = await world.observer(session.party.context)
  const path = { referenceNumber: world.handles.sessions.get(session)?.referenceNumber ?? '' }
  const list = await observer.call('sessions.invoices', { path, query: { pageSize: 100 } })
  const { invoices: rows = [] } = expectOk(list, 'list the invoices of the session').body as {
    invoices?: readonly { readonly referenceNumber: string; readonly invoiceHash: string }[]
  }
  for (const { letter, bytes } of sent) {
    const hash = world.client.codec.base64(await sha256(bytes))
    const row = rows.find(({ invoiceHash }) => invoiceHash === hash)
    const rule = 'sessions.invoices.complete'
    agree(world, rule, row !== undefined, 'every document of the package', 'one missing', list)
    const invoice = sentInvoice(model, session, letter)
    model.invoices.push(invoice)
    const referenceNumber = row?.referenceNumber ?? ''
    world.handles.invoices.set(invoice, { referenceNumber, bytes })
  }
}

/** Awaits the session first: its documents are known when it has ended. */
const settleBatch = async (
  model: Model,
  world: World,
  session: SessionState,
  sent: readonly Sent[],
): Promise<void> => {
  const handle = world.handles.sessions.get(session)
  if (handle === undefined) return
  await awaitSession(await world.observer(session.party.context), handle, session.kind)
  await takeInvoices(model, world, session, sent)
  for (const invoice of invoicesOf(model, session)) await settleInvoice(model, world, invoice)
  await settleSession(model, world, session)
}

/** Sends a package by a batch session, awaits its end and compares what became of each document. */
export const sendBatch = () =>
  fc.record({ place: fc.nat(15), stray: fc.boolean(), pieces }).map((drawn) =>
    command<LoginState>({
      name: 'send a batch',
      find: (model) => callerOf(model, drawn, 'InvoiceWrite'),
      says: (model, login) =>
        `${nameOf(model, login)} sends a batch (session ${model.sessions.length + 1}): ${described(model, login.party.context, drawn.pieces)}`,
      async act(model, world, login) {
        const api = world.as(login)
        const letters = lettersOf(model, world, login.party.context, drawn.pieces)
        for (const letter of letters) await awaitRivals(model, world, letter)
        const sent = letters.map((letter) => ({
          letter,
          bytes: world.invoiceBytes({ ...letter, byAgent: false }),
        }))
        const files: Files = Object.fromEntries(
          sent.map(({ bytes }, place) => [`${place + 1}.xml`, bytes]),
        )
        const batch = await packBatch(files)
        const body = await batchBody(api, batch, invoiceSchemas.fa3.formCode, await world.keys())
        const answer = await api.call('sessions.openBatch', { body })
        const refusal = refusalOf(model, login, 'InvoiceWrite')
        if (refusal !== undefined) return agreeRefused(world, refusal.rule, answer, refusal.as)
        agreeOk(world, 'sessions.batch.opens', answer)
        const opened = readBatchOpened(answer)
        const [upload] = opened.uploads
        const [part] = batch.parts
        if (upload === undefined || part === undefined) return
        agreeOk(world, 'sessions.batch.opens', await callUpload(api, upload, part.bytes))
        const path = { referenceNumber: opened.referenceNumber }
        agreeOk(world, 'sessions.batch.close', await api.call('sessions.closeBatch', { path }))
        const { key, iv } = batch
        const session: SessionState = {
          kind: 'batchSession',
          party: login.party,
          openedAt: model.now,
          validUntil: undefined,
          seen: [],
          closed: true,
        }
        model.sessions.push(session)
        world.handles.sessions.set(session, { ...opened, key, iv })
        await settleBatch(model, world, session, sent)
        await compareReceipt(model, world, session)
      },
    }),
  )
