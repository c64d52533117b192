import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import type { Conduct } from './conduct.ts'
import type { Store } from './store.ts'
import type { TaskDocument } from './task.ts'

/** The outbox: where each document stands, on the disk before the next step is taken. */

export type DocumentState =
  /** Not sent, or known not to have arrived. */
  | { readonly at: 'new'; readonly underAnotherNumber?: true }
  /** Being sent: whether it arrived is not known until an answer comes, or somebody looks. */
  | { readonly at: 'sending'; readonly session: string }
  /** Taken in by the service; it processes it. */
  | { readonly at: 'sent'; readonly session: string; readonly reference: string }
  | {
      readonly at: 'accepted'
      readonly session: string
      readonly reference: string
      readonly svcNumber: string | undefined
      readonly receipt: boolean
    }
  | { readonly at: 'rejected'; readonly reason: string }

export interface OutboxDocument {
  readonly id: string
  readonly number: string
  readonly issueDate: string
  readonly xml: Uint8Array
  /** SHA-256 of the XML, Base64: by it the service's lists name the document. */
  readonly hash: string
}

export interface Outbox {
  readonly documents: readonly OutboxDocument[]
  stateOf(document: OutboxDocument): DocumentState
  move(document: OutboxDocument, state: DocumentState): void
  /** Documents in one of these states. */
  waiting(...at: readonly DocumentState['at'][]): OutboxDocument[]
  /** Whether a document is left whose outcome is not known, or whose receipt is missing. */
  isUnfinished(): boolean
  /** Writes what is believed of every document. */
  report(): void
}

export function createOutbox(
  store: Store,
  tasks: readonly TaskDocument[],
  beliefs: string,
  { remembers, recordedNumber }: Pick<Conduct, 'remembers' | 'recordedNumber'>,
): Outbox {
  const documents = tasks.map(({ id, file, number, issueDate }) => {
    const xml = new Uint8Array(readFileSync(file))
    return { id, number, issueDate, xml, hash: createHash('sha256').update(xml).digest('base64') }
  })
  const forgotten = new Map<string, DocumentState>()
  const key = ({ id }: OutboxDocument) => `document ${id}`
  const stateOf = (document: OutboxDocument): DocumentState =>
    ((remembers ? store.get(key(document)) : forgotten.get(key(document))) as
      | DocumentState
      | undefined) ?? { at: 'new' }
  return {
    documents,
    stateOf,
    move(document, state) {
      if (remembers) store.put(key(document), state)
      else forgotten.set(key(document), state)
    },
    waiting: (...at) => documents.filter((document) => at.includes(stateOf(document).at)),
    isUnfinished: () =>
      documents
        .map(stateOf)
        .some((state) => state.at !== 'rejected' && !('receipt' in state && state.receipt)),
    report() {
      const numbers = documents.map((document) => {
        const state = stateOf(document)
        return state.at === 'accepted' ? state.svcNumber : undefined
      })
      const lines = documents.map((document, place) => {
        const { at } = stateOf(document)
        const outcome = at === 'accepted' || at === 'rejected' ? at : 'unknown'
        const number = recordedNumber(numbers[place], numbers.slice(0, place))
        return `${JSON.stringify({ document: document.id, outcome, number })}\n`
      })
      appendFileSync(beliefs, lines.join(''))
    },
  }
}
