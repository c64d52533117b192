import { isDeepStrictEqual } from 'node:util'
import { openOnline } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectObject } from '../../../lib/outcome.ts'
import type { CheckClock } from '../../support/service/check-clock.ts'
import type { Me } from '../../support/service/contexts.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { withInvalidAmount } from '../../support/documents/malformed.ts'
import { meaningOf, meaningOfRow } from '../../support/answers/meaning.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Invoices that fail with one code for different reasons: the lists give each its own. */

type Fields = Readonly<Record<string, unknown>>
type Scene = Pick<Fixtures, 'invoice' | 'rng' | 'target'> & { readonly me: Me }

/** Two duplicates of invoices of two sessions, and two or more documents with each of some other faults. */
const failing = async ({ me: { api }, invoice, rng, target }: Scene): Promise<Uint8Array[]> => {
  const { codec } = api
  const edited = (change: (xml: string) => string) =>
    codec.utf8(change(codec.text(invoice().bytes)))
  const originals: Uint8Array[] = []
  for (let count = 0; count < 2; count += 1) {
    const { bytes } = invoice()
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    await accept({ api, session }, bytes)
    originals.push(bytes)
  }
  const day = 24 * 3600 * 1000
  const later = [40, 50].map((days) => isoDay(target.now() + days * day))
  return [
    edited(withInvalidAmount),
    edited((xml) => `\uFEFF${xml}`),
    edited((xml) => xml.slice(0, -20)),
    edited((xml) => xml.replace(/<P_15>.*?<\/P_15>/, '')),
    ...later.map((issueDate) => invoice({ issueDate }).bytes),
    ...originals,
    invoice({ seller: drawNip(rng) }).bytes,
    invoice({ seller: drawNip(rng) }).bytes,
  ]
}

/** Sends documents in each kind of session; returns its reference number. */
const kinds: Readonly<
  Record<string, (me: Me, all: readonly Uint8Array[], clock: CheckClock) => Promise<string>>
> = {
  async interactive({ api }, all, clock) {
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    for (const bytes of all) {
      // The dates of the others are not those of the one that comes later.
      if (bytes === all.at(-1)) await clock.pass(1_000)
      await outcomeOfInvoice({ api, session }, bytes)
    }
    return session.referenceNumber
  },
  async batch({ api }, all) {
    const batch = await packed(all.map((bytes) => ({ bytes })))
    return (await sendBatch(api, batch)).referenceNumber
  },
}

const statusOf = (record: Fields): Fields => (record['status'] ?? {}) as Fields

/** The texts of a status. */
const textsOf = ({ description, details }: Fields): readonly string[] =>
  [description, ...[details].flat()].filter(
    (text) => typeof text === 'string' && text !== '',
  ) as string[]

/** What is said of each invoice, by its reference number. */
const lookAt = async (
  { api }: Me,
  session: string,
  rows: readonly { readonly referenceNumber: string }[],
): Promise<ReadonlyMap<string, Fields>> => {
  const told = new Map<string, Fields>()
  for (const { referenceNumber } of rows) {
    const path = { referenceNumber: session, invoiceReferenceNumber: referenceNumber }
    const answer = await api.call('invoices.inSession', { path })
    told.set(referenceNumber, expectObject(answer, 'look at an invoice'))
  }
  return told
}

/** What a row says that is said of others, but not of its invoice: texts may be worded in any way, but not exchanged. */
const exchanged = (row: Fields, own: Fields, others: readonly Fields[]): readonly string[] => {
  const about = textsOf(own)
  const alike = new Set(others.filter(({ code }) => code === own['code']).flatMap(textsOf))
  return textsOf(row).filter((text) => alike.has(text) && !about.some((one) => one.includes(text)))
}

for (const [rule, operation] of [
  ['sessions.batch.failed-list', 'sessions.failed'],
  ['sessions.invoices.complete', 'sessions.invoices'],
] as const)
  for (const [kind, send] of Object.entries(kinds))
    test(
      ...familyRule(rule, 'reason of a failure', kind),
      async ({ login, invoice, rng, target, clock }) => {
        const me = await login()
        const documents = await failing({ me, invoice, rng, target })
        const session = await send(me, documents, clock)
        const rows = await listInvoices(me.api, session, operation)
        expect(rows.length, 'failed invoices').toBe(documents.length)
        const told = await lookAt(me, session, rows)
        const again = await lookAt(me, session, rows)
        const statuses = [...told.values()].map(statusOf)
        // A service may choose its words anew in each answer; then nothing follows from whose words they were.
        const settled = [...again.values()].every((one, index) =>
          isDeepStrictEqual(textsOf(statusOf(one)), textsOf(statuses[index] ?? {})),
        )
        for (const row of rows) {
          const own = told.get(row.referenceNumber) ?? {}
          const name = `${row.referenceNumber}, which failed with ${row.status.code}`
          const [stated, looked] = [
            meaningOfRow(operation, 'invoices', row),
            meaningOf('invoices.inSession', own) as Fields,
          ]
          expect(stated['status'], `the status of ${name}`).toEqual(looked['status'])
          const wrong = settled ? exchanged(row.status, statusOf(own), statuses) : []
          expect(wrong, `what is said of others, in the row of ${name}`).toEqual([])
        }
      },
    )
