import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { readError } from '../../../lib/errors.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { drawReferenceLike } from '../../../lib/identifiers/reference-number.ts'
import type { Rng } from '../../../lib/random.ts'
import { perform } from './calls.ts'
import type { ReadyCall } from './calls/ready-call.ts'
import { foreignRuleOf } from './foreign.ts'
import { absentPath } from '../steps/harmless.ts'
import { expect } from '../judging/matchers.ts'

/** What another context owns is invisible: its refusal says what that of a resource says which does not exist. */

/** Rules by which a resource of another context is invisible; by others it may also be forbidden. */
const invisible: ReadonlySet<RuleId> = new Set<RuleId>([
  'sessions.online.isolated',
  'exports.isolated',
  'operations.status.isolated',
])

/** Number of answers that are compared before their words count as fixed. */
const lookCount = 8

/** What a refusal states, without the references that the caller sent itself. */
const stated = (
  { status, headers, body }: Exchange,
  { path = {} }: ReadyCall,
  dialect: Client['dialect'],
): string => {
  const media = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const said = JSON.stringify(readError({ status, headers, body }, dialect)?.all)
  const text = Object.values(path).reduce((rest, value) => rest.replaceAll(value, '...'), said)
  return `${status} ${media} ${text}`
}

/** The call for a resource of the same kind that does not exist. */
export const unknownOf = (operation: OperationId, call: ReadyCall, rng: Rng): ReadyCall => {
  const absent = absentPath(operation)
  const path = Object.entries({ ...absent, ...call.path }).map(([name, value]) => [
    name,
    drawReferenceLike(rng, value) ?? absent[name] ?? value,
  ])
  // A call to an address has nothing else that this one, by its path, could need.
  return { ...(call.address === undefined && call), path: Object.fromEntries(path) }
}

/**
 * Expects that the refusal of a foreign resource states what the refusal of an unknown one does. A service may word each
 * refusal anew: answers differ only when neither text ever changes and the two are never the same.
 */
export const expectSaidAsUnknown = async (
  api: Client,
  operation: OperationId,
  call: ReadyCall,
  { rng, first }: { readonly rng: Rng; readonly first: Exchange },
): Promise<void> => {
  const unknown = unknownOf(operation, call, rng)
  const [ofForeign, ofUnknown] = [new Set<string>(), new Set<string>()]
  for (let look = 0; look < lookCount; look += 1) {
    const foreign = look === 0 ? first : await perform(api, operation, call)
    ofForeign.add(stated(foreign, call, api.dialect))
    ofUnknown.add(stated(await perform(api, operation, unknown), unknown, api.dialect))
    const isSame = [...ofForeign].some((text) => ofUnknown.has(text))
    if (isSame || ofForeign.size > 1 || ofUnknown.size > 1) return
  }
  const what = `${operation} of a foreign resource, compared with an unknown one`
  expect.soft([...ofForeign], what).toEqual([...ofUnknown])
}

/** The same of every resource that is invisible to other contexts. */
export const expectAsUnknown: typeof expectSaidAsUnknown = async (api, operation, ...more) => {
  if (invisible.has(foreignRuleOf(operation))) await expectSaidAsUnknown(api, operation, ...more)
}
