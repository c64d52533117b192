import { coveringArray } from '../../../generators/draw/covering.ts'
import type { Combination as CombinationOf, Facets } from '../../../generators/draw/covering.ts'
import type { InvoiceKind } from '../../../generators/invoice/invoice.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { awkwardly } from '../documents/awkward-documents.ts'
import { isNoLogin, logInSenders, senderFacets, sendsInSessionsOnly } from './combined-senders.ts'
import type { Sender, SenderName, SenderScene, Senders } from './combined-senders.ts'
import { declaredWays } from './declared-ways.ts'
import type { CheckFixtures } from '../harness/fixtures.ts'
import { formCodes } from '../checks/forms.ts'
import type { MadeInvoice } from '../documents/invoice-source.ts'
import { spoilt } from '../documents/malformed.ts'
import { wentWell } from '../judging/matchers.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { createRng } from '../../../lib/random.ts'
import { runOptions } from '../checks/run-options.ts'
import { noteMade } from '../run/own-work.ts'
import { listInvoices, only, packed, rowOfDocument, sendBatch } from '../steps/packages.ts'
import { boughtBy, identified } from '../documents/parties.ts'
import type { Identified } from '../documents/parties.ts'
import { outcomeOfInvoice, outcomeOfSending, recordOf } from '../steps/steps.ts'
import { withoutRates } from '../service/target.ts'
import { offeredWays, ways } from './ways-of-sending.ts'

/**
 * Invoices that are made and sent in combinations of facets, so that each two values of different facets meet: some
 * defects show only where two things come together.
 */

const day = 24 * 3_600_000

/** Days before today. */
const issued = { today: 0, 'days ago': 3, 'last year': 200 } as const

/** Of digits that are drawn. */
const numbers = {
  plain: (digits: string) => `C/${digits}`,
  'as long as can be': (digits: string) => `C-${digits}`.padEnd(256, 'żółć'),
  'in lower case': (digits: string) => `c${digits}/abc`,
  'with markup': (digits: string) => `C<${digits}>&"'%`,
} as const

/** The changes to a document that make up its spelling. */
const spellings = {
  'CR LF': ['layout'],
  references: ['values'],
  'comments and quotes': ['comments', 'quotes'],
  'prefix, no declaration': ['no declaration', 'prefix'],
} as const

const buyers = ['Nip', 'VatUe', 'Other', 'None'] as const

export const sendingFacets = {
  way: [...Object.keys(ways), ...Object.keys(declaredWays)],
  ...senderFacets,
  /**
   * What was sent before it: nothing, in a new session beside open ones; or documents in the session that the sender has
   * open, or the same package, the last of which was rejected or accepted.
   */
  before: ['nothing', 'a rejected document', 'an accepted document'],
} as const

export const documentFacets = {
  kind: ['VAT', 'ZAL', 'ROZ', 'UPR'],
  corrects: ['nothing before it', 'an invoice'],
  spelling: Object.keys(spellings) as (keyof typeof spellings)[],
  buyer: buyers,
  issued: Object.keys(issued) as (keyof typeof issued)[],
  number: Object.keys(numbers) as (keyof typeof numbers)[],
  currency: ['PLN', 'EUR', 'JPY'],
} as const

/** How a document is sent. */
export type Sending = CombinationOf<typeof sendingFacets>
/** How a document is made. */
type Making = CombinationOf<typeof documentFacets>
export type Combination = Sending & Making
type Unspelled = Omit<Making, 'spelling'> & Partial<Pick<Making, 'spelling'>>

export interface Document extends MadeInvoice {
  readonly buyer: Identified['identifier']
}

/** The name of every buyer. */
export const buyerName = 'Käufer 🧾 „Żółw”'

/** A document that was sent, and its outcome. */
export interface SentDocument {
  readonly outcome: WorkOutcome
  /** The status record, or the row of the list of the session; empty after an immediate refusal. */
  readonly record: Readonly<Record<string, unknown>>
  readonly session: string
}

