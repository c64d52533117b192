import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { Inconclusive, expectOk } from '../../../lib/outcome.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { outcomeOfOperation, revoke } from './grants.ts'
import type { Me } from '../service/contexts.ts'
import { ways } from './holdings.ts'
import type { Holder, HoldingScene, Way } from './holdings.ts'
import { expect } from '../judging/matchers.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { inShort, listOf } from './permission-lists.ts'

/** Permissions that are granted in some way, found in the list of the grantor, and taken back. */

const isImmediate = (outcome: WorkOutcome): outcome is Exchange => 'request' in outcome

/** Expects that a grant succeeds. */
export const expectGiven = async (
  holder: Holder,
  permissions: readonly string[],
): Promise<void> => {
  const outcome = await holder.ask(permissions)
  if (isImmediate(outcome)) expect(outcome).toBeOk()
  else expect(outcome, `a grant of ${permissions.join(', ')}`).toHaveSucceeded('operation')
}

/** Asks for a grant, and returns whether it succeeds. */
export const isGiven = async (
  holder: Holder,
  permissions: readonly string[],
  description?: string,
): Promise<boolean> => {
  const outcome = await holder.ask(permissions, description)
  const code = isImmediate(outcome) ? outcome.status : outcome.status.code
  return code >= 200 && code <= 299
}

/**
 * Grants permissions to a holder.
 * @throws {Inconclusive} when that does not succeed
 */
export const give = async (
  holder: Holder,
  permissions: readonly string[],
  description?: string,
): Promise<void> => {
  if (!(await isGiven(holder, permissions, description)))
    throw new Inconclusive(`grant ${permissions.join(', ')}`, 'a grant that succeeds')
}

/**
 * The id of a permission, from the list of its grantor.
 * @throws {Inconclusive} when it is not listed
 */
export const idOf = async (
  { grantor: { api }, list: [list, query] }: Way,
  { subject }: Holder,
  permission: string,
): Promise<string> => {
  const rows = await listOf(api, list, query)
  const row = rows.find((one) => inShort(one) === `${permission} ${subject.value}`)
  if (row === undefined)
    throw new Inconclusive(`find ${permission}`, `the permission in the list of ${list}`)
  return String(row['id'])
}

/** Expects that the grantor can revoke a permission. */
export const expectTakenBack = async (
  way: Way,
  holder: Holder,
  permission: string,
): Promise<void> => {
  const { api } = way.grantor
  const outcome = await outcomeOfOperation(
    api,
    await revoke(api, await idOf(way, holder, permission)),
  )
  expect(outcome, `the revocation of ${permission}`).toHaveSucceeded('operation')
}

/**
 * Revokes a permission.
 * @throws {Inconclusive} when that does not succeed
 */
export const takeBack = async (way: Way, holder: Holder, permission: string): Promise<void> => {
  const { api } = way.grantor
  const outcome = await outcomeOfOperation(
    api,
    await revoke(api, await idOf(way, holder, permission)),
  )
  if (isImmediate(outcome) || !outcome.succeeded)
    throw new Inconclusive(`revoke ${permission}`, 'a revocation that succeeds')
}

/**
 * Makes a taxpayer an enforcement authority.
 * @throws {Inconclusive} when that is refused
 */
export const createAuthority = async (api: Client, nip: string): Promise<void> => {
  const subjectType = 'EnforcementAuthority'
  const body = { subjectNip: nip, subjectType, description: 'an authority of a check' }
  expectOk(await api.call('testdata.createSubject', { body }), `create an ${subjectType}`)
}

/**
 * Grants somebody exactly these permissions, in a context that knows them.
 * @throws {Inconclusive} when they cannot be had
 */
export const giveOnly = async (
  scene: HoldingScene,
  permissions: readonly string[],
): Promise<{ readonly way: Way; readonly holder: Holder }> => {
  const { api, me, target } = scene
  if (permissions.includes('CollectiveIdentifierManage'))
    wireOperation('invoices.createCollective', target.dialect)
  if (permissions.includes('EnforcementOperations')) await createAuthority(api, me.context.nip)
  const inEntity = permissions.includes('VatUeManage')
  const way = await ways[inEntity ? 'administrator of an EU entity' : 'person with a NIP'](scene)
  const holder = await way.someone()
  await give(holder, permissions)
  if (inEntity)
    for (const one of way.permissions)
      if (!permissions.includes(one)) await takeBack(way, holder, one)
  return { way, holder }
}

/**
 * Logs in a caller who was granted exactly these permissions, in a context that knows them.
 * @throws {Inconclusive} when they cannot be had
 */
export const holdOnly = async (
  scene: HoldingScene,
  permissions: readonly string[],
): Promise<{ readonly way: Way; readonly holder: Holder; readonly held: Me }> => {
  const { way, holder } = await giveOnly(scene, permissions)
  return { way, holder, held: await scene.login({ context: holder.context }) }
}
