import { drawSecret, openOnline } from '../../../lib/flows/session.ts'
import { formCodes } from '../checks/forms.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { listInvoices, nameOf, only, packed, sendBatch } from '../steps/packages.ts'
import { correctionOf, outcomeOfInvoice } from '../steps/steps.ts'
import type { Desk } from '../steps/steps.ts'
import type { Way } from './ways-of-sending.ts'

/** What is said of documents as they are sent: that they were issued offline, alone or together, or correct others. */

/** Sends documents one after the other, in the session of the desk or in one package; returns the outcome of each. */
export type DeclaredWay = (
  desk: Desk,
  ...documents: readonly Uint8Array[]
) => Promise<readonly WorkOutcome[]>

export const oneByOne =
  (send: (desk: Desk, bytes: Uint8Array) => Promise<WorkOutcome>): DeclaredWay =>
  async (desk, ...documents) => {
    const outcomes: WorkOutcome[] = []
    for (const bytes of documents) outcomes.push(await send(desk, bytes))
    return outcomes
  }

/** Has an offline document rejected that no other check sends; returns what declares another its correction. */
const correction = async (desk: Desk) => {
  const { codec } = desk.api
  const broken = codec.utf8(`<Faktura>${codec.base64(drawSecret().iv)}</Faktura>`)
  await outcomeOfInvoice(desk, broken, { offlineMode: true })
  return correctionOf(desk.api, broken)
}

const correct = async (desk: Desk, bytes: Uint8Array): Promise<WorkOutcome> =>
  outcomeOfInvoice(desk, bytes, await correction(desk))

/**
 * The fields by which a submission is declared, by what it is then.
 * @param desk where an offline document is rejected, so that another one can correct it
 */
export const declarations = async (
  desk: Desk,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> => ({
  'as it is': {},
  'declared offline': { offlineMode: true },
  'as a technical correction': await correction(desk),
})

export const declaredWays: Readonly<Record<string, DeclaredWay>> = {
  'declared offline': oneByOne((desk, bytes) =>
    outcomeOfInvoice(desk, bytes, { offlineMode: true }),
  ),
  'in a package declared offline': async ({ api }, ...documents) => {
    const batch = await packed(documents.map((bytes) => ({ bytes })))
    const { referenceNumber } = await sendBatch(api, batch, { offlineMode: true })
    const rows = await listInvoices(api, referenceNumber)
    return documents.map((_, place) =>
      only(rows.filter(({ invoiceFileName }) => invoiceFileName === nameOf(place))),
    )
  },
  'as a technical correction': oneByOne(correct),
}

/** Those ways for a single document, each in a session of its own. */
export const declaredAlone: readonly (readonly [string, Pick<Way, 'outcome'>])[] = Object.entries(
  declaredWays,
).map(([name, send]) => [
  name,
  {
    async outcome({ api }, bytes) {
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      return only(await send({ api, session }, bytes))
    },
  },
])
