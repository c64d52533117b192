import { limits } from '../../../contract/limits.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { callUpload, closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import type { BatchPackage, BatchSession } from '../../../lib/flows/batch.ts'
import {
  closeOnline,
  openOnline,
  settleSession,
  submissionBody,
} from '../../../lib/flows/session.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { otherAt } from '../../../lib/node/digests.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Whatever is tried with a session that has reached a final state, closed or ended by time: it stays there. */

type Actions = Readonly<Record<string, () => Promise<Exchange>>>

/** Tries every action twice, and expects the final state after each of them, and later. */
const expectFinal = async (
  api: Client,
  {
    of,
    what,
    referenceNumber,
  }: Readonly<Record<'what' | 'referenceNumber', string>> & {
    readonly of: 'onlineSession' | 'batchSession'
  },
  actions: Actions,
): Promise<void> => {
  const end = await settleSession(api, { referenceNumber }, of)
  const path = { referenceNumber }
  const state = async () => reported(await api.call('sessions.status', { path })).status.code
  for (const [action, act] of Object.entries(actions)) {
    for (const time of ['', ' once more']) {
      expect(await act(), `${what}, then ${action}${time}`).toBeClientError()
      expect(await state(), `${what}, after ${action}${time}`).toBe(end.status.code)
    }
  }
  await api.sleep(2_000)
  expect(await state(), `${what}, later`).toBe(end.status.code)
}

/** Documents of interactive sessions; each session is closed, and another one is left open until it expires. */
const contents: Readonly<Record<string, 'valid' | 'invalid' | 'none'>> = {
  'with a valid invoice': 'valid',
  'with an invalid invoice': 'invalid',
  empty: 'none',
}

test(
  ...familyRule('sessions.status.moves-forward', 'final state', 'interactive session'),
  async ({ login, invoice, clock }) => {
    const { api, context } = await login()
    const sessions: { readonly what: string; readonly session: OnlineSession }[] = []
    for (const [how, isClosed] of Object.entries({ closed: true, expired: false }))
      for (const [what, content] of Object.entries(contents)) {
        const session = await openOnline(api, { formCode: formCodes.fa3 })
        const bytes = content === 'valid' ? invoice().bytes : spoilt
        if (content !== 'none') await outcomeOfInvoice({ api, session }, bytes)
        if (isClosed) await closeOnline(api, session)
        sessions.push({ what: `${how} ${what}`, session })
      }
    await clock.advance(limits['session.onlineLifetime'].value * 1000 + 60_000)
    const later = (await login({ context })).api
    for (const { what, session } of sessions) {
      const path = { referenceNumber: session.referenceNumber }
      const body = await submissionBody(later, session, invoice().bytes)
      const submit = (more: object) => () =>
        later.call('invoices.submit', { path, body: { ...body, ...more } })
      await expectFinal(
        later,
        { of: 'onlineSession', what, ...path },
        {
          'a submission': submit({}),
          'an offline submission': submit({ offlineMode: true }),
          'a close': () => later.call('sessions.closeOnline', { path }),
          'a close as of a package': () => later.call('sessions.closeBatch', { path }),
        },
      )
    }
  },
)

interface Package {
  readonly what: string
  readonly batch: BatchPackage
  readonly session: BatchSession
}

test(
  ...familyRule('sessions.status.moves-forward', 'final state', 'package'),
  async ({ login, open, invoice, clock }) => {
    const { api, context } = await login()
    const packages: Package[] = []
    /** A package of which some parts, or all, are uploaded, and which is closed or not. */
    const begin = async (what: string, batch: BatchPackage, parts: number, isClosed: boolean) => {
      const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
      await uploadParts(api, session, batch.parts.slice(0, parts))
      if (isClosed) await closeBatch(api, session)
      packages.push({ what, batch, session })
    }
    const made = () => packed([invoice(), invoice()], { partBytes: 1200 })
    await begin('processed', await made(), Infinity, true)
    await begin('without a valid invoice', await packed([{ bytes: spoilt }]), Infinity, true)
    const batch = await made()
    const misfit = { ...batch, fileHash: otherAt(batch.fileHash, 21) }
    await begin('not as described', misfit, Infinity, true)
    await begin('expired with all parts', await made(), Infinity, false)
    await begin('expired with some parts', await made(), 1, false)
    await begin('expired without parts', await made(), 0, false)
    await clock.advance(25 * 3_600_000)
    const me = await login({ context })
    const { session: another } = await open({ me })
    for (const { what, batch: sent, session } of packages) {
      const path = { referenceNumber: session.referenceNumber }
      const body = await submissionBody(me.api, another, invoice().bytes)
      const [first] = sent.parts
      await expectFinal(
        me.api,
        { of: 'batchSession', what, ...path },
        {
          'a close': () => me.api.call('sessions.closeBatch', { path }),
          'an upload': () => callUpload(me.api, session.uploads[0]!, first!.bytes),
          'a submission': () => me.api.call('invoices.submit', { path, body }),
          'a close as of an interactive session': () =>
            me.api.call('sessions.closeOnline', { path }),
        },
      )
    }
  },
)
