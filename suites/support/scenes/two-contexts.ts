import type { Context } from '../../../lib/flows/login.ts'
import type { OwnContext } from '../service/contexts.ts'
import type { CheckFixtures } from '../harness/fixtures.ts'
import { grantInTest } from '../callers/grants.ts'
import { personAt } from '../callers/people.ts'
import type { Target } from '../service/target.ts'

/** The credentials of a person or an entity, used to log in to another context. */
export const elsewhere = (person: OwnContext, { type, value }: Context): OwnContext => ({
  ...person,
  type,
  value,
  document: (challenge, options) =>
    person.document(challenge, { ...options, context: { type, value } }),
})

/** Logins of one person in two contexts. */
export const inTwoContexts = async ({
  api,
  login,
  own,
  another,
  rng,
  target,
}: Pick<CheckFixtures, 'api' | 'login' | 'own' | 'another' | 'rng'> & {
  readonly target: Target
}) => {
  const other = await another()
  const person = personAt(own, rng, target)
  for (const context of [own, other])
    await grantInTest(api, context, person.subject, ['InvoiceRead'])
  const here = await login({ context: person.context })
  const there = await login({ context: elsewhere(person.context, other) })
  return { here, there }
}
