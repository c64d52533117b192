/** What Node hands to k6: everything that needs signing, generating or encrypting is done before. */
export interface Plan {
  readonly scenario: string
  readonly profile: string
  /** With the version prefix. */
  readonly baseUrl: string
  readonly dialect: string
  readonly refreshToken: string
  /** Body that opens the session, in the words of the dialect. */
  readonly open: string
  /** File of ready submission bodies, one after the other. */
  readonly bodies: string
  /** Where each body begins, and after the last one where it ends; bytes. */
  readonly offsets: readonly number[]
  /** Submissions per `per`. */
  readonly rate: number
  readonly per: '1s' | '1m' | '1h'
  readonly seconds: number
  /** Virtual users that may wait for an answer at the same time. */
  readonly users: number
  /** Milliseconds between two looks at a status, and how many looks. */
  readonly pollEveryMs: number
  readonly polls: number
  readonly thresholds: Readonly<Record<string, readonly string[]>>
  /** File for the result. */
  readonly result: string
}

/** What k6 measured. Latencies in milliseconds. */
export interface Measured {
  readonly requests: number
  readonly accepted: number
  /** Code of the refusal -> how many. */
  readonly refused: Readonly<Record<string, number>>
  /** Submissions whose answer never came. */
  readonly unanswered: number
  /** Arrivals that found no free virtual user. */
  readonly dropped: number
  readonly latencyMs: Latency
  readonly fromIntendedStart: Latency
  /** How late submissions left, against their intended start. */
  readonly lagMs: Latency
  /** Seconds from the opening to the end of the processing. */
  readonly seconds: number
  /** As the closed session says. */
  readonly session: {
    readonly status: number
    readonly invoices: number
    readonly succeeded: number
    readonly failed: number
  }
  /** Whether the aggregate receipt was served, and how many documents it names. */
  readonly receipt: { readonly pages: number; readonly documents: number }
  readonly crossed: readonly string[]
}

export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}
