import { limits } from '../../contract/limits.ts'
import type { LimitId } from '../../contract/limits.ts'
import { expectOk } from '../../lib/outcome.ts'
import { obtainCertificate } from '../support/callers/enrolment.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { knownFields } from '../support/answers/known-fields.ts'
import { meaningOf } from '../support/answers/meaning.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { mintToken } from '../support/callers/service-token.ts'
import { expect, test } from '../support/harness/test.ts'
import { inTwoContexts } from '../support/scenes/two-contexts.ts'

test(...rule('limits.subject', 'entity'), async ({ login, target }) => {
  const { api } = await login()
  const answer = await api.call('limits.subject')
  expect(answer).toBeOk()
  const value = (id: LimitId) => target.dialect.limits[id] ?? limits[id].value
  expect(answer.body, 'limits of a subject with a NIP').toMatchObject({
    enrollment: { maxEnrollments: value('enrollments.nip') },
    certificate: { maxCertificates: value('certificates.nip') },
  })
})

test(...rule('limits.subject', 'entity, after an application'), async ({ login }) => {
  const { api } = await login()
  const before = expectOk(await api.call('limits.subject'), 'read the limits of the subject')
  await obtainCertificate(api)
  const after = await api.call('limits.subject')
  const [now, earlier] = [after, before].map(({ body }) => meaningOf('limits.subject', body))
  expect(now, 'the limits, not what is left of them').toEqual(earlier)
})

for (const [what, kind] of [
  ['person', 'Pesel'],
  ['person, by fingerprint', 'Fingerprint'],
] as const)
  test(...rule('limits.subject', what), async ({ api, login, own, rng, target }) => {
    const person = personAt(own, rng, target, kind)
    await grantInTest(api, own, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const answer = await me.api.call('limits.subject')
    expect(answer).toBeOk()
    const value = (id: LimitId) => target.dialect.limits[id] ?? limits[id].value
    expect(answer.body, `limits of a subject by ${kind}`).toMatchObject({
      enrollment: { maxEnrollments: value('enrollments.person') },
      certificate: { maxCertificates: value('certificates.person') },
    })
  })

test(...rule('limits.subject', 'none'), async ({ login }) => {
  const { api } = await login()
  const none = { enrollment: { maxEnrollments: 0 }, certificate: { maxCertificates: 0 } }
  expectOk(await api.call('testdata.setSubjectLimits', { body: none }), 'set the limits')
  const answer = await api.call('limits.subject')
  expect(answer).toBeOk()
  expect(answer.body, 'limits of a subject that may have none').toMatchObject(none)
})

for (const one of [{ enrollment: { maxEnrollments: 7 } }, { certificate: { maxCertificates: 5 } }])
  test(...rule('limits.subject', `one set, ${Object.keys(one)[0]}`), async ({ login }) => {
    const me = await login()
    const { api } = me
    const before = expectOk(await api.call('limits.subject'), 'read the limits of the subject')
    expectOk(await api.call('testdata.setSubjectLimits', { body: one }), 'set one limit')
    const answer = await api.call('limits.subject')
    expect(answer).toBeOk()
    const known = knownFields(before.body, 'SubjectLimits')
    expect(knownFields(answer.body, 'SubjectLimits'), 'the other as before').toEqual({
      ...known,
      ...one,
    })
    const byToken = await login({ token: (await mintToken(me)).token })
    expect(
      knownFields((await byToken.api.call('limits.subject')).body, 'SubjectLimits'),
      'of a login by service token',
    ).toEqual({ ...known, ...one })
  })

test(
  ...rule('limits.subject', 'another context'),
  async ({ api, login, own, another, rng, target }) => {
    const { here, there } = await inTwoContexts({ api, login, own, another, rng, target })
    for (const [set, maximum] of [
      [here, 4],
      [there, 3],
    ] as const) {
      const body = {
        enrollment: { maxEnrollments: maximum + 1 },
        certificate: { maxCertificates: maximum },
      }
      expectOk(await set.api.call('testdata.setSubjectLimits', { body }), 'set the limits')
      for (const me of [here, there]) {
        const answer = await me.api.call('limits.subject')
        expect(answer.body, `limits of the subject in ${me.context.value}`).toMatchObject(body)
      }
    }
  },
)
