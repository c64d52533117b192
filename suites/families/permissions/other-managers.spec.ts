import type { Me } from '../../support/service/contexts.ts'
import { euGrant, grantBy, grantPerson, indirectGrant } from '../../support/callers/grants.ts'
import { expectTakenBack, give } from '../../support/callers/held.ts'
import { ways } from '../../support/callers/holdings.ts'
import type { Holder, WayName } from '../../support/callers/holdings.ts'
import type { Person } from '../../support/callers/people.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Two managers of one context: when one of them loses that right, what the other granted stays. */

interface Managing {
  /** What makes a holder a manager. */
  readonly held: readonly [string, ...string[]]
  readonly identified?: 'Fingerprint'
  /** The manager grants from its own context, and the permission applies in another. */
  readonly fromHome?: true
  readonly grant: (manager: Me, person: Person, at: Holder['context']) => Promise<unknown>
}

const reads = ['InvoiceRead'] as const

const asManager: Managing = {
  held: ['CredentialsManage'],
  grant: ({ api }, { subject }) => grantPerson(api, subject, reads),
}

const managing = {
  'person with a NIP': asManager,
  'person with a certificate': asManager,
  'administrator of a unit': asManager,
  'administrator of a VAT group member': asManager,
  'administrator of an EU entity': {
    held: ['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection'],
    identified: 'Fingerprint',
    grant: ({ api }, { subject }) =>
      grantBy(api, 'permissions.grantEu', euGrant(subject.value, reads)),
  },
  entity: {
    held: ['InvoiceWrite'],
    fromHome: true,
    grant: ({ api }, { subject }, { type, value }) =>
      grantBy(
        api,
        'permissions.grantIndirect',
        indirectGrant(subject, ['InvoiceWrite'], { type, value }),
      ),
  },
} as const satisfies Partial<Record<WayName, Managing>>

for (const [name, row] of Object.entries(managing) as [keyof typeof managing, Managing][])
  test(
    ...familyRule('permissions.revoke.effective', 'granted by another manager', name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const [first, second] = [await way.someone(), await way.someone()]
      for (const holder of [first, second]) await give(holder, row.held)
      const at = second.context
      const manager = await login({
        context: row.fromHome === true && second.home ? second.home : at,
      })
      const person = personAt(at, rng, target, row.identified)
      await row.grant(manager, person, at)
      for (const permission of row.held) await expectTakenBack(way, first, permission)
      expect(await authenticateAs(api, first.context)).toBeRejected('subject-without-permission')
      for (const [who, context] of [
        ['the other manager', at],
        ['whom the other manager granted something', person.context],
      ] as const)
        expect(await authenticateAs(api, context), who).toHaveSucceeded('authentication')
    },
  )
