import type { OperationId } from '../../contract/endpoints.ts'
import type { PartUpload } from '../../lib/flows/batch.ts'

/** What a probe works with. k6 runs it against a target; a test runs it against a limiter, in virtual time. */

/** A call that can be made any number of times. */
export type ProbeCall =
  | {
      readonly operation: OperationId
      readonly path?: Readonly<Record<string, string>>
      readonly query?: Readonly<Record<string, string | number>>
      /** In the contract's words. */
      readonly body?: unknown
    }
  | { readonly upload: PartUpload; readonly base64: string }

/** The answer to one call; times are Unix milliseconds of the target's clock. */
export interface Answer {
  readonly begun: number
  readonly ended: number
  /** 0 when no answer came. */
  readonly status: number
  /** Whole seconds of `Retry-After`; undefined when the header is missing or malformed. */
  readonly retryAfter: number | undefined
}

export interface Bench {
  /** The clock can be set: waits take no time, and simultaneous calls share one instant. */
  readonly virtual: boolean
  /** Unix milliseconds of the target's clock. */
  now(): number
  /** Waits until the target's clock shows an instant. */
  until(instant: number): Promise<void>
  /** Simultaneous calls. */
  burst(call: ProbeCall, count: number): Promise<readonly Answer[]>
}

/** Milliseconds that calls may arrive closer to each other than they left. */
export const marginOf = ({ virtual }: Bench): number => (virtual ? 1 : 100)

export const isLimited = ({ status }: Answer): boolean => status === 429

export const countLimited = (answers: readonly Answer[]): number => answers.filter(isLimited).length

/** When the last of these answers had arrived. */
export const endOf = (answers: readonly Answer[]): number =>
  Math.max(...answers.map(({ ended }) => ended))
