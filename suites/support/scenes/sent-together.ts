import { openOnline } from '../../../lib/flows/session.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import type { Me } from '../service/contexts.ts'
import { formCodes } from '../checks/forms.ts'
import type { MadeInvoice } from '../documents/invoice-source.ts'
import { listInvoices, packed, rowOfDocument, sendBatch } from '../steps/packages.ts'
import type { SentKind } from './sent-invoices.ts'
import { accept, finish } from '../steps/steps.ts'

/** Several accepted invoices of one session, of either kind. */

interface SentTogether {
  readonly session: string
  /** Ends the session: a package has ended already. */
  readonly end: () => Promise<Settled>
  readonly all: readonly {
    readonly made: MadeInvoice
    readonly referenceNumber: string
    readonly svcNumber: string
    readonly receiptUrl: string | undefined
  }[]
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * Sends invoices in one session.
 * @throws {Inconclusive} when one of them is not accepted
 */
export const sendTogether = async (
  { api }: Pick<Me, 'api'>,
  kind: SentKind,
  invoices: readonly MadeInvoice[],
): Promise<SentTogether> => {
  if (kind === 'interactive') {
    const desk = { api, session: await openOnline(api, { formCode: formCodes.fa3 }) }
    const all = []
    for (const made of invoices) all.push({ made, ...(await accept(desk, made.bytes)) })
    return { session: desk.session.referenceNumber, end: () => finish(desk), all }
  }
  const { referenceNumber: session, settled } = await sendBatch(api, await packed(invoices))
  const rows = await listInvoices(api, session)
  const all = []
  for (const made of invoices) {
    const row = await rowOfDocument(api, rows, made.bytes)
    const svcNumber = textOf(row.svcNumber)
    if (svcNumber === undefined) throw new Inconclusive('send a package', 'acceptance of each')
    const { referenceNumber } = row
    all.push({ made, referenceNumber, svcNumber, receiptUrl: textOf(row['upoDownloadUrl']) })
  }
  return { session, end: async () => settled, all }
}
