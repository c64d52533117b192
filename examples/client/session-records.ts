import type { Exchange } from '../../lib/exchange.ts'
import type { FormCode } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import type { Conduct } from './conduct.ts'
import type { Account } from './login.ts'
import { sleep } from '../../lib/poll.ts'

/** What both ways of issuing read from the service: the invoices of a session, and its state. */

/** One invoice of a session, as the service describes it. */
export interface Found {
  readonly reference: string
  readonly hash: string
  readonly code: number
  readonly svcNumber: string | undefined
  readonly originalSvcNumber: string | undefined
  readonly receiptLink: string | undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Reads one entry; undefined where it is none. */
export function foundIn(entry: unknown): Found | undefined {
  const fields = (entry ?? {}) as Record<string, unknown>
  const reference = textOf(fields['referenceNumber'])
  const status = statusOf(entry)
  if (reference === undefined || status === undefined) return undefined
  return {
    reference,
    hash: textOf(fields['invoiceHash']) ?? '',
    code: status.code,
    svcNumber: textOf(fields['svcNumber']),
    originalSvcNumber: textOf(fields['originalSvcNumber']),
    receiptLink: textOf(fields['upoDownloadUrl']),
  }
}

/** All invoices of a session, page by page. */
export async function invoicesOf(account: Account, session: string): Promise<Found[]> {
  const found: Found[] = []
  let token: string | undefined
  do {
    const exchange: Exchange = await account.call(
      'sessions.invoices',
      {
        path: { referenceNumber: session },
        query: { pageSize: 100 },
        headers: { 'x-continuation-token': token },
      },
      'safe',
    )
    if (exchange.status >= 300) return found
    const body = exchange.body as { invoices?: unknown[]; continuationToken?: unknown }
    found.push(...(body.invoices ?? []).flatMap((entry) => foundIn(entry) ?? []))
    token = textOf(body.continuationToken)
  } while (token !== undefined)
  return found
}

/** How often an outcome is looked at before it counts as unknown for now. */
const looksAtMost = 40

/**
 * Looks at a status until it is final.
 * @returns the last answer; undefined when it stayed pending or could not be read
 */
export async function settled(
  conduct: Conduct,
  pendingBelow: number,
  look: () => Promise<Exchange>,
): Promise<Exchange | undefined> {
  for (let turn = 0; turn < looksAtMost; turn += 1) {
    const exchange = await look()
    if (exchange.status >= 300) return undefined
    const code = statusOf(exchange.body)?.code ?? 0
    const isUnknown = code < 200 && ![100, 150, 170].includes(code)
    if (isUnknown && conduct.unknownCode === 'error') throw new Error(`unknown code ${code}`)
    if (code >= pendingBelow || (isUnknown && conduct.unknownCode === 'success')) {
      for (let more = 0; more < conduct.looksAfterTheEnd; more += 1) await look()
      return exchange
    }
    await sleep(conduct.pollAfter(turn))
  }
  return undefined
}

/** The form code of a document, by its namespace. */
export function formCodeOf(xml: Uint8Array): FormCode {
  const start = new TextDecoder().decode(xml.subarray(0, 2000))
  const schema = Object.values(invoiceSchemas).find(({ namespace }) => start.includes(namespace))
  return (schema ?? invoiceSchemas.fa3).formCode
}
