import type { TraceLine } from './line.ts'

/** The account of a run: what came of each invoice, by its own number. Nothing is concluded from totals. */

/** An invoice of the corpus. */
export interface PlannedInvoice {
  readonly number: string
  /** Base64 of the SHA-256 of the plain document. */
  readonly hash: string
  /** Session that it is sent to, from 0. */
  readonly session: number
}

/** An invoice as the service lists it in a session. */
export interface ListedInvoice {
  readonly number: string | undefined
  readonly hash: string | undefined
  readonly referenceNumber: string
  /** Number that the service gave it. */
  readonly svcNumber?: string | undefined
  /** Status code of its processing. */
  readonly status: number
}

/** A document as a receipt names it. */
export interface ReceiptedInvoice {
  readonly number: string
  readonly hash: string
}

/** Numbers of invoices, by what is wrong with them. Empty lists mean that all is well. */
export interface Account {
  readonly planned: number
  readonly sent: number
  readonly accepted: number
  /** Code or status of the refusal -> how many. */
  readonly refused: Readonly<Record<string, number>>
  /** Sent, and no answer came: the service may or may not have it. */
  readonly unknown: { readonly found: readonly string[]; readonly notFound: readonly string[] }
  /** Never sent: their arrival came too late, or the run ended before. */
  readonly notSent: readonly string[]
  /** Sent to a session that could not be read afterwards: the service may or may not have it. */
  readonly unread: readonly string[]
  /** Accepted, and in no session. */
  readonly lost: readonly string[]
  /** In the sessions more than once. */
  readonly doubled: readonly string[]
  /** In a session with the hash of another document. */
  readonly wrongHash: readonly string[]
  /** Accepted at first, then rejected by the processing. */
  readonly rejected: readonly string[]
  /** Refused or never sent, and in a session all the same. */
  readonly unexpected: readonly string[]
  /** Processed with success, and missing from the receipt or there with another hash. */
  readonly withoutReceipt: readonly string[]
}

export interface AccountInput {
  readonly planned: readonly PlannedInvoice[]
  readonly trace: readonly TraceLine[]
  readonly listed: readonly ListedInvoice[]
  /** Sessions whose invoices were listed completely. Of the others nothing is known. */
  readonly sessionsRead: ReadonlySet<number>
  /** The run was interrupted: calls under way may have reached the service without a line in the trace. */
  readonly endedEarly?: boolean
  /** Undefined where no receipt was read. */
  readonly receipted: readonly ReceiptedInvoice[] | undefined
}

type Outcome = 'accepted' | 'refused' | 'unknown' | 'notSent'

const isSubmission = (line: TraceLine): line is TraceLine & { t: 'call' } =>
  line.t === 'call' && line.op === 'invoices.submit'

/** Matches the trace, the lists of the service and the receipts, invoice by invoice. */
export function accountOf(input: AccountInput): Account {
  const { planned, trace, listed, receipted, endedEarly = false } = input
  const outcomes: Outcome[] = planned.map(() => 'notSent')
  const references = new Map<string, number>()
  const refused: Record<string, number> = {}
  let sent = 0
  for (const line of trace) {
    if (!isSubmission(line)) continue
    sent += 1
    outcomes[line.i] = line.status === 0 ? 'unknown' : isOk(line.status) ? 'accepted' : 'refused'
    if (line.ref !== undefined) references.set(line.ref, line.i)
    if (outcomes[line.i] === 'refused') {
      const code = String(line.code ?? line.status)
      refused[code] = (refused[code] ?? 0) + 1
    }
  }
  const records = recordsByInvoice(planned, listed, references)
  if (endedEarly) {
    const dropped = new Set(trace.flatMap((line) => (line.t === 'drop' ? [line.i] : [])))
    for (const [at, found] of records.entries())
      if (outcomes[at] === 'notSent' && found.length > 0 && !dropped.has(at)) {
        outcomes[at] = 'unknown'
        sent += 1
      }
  }
  return {
    planned: planned.length,
    sent,
    accepted: outcomes.filter((outcome) => outcome === 'accepted').length,
    refused,
    ...compare(input, outcomes, records, receipted),
  }
}

