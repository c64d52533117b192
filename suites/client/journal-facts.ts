import type { Journal } from '../../reference/model/journal.ts'

/** What only the service itself knows of a call: its own reasons, whatever reached the client. */

/** The refusal and its details in the entry of the journal for a call. */
export function verdictIn(
  journal: Journal,
  request: Request,
): { refusal?: string; details?: readonly string[] } {
  const { pathname, search } = new URL(request.url)
  const entry = journal
    .after(Math.max(0, journal.last() - 12))
    .findLast(
      (one) =>
        one.kind === 'exchange' &&
        one['method'] === request.method &&
        String(one['path']).slice(0, 30) === `${pathname}${search}`.slice(0, 30),
    )
  const refusal = entry?.['refusal']
  const details = entry?.['details']
  return {
    ...(typeof refusal === 'string' && { refusal }),
    ...(Array.isArray(details) && { details: details.map(String) }),
  }
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
