/** What Node hands to k6: everything that needs signing, generating or encrypting is done before. */

interface Assigned {
  readonly profile: string
  /** With the version prefix. */
  readonly baseUrl: string
  readonly dialect: string
  readonly refreshToken: string
  /** Virtual users that may wait for an answer at the same time. */
  readonly users: number
  /** How many iterations there are in all, and the longest that the run may take. */
  readonly iterations: number
  readonly maximumSeconds: number
  /** Milliseconds between two looks at a status, and how many looks. */
  readonly pollEveryMs: number
  readonly polls: number
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

export type Assignment = OnlineAssignment | BatchAssignment

/** A record of the index: four little-endian 64-bit floats. */
export const recordBytes = 32

/** Milliseconds an arrival may be late; a later one is dropped and counted, not sent into a queue. */
export const maximumLatenessMs = 3000
