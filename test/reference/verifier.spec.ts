import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { minimalInvoice } from '../../generators/invoice/invoice.ts'
import { createClient } from '../../lib/client.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import {
  closeOnline,
  openOnline,
  settleInvoice,
  settleSession,
  submit,
} from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createSend } from '../../lib/node/fetch.ts'
import { clientOf } from '../programs/crash-test/world.ts'
import { serve } from '../served.ts'
import { sampleSize } from '../sample.ts'

/** Documents that are verified on several threads get the same results as on one, whichever thread is faster. */

const perKind = sampleSize(100, 8)

interface Threads {
  readonly up: number
  readonly verdicts: number
}

/** What the service says of its threads. */
const threadsOf = async (management: string): Promise<Threads> =>
  ((await (await fetch(management)).json()) as { threads: Threads }).threads

/** The results of good, broken and repeated documents, in the order of sending, and how many came from threads. */
const outcomes = async (
  threads: number,
): Promise<{ codes: (number | undefined)[]; verdicts: number }> => {
  const served = await serve('--threads', String(threads), '--seed', '5')
  const sender = createSend()
  try {
    const { profile } = served
    const client = createClient({
      send: sender.send,
      baseUrl: profile.url,
      dialect: svc,
      codec: nodeCodec,
      polling: { everyMs: 20, times: 500 },
    })
    const [context] = profile.contexts
    if (context === undefined) throw new Error('no context')
    const { accessToken } = await loginWithToken(client, {
      context: { type: 'Nip', value: context.value },
      token: context.token,
    })
    const api = client.with({ bearer: accessToken })
    const session = await openOnline(api, { formCode: 'FA (3)' })
    const first = minimalInvoice({ seller: context.value, number: 'V', issueDate: '2026-03-02' })
    await settleInvoice(api, session, (await submit(api, session, first)).referenceNumber)
    // They start with the first document; from then on no other thread verifies.
    await expect.poll(async () => (await threadsOf(profile.management)).up).toBe(threads)
    const before = (await threadsOf(profile.management)).verdicts
    const references: string[] = []
    for (let n = 0; n < perKind; n++) {
      const good = minimalInvoice({
        seller: context.value,
        number: `V/${n}`,
        issueDate: '2026-03-02',
      })
      const broken = Buffer.from(Buffer.from(good).toString('utf8').replace('<P_2>', '<P_2x>'))
      const sent = await Promise.all(
        [good, broken].map((xml) => submit(api, session, new Uint8Array(xml))),
      )
      sent.push(await submit(api, session, good))
      references.push(...sent.map(({ referenceNumber }) => referenceNumber))
    }
    await closeOnline(api, session)
    const { body } = await settleSession(api, session)
    expect(body['successfulInvoiceCount']).toBe(perKind + 1)
    expect(body['failedInvoiceCount']).toBe(2 * perKind)
    const codes: (number | undefined)[] = []
    for (const reference of references) {
      const settled = await settleInvoice(api, session, reference)
      codes.push((settled.body as { status?: { code?: number } }).status?.code)
    }
    return { codes, verdicts: (await threadsOf(profile.management)).verdicts - before }
  } finally {
    sender.close()
    await served.stop()
  }
}

test('with and without threads the same documents are accepted, refused and found to be duplicates', async () => {
  test.setTimeout(180_000)
  const alone = await outcomes(0)
  expect(alone.codes).toEqual(Array.from({ length: perKind }, () => [200, 450, 440]).flat())
  expect(alone.verdicts).toBe(0)
  const shared = await outcomes(2)
  expect(shared.codes).toEqual(alone.codes)
  expect(shared.verdicts, 'documents that other threads verified').toBe(3 * perKind)
})

test('a service stops while its threads start', async () => {
  const served = await serve('--threads', '2')
  const { client, close } = clientOf(served.profile)
  const [context] = served.profile.contexts
  const { accessToken } = await loginWithToken(client, {
    context: { type: 'Nip', value: context!.value },
    token: context!.token,
  })
  const api = client.with({ bearer: accessToken })
  const session = await openOnline(api, { formCode: 'FA (3)' })
  const xml = minimalInvoice({ seller: context!.value, number: 'V', issueDate: '2026-03-02' })
  await submit(api, session, xml)
  close()
  expect(await served.stop()).toBe(0)
})
