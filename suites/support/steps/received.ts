import type { Client } from '../../../lib/client.ts'
import { callReceiptLink, receiptPages } from '../../../lib/flows/receipt.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { expect } from '../judging/matchers.ts'

/** The documents on the aggregate receipt of a session, over all of its pages. */
export const receivedDocuments = async (api: Client, session: Settled) => {
  const { upo } = session.body as { readonly upo?: { readonly pages?: readonly unknown[] } | null }
  expect(upo?.pages ?? [], 'the pages of the receipt').not.toHaveLength(0)
  const documents: ReturnType<typeof readReceipt>['documents'][number][] = []
  for (const { downloadUrl } of receiptPages(session)) {
    const answer = await callReceiptLink(api, String(downloadUrl))
    expect(answer, 'a page of the receipt').toBeOk()
    documents.push(...readReceipt(answer.bytes).documents)
  }
  return documents
}

/** Their service numbers, sorted. */
export const receivedNumbers = async (api: Client, session: Settled): Promise<string[]> =>
  (await receivedDocuments(api, session)).map((one) => one.serviceNumber).toSorted()
