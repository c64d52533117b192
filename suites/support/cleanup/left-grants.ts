import type { OperationId } from '../../../contract/endpoints.ts'
import { stateOf } from '../../../contract/lifecycles.ts'
import { bearerOf, sentBody, succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { granted } from '../callers/grants.ts'
import type { TidyingHand } from './tidying-hand.ts'

/** The grants that a check made: the answer to a grant has no id that revokes, so the list of the grantor is asked. */

interface GrantorList {
  readonly operation: OperationId
  readonly field: string
  readonly body: unknown
  readonly revokedBy: OperationId
}

const persons: GrantorList = {
  operation: 'permissions.queryPersons',
  field: 'permissions',
  body: granted,
  revokedBy: 'permissions.revoke',
}
const eu: GrantorList = { ...persons, operation: 'permissions.queryEu', body: {} }

type GrantId = Extract<OperationId, `permissions.grant${string}`>

/** Where the grantor sees what an operation granted. */
const lists: Readonly<Record<GrantId, GrantorList>> = {
  'permissions.grantPerson': persons,
  // The list of persons names entities too; that of entities shows what was granted to the caller.
  'permissions.grantEntity': persons,
  'permissions.grantIndirect': persons,
  'permissions.grantSubunit': { ...persons, operation: 'permissions.querySubunits', body: {} },
  'permissions.grantAuthorization': {
    operation: 'permissions.queryAuthorizations',
    field: 'authorizationGrants',
    body: { queryType: 'Granted' },
    revokedBy: 'permissions.revokeAuthorization',
  },
  'permissions.grantEuAdministration': eu,
  'permissions.grantEu': eu,
}

const isGrant = (operation: OperationId | undefined): operation is GrantId =>
  operation !== undefined && operation in lists

const listFor = ({ operation }: Exchange): GrantorList | undefined =>
  isGrant(operation) ? lists[operation] : undefined

/** What a grant stated that its row in a list repeats. */
interface Grant {
  readonly description: string
  readonly holder: string
}

type Row = Readonly<Record<string, unknown>>

const valueOf = (identifier: unknown): string | undefined => {
  const value =
    typeof identifier === 'string' ? identifier : (identifier as Row | undefined)?.['value']
  return typeof value === 'string' ? value.toUpperCase() : undefined
}

/** What a grant stated, where the grantor can find it again; undefined for any other call. */
export const grantOf = (made: Exchange): Grant | undefined => {
  if (listFor(made) === undefined) return undefined
  const { description, subjectIdentifier } = sentBody(made)
  const holder = valueOf(subjectIdentifier)
  return typeof description === 'string' && holder !== undefined
    ? { description, holder }
    : undefined
}

/** How far the clocks of service and tester may be apart, ms: the preflight accepts no more. */
const tolerance = 600_000

/** Whether a row belongs to this grant: if users work in the context too, nothing else in it may be revoked. */
const isOf = (row: Row, { description, holder }: Grant, made: Exchange): boolean =>
  row['description'] === description &&
  Date.parse(String(row['startDate'])) >= made.startedAt - tolerance &&
  [
    row['authorizedIdentifier'],
    row['authorizedEntityIdentifier'],
    row['authorizedFingerprintIdentifier'],
  ].some((identifier) => valueOf(identifier) === holder)

type End = 'success' | 'failure'

/** How the operation of a grant ended, by one of its statuses; undefined where none shows an end. */
const endIn = (made: Exchange, exchanges: readonly Exchange[]): End | undefined => {
  const path = `/${referenceOf(made)}`
  for (const { operation, request, body } of exchanges) {
    const code = statusOf(body)?.code
    if (operation !== 'operations.status' || !request.url.endsWith(path)) continue
    const outcome = code === undefined ? undefined : stateOf('operation', code)?.outcome
    if (outcome === 'success' || outcome === 'failure') return outcome
  }
  return undefined
}

const referenceOf = ({ body }: Exchange): string => String((Object(body) as Row)['referenceNumber'])

/** Looks at the status of an operation that is still in the works, and milliseconds between two. */
const looks = { most: 5, everyMs: 300 } as const

/** Waits for the end of a grant that the check did not wait for: no list shows it before. */
const awaitEnd = async (
  made: Exchange,
  exchanges: readonly Exchange[],
  hand: TidyingHand,
): Promise<End | undefined> => {
  let end = endIn(made, exchanges)
  for (let look = 0; end === undefined && look < looks.most; look += 1) {
    if (look > 0) await hand.pause(looks.everyMs)
    const path = { referenceNumber: referenceOf(made) }
    const answer = await hand.call(made, 'operations.status', { path })
    if (answer === undefined) return undefined
    end = endIn(made, [answer])
  }
  return end
}

/** What became of a grant: it is revoked now, it was before, or it is still there. */
export interface LeftGrant {
  readonly made: Exchange
  readonly state: 'revoked' | 'gone' | 'left'
}

const rowsFor = async (
  made: Exchange,
  { operation, field, body }: GrantorList,
  hand: TidyingHand,
): Promise<readonly Row[] | undefined> => {
  const answer = await hand.call(made, operation, {
    query: { pageSize: 100 },
    body,
  })
  const rows = (answer?.body as Row | null | undefined)?.[field]
  return answer !== undefined && succeeded(answer) && Array.isArray(rows)
    ? (rows as readonly Row[])
    : undefined
}

/** Revokes what the lists of the grantors still show of the grants of a check. */
export const revokeGrants = async (
  grants: readonly Exchange[],
  exchanges: readonly Exchange[],
  hand: TidyingHand,
): Promise<readonly LeftGrant[]> => {
  const known = new Map<string, Promise<readonly Row[] | undefined>>()
  const revokedIds = new Map<string, boolean>()
  const outcomes: LeftGrant[] = []
  const ends = new Map<Exchange, End | undefined>()
  for (const made of grants) ends.set(made, await awaitEnd(made, exchanges, hand))
  // The last one first: whoever was granted something could then grant the next, and may no longer see that without it.
  for (const made of grants.toReversed()) {
    const [list, grant] = [listFor(made), grantOf(made)]
    if (list === undefined || grant === undefined) continue
    const key = `${list.operation} ${bearerOf(made.request)}`
    const asked = known.get(key) ?? rowsFor(made, list, hand)
    known.set(key, asked)
    const rows = await asked
    const own = (rows ?? []).filter((row) => isOf(row, grant, made))
    const hasRevoked = exchanges.some((one) => one.operation === list.revokedBy && succeeded(one))
    if (own.length === 0) {
      // A grant that no list shows may still be in the works, unless the check itself has revoked some.
      const isGone = ends.get(made) === 'failure' || (rows !== undefined && hasRevoked)
      outcomes.push({ made, state: isGone ? 'gone' : 'left' })
      continue
    }
    for (const row of own) {
      const permissionId = String(row['id'])
      if (revokedIds.has(permissionId)) continue
      const answer = await hand.call(made, list.revokedBy, {
        path: { permissionId },
      })
      revokedIds.set(permissionId, answer !== undefined && succeeded(answer))
    }
    const all = own.every((row) => revokedIds.get(String(row['id'])) === true)
    outcomes.push({ made, state: all ? 'revoked' : 'left' })
  }
  return outcomes
}
