import type { OperationsOf } from '../../../../contract/endpoints.ts'
import type { Area } from '../../../../contract/types.ts'
import type { Client } from '../../../../lib/client.ts'
import type { CallOptions } from '../../../../lib/request.ts'
import type { Stage } from '../../callers/stage.ts'

/** A call that succeeds. */
export interface ReadyCall extends CallOptions {
  /** The absolute address that an answer gave, where the operation has one. */
  readonly address?: string
  /** Makes the call instead of the stage's caller. */
  readonly by?: Client
}

/** The calls of an area. */
export type CallsOf<A extends Area> = Readonly<
  Record<OperationsOf<A>, (stage: Stage) => Promise<ReadyCall>>
>

/** A call that needs nothing. */
export const nothing = () => Promise.resolve({})

/** A search without filters. */
export const unfiltered = () => Promise.resolve({ body: {} })
