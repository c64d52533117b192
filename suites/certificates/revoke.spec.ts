import type { Client } from '../../lib/client.ts'
import { expectOk } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import {
  applyFor,
  listedAs,
  obtainCertificate,
  outcomeOfApplication,
  revokeCertificate,
  statesOf,
} from '../support/callers/enrolment.ts'
import { rule } from '../support/checks/rule.ts'
import { mintToken } from '../support/callers/service-token.ts'
import { authenticateAs } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Ends the validity of a certificate at an instant. */
const shorten = async (api: Client, serialNumber: string, end: number): Promise<void> => {
  const body = { validTo: new Date(end).toISOString() }
  const answer = await api.call('testdata.updateCertificate', { path: { serialNumber }, body })
  expectOk(answer, 'shorten its validity')
}

test(...rule('certificates.revoke', 'listed'), async ({ login }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  const kept = await obtainCertificate(api, { name: 'another one' })
  const path = { certificateSerialNumber: serialNumber }
  expect(await api.call('certificates.revoke', { path, body: {} }), 'the revocation').toBeOk()
  const { last } = await poll(
    async () => (await listedAs(api, serialNumber))?.status,
    (status) => status === 'Revoked',
    { ...api.polling, times: 20, sleep: api.sleep },
  )
  expect(last, 'its listed state').toBe('Revoked')
  expect(await statesOf(api, serialNumber), 'states under which it is found').toEqual(['Revoked'])
  const other = await listedAs(api, kept.serialNumber)
  expect(other?.status, 'the listed state of the other certificate').toBe('Active')
  expect(await statesOf(api, kept.serialNumber), 'states of the other one').toEqual(['Active'])
  const later = await outcomeOfApplication(api, await applyFor(api))
  expect(later, 'an application after a revocation').toHaveSucceeded('application')
})

test(...rule('certificates.revoke', 'no login'), async ({ login, own, api }) => {
  const me = await login()
  const { serialNumber, credentials } = await obtainCertificate(me.api)
  const renewed = await obtainCertificate(me.api, { privateKey: credentials.privateKey })
  const enter = () => authenticateAs(api, own, { credentials })
  expect(await enter(), 'before its revocation').toHaveSucceeded('authentication')
  await revokeCertificate(me.api, serialNumber)
  expect(await enter()).toBeRejected('certificate-refused')
  const later = await authenticateAs(api, own, renewed)
  expect(later, 'a renewal for the same key').toHaveSucceeded('authentication')
})

test(...rule('certificates.revoke', 'twice'), async ({ login }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  await revokeCertificate(api, serialNumber)
  const again = await api.call('certificates.revoke', {
    path: { certificateSerialNumber: serialNumber },
    body: {},
  })
  expect(again).toBeRefused('certificate-not-revocable')
})

test(...rule('certificates.revoke', 'expired'), async ({ login, clock }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  await shorten(api, serialNumber, clock.now() + 60_000)
  const listed = async () => (await listedAs(api, serialNumber))?.status
  expect(await listed(), 'its listed state').toBe('Active')
  await clock.advance(120_000)
  expect(await listed(), 'its listed state after its end').toBe('Expired')
  expect(await statesOf(api, serialNumber), 'states under which it is found').toEqual(['Expired'])
  const answer = await api.call('certificates.revoke', {
    path: { certificateSerialNumber: serialNumber },
    body: {},
  })
  expect(answer).toBeRefused('certificate-not-revocable')
  expect(await listed(), 'its listed state after the attempt').toBe('Expired')
})

test(...rule('certificates.revoke', 'listed after its end'), async ({ login, clock }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  await shorten(api, serialNumber, clock.now() + 60_000)
  await revokeCertificate(api, serialNumber)
  await clock.advance(120_000)
  expect((await listedAs(api, serialNumber))?.status, 'its listed state').toBe('Revoked')
  expect(await statesOf(api, serialNumber), 'states under which it is found').toEqual(['Revoked'])
})

test(...rule('certificates.revoke', 'unknown'), async ({ login }) => {
  const { api } = await login()
  const answer = await api.call('certificates.revoke', {
    path: { certificateSerialNumber: '0123456789ABCDEF' },
    body: {},
  })
  expect(answer).toBeRefused('certificate-unknown')
})

test(...rule('certificates.revoke', 'of another subject'), async ({ login, another }) => {
  const { api } = await login()
  const { serialNumber } = await obtainCertificate(api)
  const other = await login({ context: await another() })
  const answer = await other.api.call('certificates.revoke', {
    path: { certificateSerialNumber: serialNumber },
    body: {},
  })
  expect(answer).toBeRefused('certificate-unknown')
  expect((await listedAs(api, serialNumber))?.status, 'its state afterwards').toBe('Active')
})

test(...rule('certificates.revoke', 'after a login by token'), async ({ login, own }) => {
  const me = await login()
  const { serialNumber } = await obtainCertificate(me.api)
  const { token } = await mintToken(me)
  const byToken = await login({ context: own, token })
  const answer = await byToken.api.call('certificates.revoke', {
    path: { certificateSerialNumber: serialNumber },
    body: {},
  })
  expect(answer).toBeRefused('missing-permission')
  expect((await listedAs(me.api, serialNumber))?.status, 'its state afterwards').toBe('Active')
})
