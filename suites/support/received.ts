import type { Client } from '../../lib/client.ts'
import { callReceiptLink, receiptPages } from '../../lib/flows/receipt.ts'
import type { Settled } from '../../lib/flows/settle.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import { expect } from './matchers.ts'

/** The service numbers on the aggregate receipt of a session, over all of its pages. */
export const receivedNumbers = async (api: Client, session: Settled): Promise<string[]> => {
  const { upo } = session.body as { readonly upo?: { readonly pages?: readonly unknown[] } | null }
  expect(upo?.pages ?? [], 'the pages of the receipt').not.toHaveLength(0)
  const numbers: string[] = []
  for (const { downloadUrl } of receiptPages(session)) {
    const answer = await callReceiptLink(api, String(downloadUrl))
    expect(answer, 'a page of the receipt').toBeOk()
    numbers.push(...readReceipt(answer.bytes).documents.map((one) => one.serviceNumber))
  }
  return numbers.toSorted()
}
