import type { Client } from '../../lib/client.ts'
import { openOnline, settleInvoice, settleSession, submit } from '../../lib/flows/session.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { formCodes } from '../support/forms.ts'
import { listInvoices } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { accept, fateOfInvoice, finish } from '../support/steps.ts'
import type { Desk } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Every session of the caller's context, page by page. */
const listSessions = async (api: Client, pageSize: number): Promise<string[]> => {
  const all: string[] = []
  let token: string | undefined
  do {
    const page = await api.call('sessions.list', {
      query: { sessionType: 'Online', pageSize },
      ...(token === undefined ? {} : { headers: { 'x-continuation-token': token } }),
    })
    const { sessions, continuationToken } = expectObject(page, 'list the sessions')
    const rows = sessions as { referenceNumber: string }[]
    expect(rows.length, 'sessions on one page').toBeLessThanOrEqual(pageSize)
    all.push(...rows.map(({ referenceNumber }) => referenceNumber))
    token = typeof continuationToken === 'string' ? continuationToken : undefined
  } while (token !== undefined && token !== '')
  return all
}

test(...rule('sessions.list.complete'), async ({ login, another }) => {
  const { api } = await login()
  const opened: string[] = []
  for (let count = 0; count < 23; count += 1)
    opened.push((await openOnline(api, { formCode: formCodes.fa3 })).referenceNumber)
  const stranger = await login({ context: await another() })
  await openOnline(stranger.api, { formCode: formCodes.fa3 })
  expect((await listSessions(api, 10)).toSorted(), 'own sessions, each once, over pages').toEqual(
    opened.toSorted(),
  )
})

test(...rule('sessions.list.complete', 'foreign continuation token'), async ({ login }) => {
  const { api } = await login()
  const answer = await api.call('sessions.list', {
    query: { sessionType: 'Online' },
    headers: { 'x-continuation-token': 'bm8gdG9rZW4=' },
  })
  expect(answer).toBeRefused('continuation-token-malformed')
})

test(...rule('sessions.invoices.complete', 'few'), async ({ open, invoice }) => {
  const desk = await open()
  const sent: string[] = []
  for (let count = 0; count < 23; count += 1)
    sent.push((await submit(desk.api, desk.session, invoice().bytes)).referenceNumber)
  await settleInvoice(desk.api, desk.session, sent.at(-1) ?? '')
  const listed = await listInvoices(desk.api, desk.session.referenceNumber, 'sessions.invoices', 10)
  expect(
    listed.map(({ referenceNumber }) => referenceNumber).toSorted(),
    'invoices of the session, each once, over pages',
  ).toEqual(sent.toSorted())
  for (const row of listed) expect(row).toHaveSucceeded('invoice')
})

interface Counts {
  readonly all: number
  readonly succeeded: number
  readonly failed: number
}

const countsOf = async ({ api, session }: Desk): Promise<Counts> => {
  const path = { referenceNumber: session.referenceNumber }
  const answer = expectOk(await api.call('sessions.status', { path }), 'look at the session')
  const { invoiceCount, successfulInvoiceCount, failedInvoiceCount } = expectObject(
    answer,
    'look at the session',
  )
  return {
    all: Number(invoiceCount ?? 0),
    succeeded: Number(successfulInvoiceCount ?? 0),
    failed: Number(failedInvoiceCount ?? 0),
  }
}

test(...rule('sessions.status.counts'), async ({ open, invoice }) => {
  const desk = await open()
  expect(await countsOf(desk), 'an empty session').toEqual({ all: 0, succeeded: 0, failed: 0 })
  await accept(desk, invoice().bytes)
  expect(await countsOf(desk)).toEqual({ all: 1, succeeded: 1, failed: 0 })
  await fateOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  expect(await countsOf(desk)).toEqual({ all: 2, succeeded: 1, failed: 1 })
  await accept(desk, invoice().bytes)
  await finish(desk)
  expect(await countsOf(desk), 'a closed session').toEqual({ all: 3, succeeded: 2, failed: 1 })
})

test(...rule('sessions.status.counts', 'at every moment'), async ({ open, invoice }) => {
  const desk = await open()
  const { all: before } = await countsOf(desk)
  expect(before, 'invoices before any was sent').toBe(0)
  for (let sent = 1; sent <= 5; sent += 1) {
    await submit(desk.api, desk.session, invoice().bytes)
    const { all, succeeded, failed } = await countsOf(desk)
    expect(all, 'invoices sent').toBe(sent)
    expect(succeeded + failed, 'invoices that are done').toBeLessThanOrEqual(all)
  }
})

test(...rule('sessions.status.moves-forward', 'session'), async ({ open, invoice }) => {
  const desk = await open()
  const path = { referenceNumber: desk.session.referenceNumber }
  const look = async () =>
    statusOf((await desk.api.call('sessions.status', { path })).body)?.code ?? 0
  const codes = [await look()]
  await accept(desk, invoice().bytes)
  codes.push(await look())
  await desk.api.call('sessions.closeOnline', { path })
  codes.push(await look())
  const settled = await settleSession(desk.api, desk.session)
  codes.push(settled.status.code, await look())
  expect(codes).toMoveAlong('onlineSession')
  expect(codes[0], 'an open session').toBe(100)
  expect(codes.at(-1), 'a session with an accepted invoice').toBe(200)
})

test(...rule('sessions.status.moves-forward', 'empty session'), async ({ open }) => {
  const settled = await finish(await open())
  expect(settled.status.code, 'a session in which nothing was sent').toBe(440)
})

test(...rule('sessions.status.moves-forward', 'nothing valid'), async ({ open }) => {
  const desk = await open()
  await fateOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  const settled = await finish(desk)
  expect(settled.status.code, 'a session without a valid invoice').toBe(445)
})

test(...rule('sessions.status.moves-forward', 'invoice'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber } = await submit(desk.api, desk.session, invoice().bytes)
  const settled = await settleInvoice(desk.api, desk.session, referenceNumber)
  const later = await settleInvoice(desk.api, desk.session, referenceNumber)
  const codes = [...settled.exchanges, ...later.exchanges].map(
    ({ body }) => statusOf(body)?.code ?? 0,
  )
  expect(codes).toMoveAlong('invoice')
  expect(codes.at(-1), 'an accepted invoice').toBe(200)
})

test(...rule('sessions.online.needs-permission', 'refused'), async ({ limited }) => {
  const { api } = await limited(['InvoiceRead'])
  const body = { formCode: formCodes.fa3, encryptedSymmetricKey: 'AAAA', initVector: 'AAAA' }
  expect(await api.call('sessions.openOnline', { body })).toBeRefused('missing-permission')
})

test(...rule('sessions.online.needs-permission', 'accepted'), async ({ limited }) => {
  const { api } = await limited(['InvoiceWrite'])
  const { referenceNumber } = await openOnline(api, { formCode: formCodes.fa3 })
  expect(referenceNumber, 'a session of one who may write').toMatch(/\S/)
})
