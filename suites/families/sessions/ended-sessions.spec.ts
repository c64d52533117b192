import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Client } from '../../../lib/client.ts'
import { callUpload, closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { openOnline, settleSession, submissionBody } from '../../../lib/flows/session.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { declarations } from '../../support/scenes/declared-ways.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { listInvoices, packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, fields, outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A session that has ended, however it ended, refuses every action and changes neither its state nor its counts. */

/** What must stay as it is. */
const lookAt = async (api: Client, referenceNumber: string) => {
  const status = await api.call('sessions.status', { path: { referenceNumber } })
  const {
    invoiceCount = 0,
    successfulInvoiceCount = 0,
    failedInvoiceCount = 0,
    totalInvoiceCount = 0,
  } = fields(status)
  const rows = await listInvoices(api, referenceNumber)
  return {
    code: reported(status).status.code,
    counts: [invoiceCount, successfulInvoiceCount, failedInvoiceCount, totalInvoiceCount],
    invoices: rows.map((row) => row.referenceNumber).toSorted(),
  }
}

/** Attempts an action twice: the first refusal must not reopen the session. */
const refused = async (what: string, act: () => Promise<Exchange>): Promise<void> => {
  for (const time of ['', ' once more'])
    expect(await act(), `${what}${time}, after the end`).toBeRefused('session-state-forbids')
}

/** How an interactive session comes to a state. */
const online: Readonly<Record<number, 'valid' | 'invalid' | 'empty'>> = {
  170: 'valid',
  200: 'valid',
  440: 'empty',
  445: 'invalid',
}

for (const code of Object.keys(online).map(Number))
  test(
    ...familyRule('sessions.online.close', 'ended session', `${code}`),
    async ({ open, login, invoice }) => {
      const desk = await open()
      const { api, session } = desk
      const content = online[code]
      if (content === 'valid') await accept(desk, invoice().bytes)
      if (content === 'invalid') await outcomeOfInvoice(desk, spoilt)
      const declared = await declarations(await open({ me: desk.me }))
      const path = { referenceNumber: session.referenceNumber }
      // By another login in one of the cases: the one that sends did not see the close.
      const closer = code === 200 ? (await login({ context: desk.me.context })).api : api
      const closed = await closer.call('sessions.closeOnline', { path })
      expect(closed, `the close of a session with ${content} content`).toBeOk()
      if (code !== 170) {
        expect(await settleSession(api, session)).toBeInState('onlineSession', code)
      }
      const submissions = Object.entries(declared).map(
        ([way, declaration]) =>
          [
            `submit ${way}`,
            async () => {
              const body = await submissionBody(api, session, invoice().bytes)
              return api.call('invoices.submit', { path, body: { ...body, ...declaration } })
            },
          ] as const,
      )
      const actions = {
        ...Object.fromEntries(submissions),
        close: () => api.call('sessions.closeOnline', { path }),
      }
      const before = code === 170 ? undefined : await lookAt(api, session.referenceNumber)
      for (const [action, take] of Object.entries(actions)) await refused(action, take)
      const body = await submissionBody(api, session, invoice().bytes)
      for (const alias of wireOperation('invoices.submit', api.dialect).aliases.keys())
        await refused('submit by the other path', () =>
          api.call('invoices.submit', { path, body, alias }),
        )
      await settleSession(api, session)
      const after = await lookAt(api, session.referenceNumber)
      if (before !== undefined) expect(after, 'the session after refused actions').toEqual(before)
      expect(after.invoices, 'its invoices').toHaveLength(content === 'empty' ? 0 : 1)
    },
  )

for (const { code } of lifecycles.batchSession.filter(({ outcome }) => outcome !== 'pending'))
  test(
    ...familyRule('sessions.batch.close', 'ended package', `${code}`),
    async ({ login, invoice, target }) => {
      const { api } = await login()
      const beside = await packed([invoice()])
      const neighbour = await openBatch(api, beside, { formCode: formCodes.fa3 })
      await uploadParts(api, neighbour, beside.parts)
      const made = await packed([code === 445 ? { bytes: spoilt } : invoice()])
      const session = await openBatch(api, made, { formCode: formCodes.fa3 })
      await uploadParts(api, session, made.parts)
      if (![200, 445].includes(code)) await target.management?.endNext('batchSession', code)
      await closeBatch(api, session)
      const settled = await settleSession(api, session, 'batchSession')
      expect(settled).toBeInState('batchSession', code)
      const before = await lookAt(api, session.referenceNumber)
      const path = { referenceNumber: session.referenceNumber }
      for (const time of ['', ' once more']) {
        const closed = await api.call('sessions.closeBatch', { path })
        expect(closed, `close${time}, after the end`).toBeRefused('session-state-forbids')
        for (const [i, { bytes }] of made.parts.entries())
          expect(
            await callUpload(api, session.uploads[i]!, bytes),
            `an upload${time}, after the end`,
          ).toBeClientError()
      }
      const other = await openOnline(api, { formCode: formCodes.fa3 })
      const body = await submissionBody(api, other, invoice().bytes)
      expect(await api.call('invoices.submit', { path, body }), 'a submission').toBeClientError()
      await settleSession(api, session, 'batchSession')
      expect(await lookAt(api, session.referenceNumber), 'after refused actions').toEqual(before)
      const ofNeighbour = { path: { referenceNumber: neighbour.referenceNumber } }
      const closed = await api.call('sessions.closeBatch', ofNeighbour)
      expect(closed, 'the close of a package uploaded beside it').toBeOk()
      const end = await settleSession(api, neighbour, 'batchSession')
      expect(end, 'the package uploaded beside it').toHaveSucceeded('batchSession')
    },
  )