/** An accepted one. */
export interface AcceptedDocument<Row extends Combination = Combination> extends SentDocument {
  readonly row: Row
  readonly what: string
  readonly made: Document
  readonly referenceNumber: string
  readonly svcNumber: string
}

export type Scene = SenderScene & Pick<CheckFixtures, 'invoice'>

/** The document in another spelling, which means the same. */
export const spelled = (bytes: Uint8Array, spelling: Making['spelling']): Uint8Array =>
  awkwardly(bytes, spellings[spelling])

/** Whether a kind of invoice does not exist. */
const isNoKind = ({ kind, corrects }: Partial<Making>): boolean =>
  kind === 'UPR' && corrects === 'an invoice'

/** The kind of invoice. */
export const kindOf = ({ kind, corrects }: Pick<Making, 'kind' | 'corrects'>): InvoiceKind => {
  const corrections = { VAT: 'KOR', ZAL: 'KOR_ZAL', ROZ: 'KOR_ROZ', UPR: 'UPR' } as const
  return corrects === 'an invoice' ? corrections[kind] : kind
}

/** The combination in words. */
export const told = (row: object): string => Object.values(row).join(', ')

/** Whether a way and a sender cannot be together. */
export const isUnspecified = (way: string | undefined, sender: SenderName | undefined): boolean =>
  way === 'no session' && sendsInSessionsOnly(sender)

/** Whether a way of sending is a package. */
export const isPackage = (way: string): boolean =>
  way === 'batch session' || way.includes('package')

/** What a document says that no facet decides, or otherwise than its facet does. */
interface Facts {
  readonly number: string
  readonly seller: string
  readonly issueDate: string
}

interface Turn {
  readonly row: Sending
  readonly api: Client
  /** The open session of the sender. */
  readonly open: () => Promise<OnlineSession>
  readonly bytes: Uint8Array
  /** What is sent before it. */
  readonly before: Uint8Array | undefined
}

const sendInSession = async ({ row, api, open, bytes, before }: Turn): Promise<SentDocument> => {
  const isNew = row.before === 'nothing'
  const session = isNew ? await openOnline(api, { formCode: formCodes.fa3 }) : await open()
  const desk = { api, session }
  if (before !== undefined) await outcomeOfInvoice(desk, before)
  const outcome =
    row.way === 'interactive session'
      ? await outcomeOfInvoice(desk, bytes)
      : only(await declaredWays[row.way]!(desk, bytes))
  return { outcome, record: recordOf(outcome), session: session.referenceNumber }
}

const sendInPackage = async ({ row, api, bytes, before }: Turn): Promise<SentDocument> => {
  const documents = before === undefined ? [bytes] : [before, bytes]
  const batch = await packed(documents.map((one) => ({ bytes: one })))
  const offlineMode = row.way !== 'batch session'
  const { referenceNumber } = await sendBatch(api, batch, offlineMode ? { offlineMode } : {})
  const record = await rowOfDocument(api, await listInvoices(api, referenceNumber), bytes)
  return { outcome: record, record, session: referenceNumber }
}

const sendAlone = async ({ api, bytes, before }: Turn): Promise<SentDocument> => {
  if (before !== undefined) await outcomeOfSending(api, before)
  const outcome = await outcomeOfSending(api, bytes)
  const record = recordOf(outcome)
  return { outcome, record, session: String(record['sessionReferenceNumber']) }
}

/** Makes and sends documents of one seller in combinations. */
export interface Bench {
  readonly senders: Senders
  /** Combinations of these facets, without those ways of sending that the target does not have. */
  readonly rows: <F extends Facets>(
    facets: F,
    isImpossible?: (some: Partial<CombinationOf<F>>) => boolean,
  ) => CombinationOf<F>[]
  /** A document of this combination that its sender may send. */
  readonly make: (
    row: Unspelled & Pick<Sender, 'sender' | 'tie'>,
    facts?: Partial<Facts>,
  ) => Document
  /** Sends a document in this combination, after what comes before it. */
  readonly send: (row: Sending, bytes: Uint8Array) => Promise<SentDocument>
  /**
   * Makes and sends a document of each combination.
   * @throws {Inconclusive} when one is not accepted
   */
  readonly accepted: <Row extends Combination>(
    rows: readonly Row[],
  ) => Promise<AcceptedDocument<Row>[]>
}

