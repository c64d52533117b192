import { contextWith } from '../../support/service/contexts.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { grantInTest } from '../../support/callers/grants.ts'
import { heldAlone } from '../../support/coverage/matrices.ts'
import { neighbourKinds } from '../../support/scenes/neighbour-kinds.ts'
import { failuresBeside } from '../../support/scenes/failures.ts'
import { expectUnharmed, expectUntouched } from '../../support/scenes/neighbours.ts'
import type { Callers, Kind } from '../../support/scenes/neighbours.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What happens to one thing does not affect another of its kind, of the same owner or of another. */

for (const [what, kind] of Object.entries<Kind>(neighbourKinds))
  test(
    ...familyRule(kind.rule, 'neighbour', what),
    async ({ api, login, another, invoice, rng, target }) =>
      expectUntouched(kind, { api, login, another, invoice, rng, target } as Fixtures),
  )

for (const what of Object.keys(failuresBeside) as (keyof typeof failuresBeside)[]) {
  const kind: (typeof neighbourKinds)[typeof what] & Pick<Kind, 'ofOthers'> = neighbourKinds[what]
  test(
    ...familyRule(kind.ofOthers ?? kind.rule, 'neighbour of a failure', what),
    async ({ api, login, another, invoice, rng, target }) => {
      const fixtures = { api, login, another, invoice, rng, target } as Fixtures
      await expectUnharmed(kind.make, failuresBeside[what], fixtures)
    },
  )
}

/** Two callers, each with a thing of the kind. */
const callers: Readonly<Record<string, (fixtures: Fixtures) => Promise<Callers>>> = {
  'of a colleague': async ({ login, limited }) => ({
    owner: await login(),
    actor: await limited(heldAlone),
  }),
  'of the same person elsewhere': async ({ api, login, own, another, rng, target }) => {
    const { subject, context } = personAt(own, rng, target)
    const other = await another()
    for (const place of [own, other]) await grantInTest(api, place, subject, heldAlone)
    const { type, value } = other
    const elsewhere = contextWith({ type, value }, context.credentials, target.now)
    return { owner: await login({ context }), actor: await login({ context: elsewhere }) }
  },
}

/** What belongs to a context, or to one who works in it. */
const owned = ['session', 'package', 'login to be redeemed', 'token', 'export'] as const

for (const [which, both] of Object.entries(callers)) {
  test(
    ...familyRule('auth.access-token.expires', 'neighbour of another', `login ${which}`),
    async ({ api, login, limited, own, another, rng, target }) => {
      const fixtures = { api, login, limited, own, another, rng, target } as Fixtures
      const { owner, actor } = await both(fixtures)
      for (const { api: mine } of [owner, actor])
        expect(await mine.call('limits.context'), 'a call of each of the two').toBeOk()
    },
  )

  for (const what of owned) {
    const kind: Kind = neighbourKinds[what]
    test(
      ...familyRule(kind.ofOthers ?? kind.rule, 'neighbour of another', `${what} ${which}`),
      async ({ api, login, limited, own, another, invoice, rng, target }) => {
        const fixtures = { api, login, limited, own, another, invoice, rng, target } as Fixtures
        return expectUntouched(kind, fixtures, await both(fixtures))
      },
    )
  }
}
