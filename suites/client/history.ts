import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'

/**
 * What a client did, as evidence. The judge reads this and nothing else, so that the journal of the reference, a
 * recording of a proxy and a HAR file get the same verdicts where they show the same. Times are milliseconds from
 * the start of the history; secrets are redacted before a step is made.
 */

/** What kind of token a call carried. `unknown`: one whose issue the history does not show. */
export type BearerKind = 'none' | 'authentication' | 'access' | 'refresh' | 'unknown'

/**
 * How a call ended for the client: `ok` a success (2xx), `fail` a refusal or an error that arrived whole, `unknown`
 * no complete answer, so that the client cannot know whether the service acted.
 */
export type Outcome = 'ok' | 'fail' | 'unknown'

/** One document as an answer described it to the client. */
export interface Sighting {
  /** Reference number of the document in its session. */
  readonly reference?: string | undefined
  readonly session?: string | undefined
  /** SHA-256 of the plain document, Base64. */
  readonly hash?: string | undefined
  /** Invoice number of the seller. */
  readonly number?: string | undefined
  readonly svcNumber?: string | undefined
  /** The service number of the first issue, reported with a duplicate. */
  readonly originalSvcNumber?: string | undefined
  readonly code?: number | undefined
}

/** One call of the client and what came back. */
export interface Step {
  /** From 1, in the order of arrival. */
  readonly n: number
  /** Which start of the client made it, from 1. */
  readonly run: number
  readonly operation: OperationId | undefined
  readonly method: string
  /** Redacted. */
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  /** When the request arrived, and when its answer was delivered or broken off. */
  readonly at: number
  readonly ended: number
  readonly bearer: BearerKind
  /** A short digest, so that two calls with the same token can be recognized. */
  readonly bearerId?: string | undefined
  /** Secrets in places where they do not belong, each described in words. */
  readonly misplaced: readonly string[]
  readonly outcome: Outcome
  /** The status that the client received, where it received one. */
  readonly status?: number | undefined
  /** Seconds of Retry-After that the client received. */
  readonly retryAfter?: number | undefined
  /** Error or lifecycle code in the body that the client received. */
  readonly code?: number | undefined
  /** What the conditions of the examination did to this call, in words. */
  readonly fault?: string | undefined
  /** The service carried the call out; undefined where the evidence does not show it. */
  readonly committed?: boolean | undefined
  /** Why the service itself refused, id of a refusal and explanations; only the journal shows them. */
  readonly refusal?: string | undefined
  /** The refused key or token was encrypted for the right certificate, in a wrong way; only the journal shows it. */
  readonly isMisencrypted?: boolean | undefined
  readonly details?: readonly string[] | undefined
  /** How a request that was refused differs from what the interface describes. */
  readonly malformed?: string | undefined
  /** Submissions: SHA-256 of the plain document as declared, Base64. */
  readonly hash?: string | undefined
  /** Submissions: the invoice number, where the evidence decrypts. */
  readonly number?: string | undefined
  /** The session that the call is about. */
  readonly session?: string | undefined
  /** What a receipt is about: the reference or service number of the document, or the session. */
  readonly receiptOf?: string | undefined
  readonly sightings: readonly Sighting[]
  /** Service numbers on a page of a metadata query. */
  readonly listed?: readonly string[] | undefined
  /** Other facts of request and answer, by name, redacted. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** What happened beside the calls. */
export interface HistoryEvent {
  readonly at: number
  readonly kind:
    | 'client-started'
    | 'client-ended'
    | 'client-killed'
    | 'keys-rotated'
    | 'login-revoked'
    | 'session-closed'
    | 'token-revoked'
    | 'permission-withdrawn'
    | 'permission-restored'
    | 'arrival'
  readonly words: string
  /** For example the usage of the rotated key. */
  readonly subject?: string | undefined
}

/** Describes the end of a client that had to be stopped. */
export const notInTime = 'it did not end in time'

/** What ought to become of a document that the task names. */
export type Expectation = 'accepted' | 'rejected' | 'duplicate' | 'either'

export interface TaskDocument {
  readonly id: string
  readonly hash: string
  readonly number: string
  readonly expect: Expectation
  /** For a duplicate: the service number of its first issue. */
  readonly svcNumber?: string | undefined
}

/** What the client was asked to do. */
export interface TaskFacts {
  readonly documents: readonly TaskDocument[]
  /** Service numbers that the client was to receive. */
  readonly toReceive?: readonly string[] | undefined
}

/** What the client wrote about one document. */
export interface Belief {
  readonly document: string
  readonly outcome: 'accepted' | 'rejected' | 'unknown'
  readonly number?: string | undefined
}

/** What the service holds at the end about one document that reached it. */
export interface Held {
  readonly hash: string
  readonly number?: string | undefined
  readonly svcNumber?: string | undefined
  readonly session?: string | undefined
  readonly reference?: string | undefined
  readonly code: number
  /** Why it was rejected. */
  readonly reason?: string | undefined
}

export interface History {
  readonly source: 'journal' | 'recording' | 'har'
  /** Unix milliseconds of the service's clock at time 0, where it is known. */
  readonly epoch?: number | undefined
  /** Name of the environment, where it is known. */
  readonly environment?: string | undefined
  readonly steps: readonly Step[]
  readonly events: readonly HistoryEvent[]
  readonly task?: TaskFacts | undefined
  /** Undefined: the client wrote none. */
  readonly beliefs?: readonly Belief[] | undefined
  /** Everything that the service holds; undefined where only the answers show what became of a document. */
  readonly held?: readonly Held[] | undefined
  /** The rule under which a document that came to harm is recorded: what the conditions put to the test. */
  readonly blames?: RuleId | undefined
  readonly variant?: string | undefined
  /** The limits in force are not those of the table; a client knows them when it has read them. */
  readonly simulatedLimits?: boolean | undefined
  /** Connections were refused for this many milliseconds from the start. */
  readonly listensAfterMs?: number | undefined
}
