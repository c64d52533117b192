import type { Journal, JournalEntry } from '../../reference/model/journal.ts'
import type { JournalVerdict } from './conditions/front.ts'

/** What only the service itself knows of a call: its own reasons, whatever reached the client. */

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : undefined

/**
 * Why the service refused a call, from what its journal recorded since the call began. If the answer is no refusal, a
 * decision in the journal counts: some dialects accept a call first and report the refusal in its status.
 */
export function verdictIn(journal: Journal, since: number, request: Request): JournalVerdict {
  const { pathname, search } = new URL(request.url)
  const begins = `${pathname}${search}`.slice(0, 30)
  const entries = journal.after(since)
  const isOwn = (one: JournalEntry) =>
    one.kind === 'exchange' &&
    one['method'] === request.method &&
    String(one['path']).slice(0, 30) === begins
  const own = entries.find(isOwn)
  // Decisions with a reference number are about work in the background.
  const isOfCall = (one: JournalEntry) =>
    one.kind === 'decision' && one['referenceNumber'] === undefined
  const entry = own?.['refusal'] === undefined ? entries.find(isOfCall) : own
  const refusal = entry?.['refusal']
  if (typeof refusal !== 'string') return {}
  const details = textsIn(entry?.['details']) ?? textsIn(entry?.['explanation'])
  const isMisencrypted = entry?.['misencrypted'] === true
  return { refusal, ...(details && { details }), ...(isMisencrypted && { isMisencrypted }) }
}

/** Reference number that the service gave to a submission. */
export function referenceIn(operation: string | undefined, body: Uint8Array): string | undefined {
  if (operation !== 'invoices.submit') return undefined
  try {
    const { referenceNumber } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<
      string,
      unknown
    >
    return typeof referenceNumber === 'string' ? referenceNumber : undefined
  } catch {
    return undefined
  }
}
