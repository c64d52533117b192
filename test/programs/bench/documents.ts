import { makeInvoice } from '../../../generators/invoice/invoice.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { submissionBody } from '../../../lib/flows/session.ts'
import type { Client } from '../../../lib/client.ts'

/** Day of issue of every document: past on every day on which this runs. */
const issueDate = '2026-03-02'

/** Size of every document, and the number of lines that nearly fill it: those of a typical invoice. */
const bytes = 5_000
const lines = 13

/** Distinct invoices of a seller: one document of the usual kind, its number changed. */
export const documents = (seller: string, count: number, series: string): readonly Uint8Array[] => {
  const mark = 'NUMBER-NUMBER-NUMBER'
  const text = Buffer.from(
    makeInvoice(
      { seller, number: mark, issueDate, profile: 'services', kind: 'VAT', bytes, lines },
      1,
    ),
  ).toString('utf8')
  return Array.from({ length: count }, (_, at) =>
    Buffer.from(text.replaceAll(mark, `${series}-${String(at).padStart(8, '0')}`)),
  )
}

/** The bodies that submit documents to a session, as JSON. */
export const submissions = async (
  client: Client,
  session: OnlineSession,
  xmls: readonly Uint8Array[],
): Promise<readonly string[]> => {
  const bodies: string[] = []
  for (const xml of xmls) bodies.push(JSON.stringify(await submissionBody(client, session, xml)))
  return bodies
}
