import type { Consent } from '../lib/consent.ts'
import type { Job } from './probes/job.ts'

/** What Node hands to k6: everything that needs signing, generating or encrypting is done before. */

/** The service, and how to call it. */
export interface Addressed {
  /** With the version prefix. */
  readonly baseUrl: string
  readonly dialect: string
  /** Milliseconds between two polls of a status, and the maximum number of polls. */
  readonly pollEveryMs: number
  readonly polls: number
  /** Milliseconds for a whole exchange; 60,000 when absent. */
  readonly timeoutMs?: number
  /** What the operator agreed to, where load needs it. */
  readonly consent?: Consent
}

/** What must stay secret. */
export interface Secrets {
  /** One context's for all segments, or one for each segment. */
  readonly refreshTokens: readonly string[]
  /** Sent with every request to the service, for example for a gateway. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What the profile of a target adds to every request. */
export type Reach = Pick<Addressed, 'timeoutMs' | 'consent'> & Pick<Secrets, 'headers'>

/** A login that was made before, and the context that it is for. */
export interface AssignedLogin {
  readonly refreshToken: string
  /** For example `Nip 5265877635`. */
  readonly context: string
}

interface Assigned extends Addressed, Secrets {
  readonly profile: string
  /** Of each refresh token, for example `Nip 5265877635`. */
  readonly contexts: readonly string[]
  /** k6 processes that share the load. */
  readonly segments: number
  /** Unix milliseconds at which the schedule begins; if absent or in the past, when k6 is ready. */
  readonly startAt?: number
  /** Virtual users that may wait for an answer at the same time, in all segments together. */
  readonly users: number
  /** How many iterations there are in all, and the longest that the run may take. */
  readonly iterations: number
  readonly maximumSeconds: number
  /** Thresholds at which k6 ends the run early, by metric. */
  readonly abortOn: Readonly<Record<string, string>>
}

/** Invoices one by one into interactive sessions. */
export interface OnlineAssignment extends Assigned {
  readonly scenario: 'session-throughput'
  /** Bodies that open the sessions, in the words of the dialect. */
  readonly opens: readonly string[]
  /** File of ready submission bodies, one after the other. */
  readonly bodies: string
  /** File of one record for each invoice: when it is due, where its body is, which session it goes to. */
  readonly index: string
}

/** A package in parts for each batch session. */
export interface BatchAssignment extends Assigned {
  readonly scenario: 'batch-upload'
  readonly packages: readonly {
    readonly open: string
    /** Files of the encrypted parts, in order. */
    readonly parts: readonly string[]
  }[]
  /** Packages that are under way at the same time. */
  readonly parallel: number
}

/** Invoices that were issued before the run. */
export interface IssuedInvoices {
  readonly session: string
  /** ISO instants around their issue. */
  readonly from: string
  readonly to: string
  readonly invoices: readonly {
    readonly referenceNumber: string
    readonly number: string
    readonly svcNumber: string
    readonly hash: string
  }[]
}

export const taskScenarios = [
  'poll-status',
  'metadata-sync',
  'export',
  'receipts',
  'login-storm',
  'mixed-day',
] as const

/** Tasks that use what was issued before, each at its own moment of a schedule. */
export interface TaskAssignment extends Assigned {
  readonly scenario: (typeof taskScenarios)[number]
  readonly due: readonly number[]
  readonly issued: IssuedInvoices
  /** A login by service token; absent where the context has none. */
  readonly login?: {
    readonly context: { readonly type: 'Nip'; readonly value: string }
    readonly token: string
  }
}

/** Probes of the rate limits. */
export interface ProbeAssignment extends Addressed, Pick<Secrets, 'headers'> {
  readonly scenario: 'limit-edge' | 'limit-identify' | 'limit-pace'
  /** The target's clock: it stands still at `start` and can be set, or it is ahead of this machine's. */
  readonly clock:
    | { readonly management: string; readonly start: number }
    | { readonly offsetMs: number }
  /** Each virtual user carries out one lane, job after job; all lanes start together. */
  readonly lanes: readonly (readonly AssignedJob[])[]
  readonly maximumSeconds: number
}

/** A probe with the login of the context that it is carried out for. */
export interface AssignedJob extends Job, AssignedLogin {
  /** Milliseconds without a call before it, for example because the context was used before. */
  readonly pauseMs: number
  /** Of a job of the scenario `limit-pace`. */
  readonly seconds?: number
  readonly marginMs?: number
}

export type Assignment = OnlineAssignment | BatchAssignment | TaskAssignment | ProbeAssignment

/** A record of the index: four little-endian 64-bit floats. */
export const recordBytes = 32

/** Milliseconds an arrival may be late; a later one is dropped and counted, not sent into a queue. */
export const maximumLatenessMs = 3000

/** Tells the scripts that nothing reads the metrics of k6: the trace says the same, and taking them costs time. */
export const withoutMetrics = { ASSAY_METRICS: 'none' } as const
