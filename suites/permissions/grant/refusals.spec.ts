import { fingerprint } from '../../../lib/node/certificate.ts'
import { anonymousSubject, makeCertificate } from '../../../lib/node/pki.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import {
  byNip,
  euGrant,
  indirectGrant,
  outcomeOfOperation,
  unitGrant,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

test(
  ...rule('permissions.grant.refusals', 'no delegation'),
  async ({ login, own, another, rng, target }) => {
    const { api } = await login()
    const client = await another()
    const { subject } = personAt(own, rng, target)
    const firm = byNip(client.nip)
    const body = indirectGrant(subject, ['InvoiceRead'], firm)
    const outcome = await outcomeOfOperation(
      api,
      await api.call('permissions.grantIndirect', { body }),
    )
    expect(outcome).toBeRejected('grant-refused')
  },
)

for (const [what, unitOf] of [
  ['foreign unit', (nip: string, internal: (nip: string) => string) => internal(nip)],
  ['not a unit', (nip: string) => nip],
] as const)
  test(
    ...rule('permissions.grant.refusals', what),
    async ({ login, own, another, rng, target }) => {
      const { api } = await login()
      const { nip } = await another()
      const value = unitOf(nip, (whose) => drawUnit(rng, whose).value)
      const unit = { type: value === nip ? 'Nip' : 'InternalId', value }
      const { subject } = personAt(own, rng, target)
      const body = unitGrant(subject, unit, 'a branch')
      const outcome = await outcomeOfOperation(
        api,
        await api.call('permissions.grantSubunit', { body }),
      )
      expect(outcome).toBeRejected('grant-refused')
    },
  )

for (const [what, subunitName, turned] of [
  ['unnamed unit', undefined, 0],
  ['invalid unit', 'a branch', 1],
] as const)
  test(...rule('permissions.grant.refusals', what), async ({ login, own, rng }) => {
    const { api } = await login()
    const right = drawUnit(rng, own.nip).value
    const value = right.slice(0, -1) + String((Number(right.at(-1)) + turned) % 10)
    const body = unitGrant(byNip(drawNip(rng)), { type: 'InternalId', value }, '')
    const answer = await api.call('permissions.grantSubunit', { body: { ...body, subunitName } })
    expect(answer).toBeRefused('invalid-input')
  })

test(
  ...rule('permissions.grant.refusals', 'context of another kind'),
  async ({ login, target }) => {
    const { api } = await login()
    const clerk = makeCertificate({ subject: anonymousSubject('Nowak'), now: target.now() })
    const body = euGrant(fingerprint(clerk.certificate), ['InvoiceRead'])
    const answer = await api.call('permissions.grantEu', { body })
    expect(answer).toBeRefused('context-kind-not-allowed')
  },
)
