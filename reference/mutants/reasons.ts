import type { OperationId } from '../../contract/endpoints.ts'
import type { Lifecycle } from '../../contract/types.ts'
import { reached } from '../base/wording.ts'
import type { Mutant } from './mutant.ts'
import { records } from './rewrite.ts'

/** Work that failed is described as if it stood elsewhere in its lifecycle; its code is right. */
export const describedAs = (
  at: readonly OperationId[],
  lifecycle: Lifecycle,
  code: number,
  list = 'none',
): Mutant =>
  records<{ readonly status: { readonly code: number } }>(at, list, ({ status }) =>
    status.code > 299
      ? { status: { ...status, description: reached(lifecycle, code).description } }
      : {},
  )
