import type { Client } from '../../lib/client.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import {
  applyFor,
  listCertificates,
  outcomeOfApplication,
  obtainCertificate,
  revokeCertificate,
} from '../support/callers/enrolment.ts'
import { knownFields } from '../support/answers/known-fields.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

const reportedLimits = async (api: Client) =>
  knownFields(
    expectObject(await api.call('certificates.limits'), 'read the room left'),
    'CertificateLimits',
  )

const ofSubject = async (api: Client) =>
  knownFields(
    expectObject(await api.call('limits.subject'), 'read the limits of the subject'),
    'SubjectLimits',
  )

const setLimits = async (api: Client, maxEnrollments: number, maxCertificates: number) => {
  const body = { enrollment: { maxEnrollments }, certificate: { maxCertificates } }
  expectOk(await api.call('testdata.setSubjectLimits', { body }), 'set limits of the subject')
}

test(...rule('certificates.limits', 'consistent'), async ({ login }) => {
  const { api } = await login()
  const [module, subject] = [await reportedLimits(api), await ofSubject(api)]
  expect(module.enrollment.limit, 'applications').toBe(subject.enrollment?.maxEnrollments)
  expect(module.certificate.limit, 'certificates').toBe(subject.certificate?.maxCertificates)
})

test(...rule('certificates.limits', 'remaining'), async ({ login }) => {
  const { api } = await login()
  const before = await reportedLimits(api)
  await obtainCertificate(api)
  const after = await reportedLimits(api)
  expect(after.enrollment.remaining, 'remaining applications').toBe(before.enrollment.remaining - 1)
  expect(after.certificate.remaining, 'remaining certificates').toBe(
    before.certificate.remaining - 1,
  )
})

test(...rule('certificates.limits', 'remaining, by type'), async ({ login }) => {
  const { api } = await login()
  for (const type of ['Offline', 'Authentication'] as const) {
    const before = await reportedLimits(api)
    await obtainCertificate(api, { type })
    const after = await reportedLimits(api)
    for (const kind of ['enrollment', 'certificate'] as const)
      expect(after[kind].remaining, `what remains (${kind}), ${type}`).toBe(
        before[kind].remaining - 1,
      )
  }
})

test(
  ...rule('certificates.limits', 'enforced, lowered below the present number'),
  async ({ login }) => {
    const { api } = await login()
    await setLimits(api, 5, 5)
    await obtainCertificate(api)
    await obtainCertificate(api)
    for (const [enrollments, certificates] of [
      [1, 5],
      [5, 1],
      [1, 1],
    ] as const) {
      await setLimits(api, enrollments, certificates)
      const before = await reportedLimits(api)
      expect([before.enrollment.remaining, before.certificate.remaining], 'what remains').toEqual([
        Math.max(0, enrollments - 2),
        Math.max(0, certificates - 2),
      ])
      expect(before.canRequest, 'whether an application is possible').toBe(false)
      expect(await applyFor(api)).toBeClientError()
      await api.sleep(2_000)
      expect(await reportedLimits(api), 'after the rejection').toEqual(before)
      expect((await listCertificates(api)).length, 'certificates after the rejection').toBe(2)
    }
    await setLimits(api, 3, 3)
    expect(await applyFor(api), 'after the limits were raised').toBeOk()
  },
)

test(...rule('certificates.limits', 'after a revocation'), async ({ login }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  const before = await reportedLimits(api)
  await revokeCertificate(api, serialNumber)
  const after = await reportedLimits(api)
  expect(after.certificate.remaining, 'remaining certificates').toBe(
    before.certificate.remaining + 1,
  )
  expect(after.enrollment.remaining, 'remaining applications').toBe(before.enrollment.remaining)
})

test(...rule('certificates.limits', 'after its end'), async ({ login, clock }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  const before = await reportedLimits(api)
  const body = { validTo: new Date(clock.now() + 60_000).toISOString() }
  const path = { serialNumber }
  expectOk(await api.call('testdata.updateCertificate', { path, body }), 'shorten its validity')
  await clock.advance(120_000)
  const after = await reportedLimits(api)
  expect(after.certificate.remaining, 'remaining certificates').toBe(
    before.certificate.remaining + 1,
  )
  expect(after.enrollment.remaining, 'remaining applications').toBe(before.enrollment.remaining)
})

test(...rule('certificates.limits', 'consistent when set'), async ({ login }) => {
  const { api } = await login()
  await setLimits(api, 5, 3)
  expect(await ofSubject(api), 'the limits of the subject').toMatchObject({
    enrollment: { maxEnrollments: 5 },
    certificate: { maxCertificates: 3 },
  })
  const module = await reportedLimits(api)
  expect(
    [module.enrollment.limit, module.certificate.limit],
    'the limits of the certificate module',
  ).toEqual([5, 3])
})