const waysOfTarget = <F extends Facets>(facets: F): F => {
  const had = new Set([...offeredWays().map(([name]) => name), ...Object.keys(declaredWays)])
  const isMissing = (value: string): boolean => Object.hasOwn(ways, value) && !had.has(value)
  return Object.fromEntries(
    Object.entries(facets).map(([name, values]) => [
      name,
      values.filter((value) => !isMissing(value)),
    ]),
  ) as unknown as F
}

/**
 * Logs in the senders of a seller, without rate limits where they can be switched off.
 * @param buyer the NIP of the buyer, where the buyer has one
 * @throws {Inconclusive} when one cannot log in
 */
export const createBench = async (scene: Scene, buyer = '5265877635'): Promise<Bench> => {
  const { invoice, rng, target } = scene
  await withoutRates(target)
  const senders = await logInSenders(scene)

  const sessions = new Map<Client, OnlineSession>()
  const open = async (api: Client): Promise<OnlineSession> => {
    const session = sessions.get(api) ?? (await openOnline(api, { formCode: formCodes.fa3 }))
    sessions.set(api, session)
    return session
  }

  const make: Bench['make'] = (row, facts) => {
    const number = numbers[row.number](rng.digits(10))
    const issueDate = isoDay(target.now() - issued[row.issued] * day)
    const made = invoice({ kind: kindOf(row), number, issueDate, buyer, lines: 1, ...facts })
    const bought = identified(buyer)[buyers.indexOf(row.buyer)]!
    const text = boughtBy(new TextDecoder().decode(made.bytes), bought, buyerName)
    const paid = text.replace(/<KodWaluty>\w+/, `<KodWaluty>${row.currency}`)
    const altered = senders.alter(row, new TextEncoder().encode(paid))
    const bytes = row.spelling === undefined ? altered : spelled(altered, row.spelling)
    return { ...made, bytes, buyer: bought.identifier }
  }

  const before = ({ way, before: what, ...who }: Sending): Uint8Array | undefined => {
    if (what === 'a rejected document') return spoilt
    // An open session has others already.
    if (what === 'nothing' || !isPackage(way)) return undefined
    return senders.alter(who, invoice({ lines: 1 }).bytes)
  }

  const send: Bench['send'] = (row, bytes) => {
    const api = senders.apiOf(row)
    const turn = { row, bytes, api, open: () => open(api), before: before(row) }
    if (isPackage(row.way)) return sendInPackage(turn)
    return row.way === 'no session' ? sendAlone(turn) : sendInSession(turn)
  }

  return {
    senders,
    make,
    send,
    rows: (facets, isImpossible = () => false) =>
      coveringArray(createRng(`${runOptions.seed} combinations`), waysOfTarget(facets), (some) => {
        const one = some as Partial<Combination>
        return (
          isUnspecified(one.way, one.sender) ||
          isNoLogin(one) ||
          isNoKind(one) ||
          isImpossible(some)
        )
      }),
    async accepted(rows) {
      const all = []
      for (const row of rows) {
        const made = make(row)
        const sent = await send(row, made.bytes)
        const what = told(row)
        if (!wentWell(sent.outcome))
          throw new Inconclusive(`have an invoice accepted: ${what}`, 'acceptance')
        const referenceNumber = String(sent.record['referenceNumber'])
        const svcNumber = String(sent.record['svcNumber'])
        noteMade(svcNumber)
        all.push({ ...sent, referenceNumber, svcNumber, row, what, made })
      }
      return all
    },
  }
}
