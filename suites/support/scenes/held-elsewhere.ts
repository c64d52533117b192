import { expectOk } from '../../../lib/outcome.ts'
import type { Me } from '../service/contexts.ts'
import type { CheckFixtures } from '../harness/fixtures.ts'
import { byNip, grantInTest } from '../callers/grants.ts'
import { heldAlone } from '../coverage/matrices.ts'
import { personAt } from '../callers/people.ts'
import { mintToken } from '../callers/service-token.ts'
import type { Target } from '../service/target.ts'
import { elsewhere } from './two-contexts.ts'

type Scene = Pick<CheckFixtures, 'api' | 'login' | 'own' | 'another' | 'rng'> & {
  readonly target: Target
}

/**
 * Logs in a person who holds these permissions in the check's context, and every permission in two others: in one they
 * were granted, the other is the person's own. The service token of the person was issued with every permission, of which
 * the person has lost the others here.
 * @throws {Inconclusive} when that is not possible
 */
export const heldElsewhere = async (
  { api, login, own, another, rng, target }: Scene,
  permissions: readonly string[],
): Promise<Readonly<Record<'by document' | 'by service token', Me>>> => {
  const { subject, context } = personAt(own, rng, target)
  const other = await another()
  for (const place of [own, other]) await grantInTest(api, place, subject, heldAlone)
  for (const place of [other, byNip(subject.value)])
    await login({ context: elsewhere(context, place) })
  const { token } = await mintToken(await login({ context }), heldAlone)
  const { type, value } = own
  const body = { contextIdentifier: { type, value }, authorizedIdentifier: subject }
  expectOk(await api.call('testdata.revoke', { body }), 'revoke the permissions')
  await grantInTest(api, own, subject, permissions)
  return {
    'by document': await login({ context }),
    'by service token': await login({ context, token }),
  }
}
