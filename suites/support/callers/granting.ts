import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { CheckClock } from '../service/check-clock.ts'
import type { Details } from './grant-details.ts'
import { longest } from './grant-details.ts'
import { grantBy } from './grants.ts'
import type { Row } from '../answers/paged-lists.ts'
import type { ExpectedRow } from './permission-lists.ts'
import type { Target } from '../service/target.ts'

/** Grants, each of which a list must show as it was made. */

/** Time between two grants, ms, if the clock can be moved: one access token must last for all grants of a check. */
const step = 60_000

/** How far a start may be from its grant, ms, where the clock cannot be moved. */
const tolerance = 600_000

type Began = NonNullable<ExpectedRow['began']>

/** Does one thing after another, each at a different time where the clock can be moved, and returns when. */
export const inTurn =
  (clock: CheckClock, { management, now }: Target) =>
  async (act: () => Promise<unknown>): Promise<Began> => {
    const isTurned = management !== undefined
    if (isTurned) await clock.advance(step)
    const around = isTurned ? step / 2 : tolerance
    const from = now() - around
    await act()
    return [from, now() + around]
  }

type Grant = (
  by: { readonly api: Client },
  operation: Extract<OperationId, `permissions.grant${string}`>,
  body: Row,
  more?: { readonly details?: Details; readonly shown?: Row },
) => Promise<ExpectedRow>

/**
 * Makes grants one after another, each with its own description, details and start, and returns the row that a list
 * should show.
 */
export const granting = (clock: CheckClock, target: Target): Grant => {
  const next = inTurn(clock, target)
  let place = 0
  return async (by, operation, body, { details, shown } = {}) => {
    place += 1
    const description = longest(`reason number ${place} `, 256)
    const given = details && { subjectDetails: details.given }
    const began = await next(() => grantBy(by.api, operation, { ...body, description, ...given }))
    return { description, ...shown, ...details?.shown, began }
  }
}
