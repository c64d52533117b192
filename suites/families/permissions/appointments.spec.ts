import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { Client } from '../../../lib/client.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { byNip, outcomeOfOperation, unitGrant } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/**
 * Administrators of every kind of unit, appointed by a caller who may do nothing else; members of a group need no name.
 */

interface Scene {
  readonly api: Client
  readonly nip: string
  readonly rng: Rng
}

const member =
  (subjectType: 'VatGroup' | 'JST') =>
  async ({ api, nip, rng }: Scene): Promise<Context> => {
    const unit = byNip(drawNip(rng))
    const description = 'a group of a check'
    const subunits = [{ subjectNip: unit.value, description }]
    const body = { subjectNip: nip, subjectType, description, subunits }
    expectOk(await api.call('testdata.createSubject', { body }), `create a ${subjectType}`)
    return unit
  }

const internal = ({ nip, rng }: Scene): Promise<Context> => Promise.resolve(drawUnit(rng, nip))

for (const [unit, named, prepare] of [
  ['a unit', true, internal],
  ['a member of a VAT group', true, member('VatGroup')],
  ['a member of a VAT group, without a name', false, member('VatGroup')],
  ['a member of a local government', true, member('JST')],
  ['a member of a local government, without a name', false, member('JST')],
] as const)
  test(
    ...familyRule('permissions.grant.effective', 'appointment', unit),
    async ({ api, own, limited, rng, target }) => {
      const context = await prepare({ api, nip: own.nip, rng })
      const manager = await limited(['SubunitManage'])
      const head = personAt(context, rng, target)
      const { subunitName, ...rest } = unitGrant(head.subject, context, 'a branch')
      const body = { ...rest, ...(named && { subunitName }) }
      const asked = await manager.api.call('permissions.grantSubunit', { body })
      const outcome = await outcomeOfOperation(manager.api, asked)
      expect(outcome, 'the appointment').toHaveSucceeded('operation')
      const entered = await authenticateAs(api, head.context)
      expect(entered, 'the administrator in the unit').toHaveSucceeded('authentication')
    },
  )