/** The account of a batch: every invoice of an uploaded package counts as accepted. */
export function batchAccountOf(input: Omit<AccountInput, 'trace'>): Account {
  const outcomes = input.planned.map((): Outcome => 'accepted')
  const records = recordsByInvoice(input.planned, input.listed, new Map())
  return {
    planned: input.planned.length,
    sent: input.planned.length,
    accepted: input.planned.length,
    refused: {},
    ...compare(input, outcomes, records, input.receipted),
  }
}

const isOk = (status: number): boolean => status >= 200 && status < 300

/** The records of each invoice: by its reference where it has one, else by its number, else by its hash. */
function recordsByInvoice(
  planned: readonly PlannedInvoice[],
  listed: readonly ListedInvoice[],
  references: ReadonlyMap<string, number>,
): readonly (readonly ListedInvoice[])[] {
  const byNumber = new Map(planned.map(({ number }, at) => [number, at]))
  const byHash = new Map(planned.map(({ hash }, at) => [hash, at]))
  const records: ListedInvoice[][] = planned.map(() => [])
  for (const record of listed) {
    const at =
      references.get(record.referenceNumber) ??
      byNumber.get(record.number ?? '') ??
      byHash.get(record.hash ?? '')
    if (at !== undefined) records[at]?.push(record)
  }
  return records
}

function compare(
  { planned, sessionsRead }: Pick<AccountInput, 'planned' | 'sessionsRead'>,
  outcomes: readonly Outcome[],
  records: readonly (readonly ListedInvoice[])[],
  receipted: readonly ReceiptedInvoice[] | undefined,
): Omit<Account, 'planned' | 'sent' | 'accepted' | 'refused'> {
  const receipts = new Map(receipted?.map(({ number, hash }) => [number, hash]))
  const numbersWhere = (
    holds: (outcome: Outcome | undefined, found: readonly ListedInvoice[], at: number) => boolean,
  ): readonly string[] =>
    planned
      .filter((_, at) => holds(outcomes[at], records[at] ?? [], at))
      .map(({ number }) => number)
  // Where an invoice is nowhere to be found, its session must have been read for that to mean anything.
  const missing = (found: readonly ListedInvoice[], at: number) =>
    found.length === 0 && sessionsRead.has(planned[at]?.session ?? -1)
  const succeeded = (found: readonly ListedInvoice[]) => found.some(({ status }) => status === 200)
  return {
    unknown: {
      found: numbersWhere((outcome, found) => outcome === 'unknown' && found.length > 0),
      notFound: numbersWhere((outcome, found, at) => outcome === 'unknown' && missing(found, at)),
    },
    notSent: numbersWhere((outcome) => outcome === 'notSent'),
    unread: numbersWhere(
      (outcome, found, at) =>
        (outcome === 'accepted' || outcome === 'unknown') &&
        found.length === 0 &&
        !missing(found, at),
    ),
    lost: numbersWhere((outcome, found, at) => outcome === 'accepted' && missing(found, at)),
    doubled: numbersWhere((_, found) => found.length > 1),
    wrongHash: numbersWhere((_, found, at) =>
      found.some(({ hash }) => hash !== undefined && hash !== planned[at]?.hash),
    ),
    rejected: numbersWhere(
      (outcome, found) => outcome === 'accepted' && found.length > 0 && !succeeded(found),
    ),
    unexpected: numbersWhere(
      (outcome, found) => (outcome === 'refused' || outcome === 'notSent') && found.length > 0,
    ),
    withoutReceipt:
      receipted === undefined
        ? []
        : numbersWhere(
            (_, found, at) =>
              succeeded(found) && receipts.get(planned[at]?.number ?? '') !== planned[at]?.hash,
          ),
  }
}
