import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { minimalInvoice } from '../../generators/invoice/invoice.ts'
import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import {
  closeOnline,
  openOnline,
  settleInvoice,
  settleSession,
  submit,
} from '../../lib/flows/session.ts'
import type { OnlineSession } from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { Unreachable, createSend } from '../../lib/node/fetch.ts'
import { serve } from './served.ts'
import type { Served } from './served.ts'

/**
 * `kill -9` at any moment, under load: no accepted invoice is lost, no duplicate forgotten, nothing that was told is
 * taken back. The moments follow from counts of answers, so that some fall between the answer and the acceptance.
 */

interface Sent {
  readonly number: string
  readonly xml: Uint8Array
  readonly session: OnlineSession
  /** Of the answer; undefined where none came. */
  reference?: string
  /** Of the acceptance, where it was seen. */
  svcNumber?: string
}

const rounds = [7, 23, 1, 40]
const senders = 4

const clientOf = ({ profile }: Served, send: ReturnType<typeof createSend>): Client =>
  createClient({
    send: send.send,
    baseUrl: profile.url,
    dialect: svc,
    codec: nodeCodec,
    polling: { everyMs: 20, times: 200 },
  })

/** Sends invoices from several hands until so many answers came, then kills the service. */
const loadAndKill = async (
  served: Served,
  api: Client,
  session: OnlineSession,
  seller: string,
  round: number,
  answers: number,
): Promise<Sent[]> => {
  const sent: Sent[] = []
  let answered = 0
  let reached = (): void => undefined
  const enough = new Promise<void>((resolve) => (reached = resolve))
  const died = (error: unknown): void => {
    if (!(error instanceof Unreachable)) throw error
  }
  const sender = async (): Promise<void> => {
    while (answered < answers) {
      const number = `FV/${round}/${sent.length}`
      const xml = minimalInvoice({ seller, number, issueDate: '2026-03-02' })
      const entry: Sent = { number, xml, session }
      sent.push(entry)
      entry.reference = (await submit(api, session, xml)).referenceNumber
      answered++
      if (answered === answers) reached()
      // Some are followed to their acceptance, some are left on their way.
      if (sent.length % 2 === 0) {
        const { body } = await settleInvoice(api, session, entry.reference)
        entry.svcNumber = String(body['svcNumber'])
      }
    }
  }
  const all = Promise.all(Array.from({ length: senders }, () => sender().catch(died)))
  await Promise.race([enough, all])
  await served.kill()
  await all
  return sent
}

test('nothing that was answered is lost when the process is killed', async () => {
  test.setTimeout(180_000)
  const data = test.info().outputPath('store')
  const send = createSend()
  let served = await serve('--data', data, '--seed', '11')
  const [context] = served.profile.contexts
  const seller = context!.value
  const login = await loginWithToken(clientOf(served, send), {
    context: { type: 'Nip', value: seller },
    token: context!.token,
  })
  const sent: Sent[] = []
  try {
    for (const [round, answers] of rounds.entries()) {
      // The access token of the first process is good in each of the later ones.
      const api = clientOf(served, send).with({ bearer: login.accessToken })
      const session = await openOnline(api, { formCode: 'FA (3)' })
      sent.push(...(await loadAndKill(served, api, session, seller, round, answers)))
      served = await serve('--data', data, '--seed', '11')
    }
    const api = clientOf(served, send).with({ bearer: login.accessToken })
    const numbers = new Map<string, string>()
    for (const entry of sent) {
      if (entry.reference === undefined) continue
      const { status, body } = await settleInvoice(api, entry.session, entry.reference)
      expect(status.code, `${entry.number} was answered, so it is accepted`).toBe(200)
      const svcNumber = String(body['svcNumber'])
      if (entry.svcNumber !== undefined) expect(svcNumber, entry.number).toBe(entry.svcNumber)
      numbers.set(entry.number, svcNumber)
      const kept = await api.call('invoices.bySvcNumber', { path: { svcNumber } })
      expect(Buffer.from(kept.bytes).equals(entry.xml), `${entry.number}, byte for byte`).toBe(true)
    }
    expect(new Set(numbers.values()).size, 'no number was given twice').toBe(numbers.size)

    const again = await openOnline(api, { formCode: 'FA (3)' })
    for (const { number, xml, reference } of sent) {
      const repeated = await submit(api, again, xml)
      const { status, body } = await settleInvoice(api, again, repeated.referenceNumber)
      // Where no answer came, it may have arrived or not; what was answered is remembered.
      if (reference === undefined && status.code === 200) continue
      expect(status.code, `${number} is known`).toBe(440)
      if (reference !== undefined) {
        expect(body['originalSvcNumber'], number).toBe(numbers.get(number))
      }
    }
    for (const session of new Set(sent.map((entry) => entry.session))) {
      await closeOnline(api, session)
      const { status, body } = await settleSession(api, session)
      const answered = sent.filter(
        (entry) => entry.session === session && entry.reference !== undefined,
      )
      expect(status.code).toBe(200)
      expect(Number(body['successfulInvoiceCount'])).toBeGreaterThanOrEqual(answered.length)
      expect(body['invoiceCount']).toBe(body['successfulInvoiceCount'])
    }
    // The token of the first process still logs in.
    await loginWithToken(clientOf(served, send), {
      context: { type: 'Nip', value: seller },
      token: context!.token,
    })
  } finally {
    send.close()
    await served.kill()
  }
})

test('a store is one process at a time', async () => {
  const data = test.info().outputPath('store')
  const served = await serve('--data', data)
  try {
    await expect(serve('--data', data)).rejects.toThrow(/is in use by process/)
  } finally {
    expect(await served.stop()).toBe(0)
  }
  const next = await serve('--data', data)
  expect(await next.stop()).toBe(0)
})
