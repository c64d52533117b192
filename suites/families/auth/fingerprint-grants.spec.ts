import { expectGiven, expectTakenBack } from '../../support/callers/held.ts'
import { waysByFingerprint } from '../../support/callers/holdings.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A fingerprint signs in once permissions were granted to it, in whichever way, there alone and while it has any. */

const family = 'way to hold permissions by fingerprint'

for (const [name, prepare] of Object.entries(waysByFingerprint))
  test(
    ...familyRule('auth.xades.fingerprint', family, name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const way = await prepare({ api, me, login, another, rng, target })
      const { permissions, beside, together } = way
      const given = together === true ? permissions : permissions.slice(0, 1)
      const holder = await way.someone()
      const refused = 'subject-without-permission'
      const enter = () => authenticateAs(api, holder.context)
      expect(await enter(), 'before the grant').toBeRejected(refused)
      await expectGiven(holder, given)
      expect(await enter(), 'once it is granted').toHaveSucceeded('authentication')
      for (const context of beside) {
        const elsewhere = await authenticateAs(api, holder.context, { context })
        expect(elsewhere, `in ${context.type} ${context.value}`).toBeRejected(refused)
      }
      expect(await enter(), 'after refusals elsewhere').toHaveSucceeded('authentication')
      for (const permission of given) await expectTakenBack(way, holder, permission)
      expect(await enter(), 'once it is revoked').toBeRejected(refused)
    },
  )