for (const [what, applications, certificates, refused, kind] of [
  ['applications', 2, 5, 'enrollment-limit', 'enrollment'],
  ['certificates', 5, 2, 'certificate-limit', 'certificate'],
] as const) {
  test(...rule('certificates.limits', `enforced, ${what}`), async ({ login }) => {
    const { api } = await login()
    await setLimits(api, applications, certificates)
    const possible = async () => (await reportedLimits(api)).canRequest
    // The limits are of all types together.
    for (const [nth, left, type] of [
      ['first', 2, 'Authentication'],
      ['second', 1, 'Offline'],
    ] as const) {
      expect(await possible(), `whether the ${nth} application is possible`).toBe(true)
      const { remaining } = (await reportedLimits(api))[kind]
      expect(remaining, `remaining ${what} before the ${nth}`).toBe(left)
      const outcome = await outcomeOfApplication(api, await applyFor(api, { type }))
      if ('request' in outcome) expect(outcome, `the ${nth} application`).toBeOk()
      else expect(outcome, `the ${nth} application`).toHaveSucceeded('application')
    }
    expect(await possible(), 'whether another application is possible').toBe(false)
    for (const type of ['Authentication', 'Offline'] as const) {
      const outcome = await outcomeOfApplication(api, await applyFor(api, { type }))
      expect(outcome, type).toBeRejected(refused)
    }
  })
}

test(...rule('certificates.limits', 'enforced, certificates, at once'), async ({ login }) => {
  const { api } = await login()
  await setLimits(api, 10, 2)
  await obtainCertificate(api)
  const started = await Promise.all([1, 2, 3].map(() => applyFor(api)))
  await Promise.all(started.map((one) => outcomeOfApplication(api, one)))
  const active = await listCertificates(api, { status: 'Active' })
  expect(active.length, 'active certificates of at most 2').toBe(2)
  expect((await reportedLimits(api)).certificate.remaining, 'remaining certificates').toBe(0)
})

test(...rule('certificates.limits', 'enforced, applications, at once'), async ({ login }) => {
  const { api } = await login()
  await setLimits(api, 2, 10)
  const started = await Promise.all([1, 2, 3].map(() => applyFor(api)))
  const taken = started.filter(({ status }) => status < 300)
  expect(taken.length, 'applications of at most 2').toBe(2)
  for (const one of started.filter(({ status }) => status > 299))
    expect(one).toBeRefused('enrollment-limit')
  expect((await reportedLimits(api)).enrollment.remaining, 'remaining applications').toBe(0)
})

test(...rule('certificates.limits', 'remaining, with a later start'), async ({ login, target }) => {
  const { api } = await login()
  const before = await reportedLimits(api)
  const validFrom = new Date(target.now() + 30 * 24 * 3_600_000).toISOString()
  await obtainCertificate(api, { validFrom })
  const after = await reportedLimits(api)
  for (const kind of ['enrollment', 'certificate'] as const)
    expect(after[kind].remaining, `what remains (${kind})`).toBe(before[kind].remaining - 1)
})

test(
  ...rule('certificates.limits', 'remaining, after a rejected application'),
  async ({ login }) => {
    const { api } = await login()
    const before = await reportedLimits(api)
    expect(await applyFor(api, { csr: 'AAAA' })).toBeRefused('csr-malformed')
    expect(await reportedLimits(api), 'what remains').toMatchObject({ ...before })
  },
)

for (const [what, sameContext] of [
  ['of another subject', false],
  ['of another subject, in the same context', true],
] as const)
  test(...rule('certificates.limits', what), async ({ login, another, limited }) => {
    const me = sameContext ? await limited(['InvoiceRead']) : await login()
    const other = await login(sameContext ? {} : { context: await another() })
    const [room, limits] = [await reportedLimits(other.api), await ofSubject(other.api)]
    await obtainCertificate(me.api)
    expect(await reportedLimits(other.api), 'what remains to another subject').toMatchObject({
      ...room,
    })
    await setLimits(me.api, 1, 1)
    expect(await ofSubject(me.api), 'the limits of the subject').toMatchObject({
      enrollment: { maxEnrollments: 1 },
      certificate: { maxCertificates: 1 },
    })
    expect(await ofSubject(other.api), 'the limits of another subject').toMatchObject({ ...limits })
    expect(await applyFor(other.api), 'an application of another subject').toBeOk()
  })

test(...rule('certificates.limits', 'restored'), async ({ login }) => {
  const { api } = await login()
  const before = await ofSubject(api)
  await setLimits(api, 0, 0)
  expect(await applyFor(api)).toBeClientError()
  expectOk(await api.call('testdata.restoreSubjectLimits'), 'restore the limits of the subject')
  expect(await ofSubject(api), 'the limits of the subject').toEqual(before)
  expect(await applyFor(api)).toBeOk()
})
