import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import { batchBody } from '../../lib/flows/batch.ts'
import type { BatchPackage } from '../../lib/flows/batch.ts'
import { exportBody, settleExport } from '../../lib/flows/export.ts'
import { chooseKey, fetchKeys } from '../../lib/flows/keys.ts'
import { fetchChallenge, tokenLoginBody } from '../../lib/flows/login.ts'
import { drawSecret, encryptionFields, openOnline } from '../../lib/flows/session.ts'
import { readCertificate } from '../../lib/node/certificate.ts'
import { Inconclusive, expectText } from '../../lib/outcome.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { formCodes } from '../support/checks/forms.ts'
import type { WorkOutcome } from '../support/judging/matchers.ts'
import type { Management } from '../support/service/management.ts'
import { outcomeOfBatchOpening, packed } from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import {
  outcomeOfAuthentication,
  outcomeOfInvoice,
  outcomeOfOpening,
} from '../support/steps/steps.ts'
import type { Target } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'
import { invoiceUnder, tokenUnder } from '../support/scenes/under-keys.ts'

const usage = 'SymmetricKeyEncryption'

const hour = 3600 * 1000

interface Opening {
  readonly operation: OperationId
  /** Without the encrypted key. */
  readonly body: object
  /** The answer, or the end of what it began: some services look at the key only then. */
  readonly outcome: (answer: Exchange) => Promise<WorkOutcome>
}

/** What takes an encrypted symmetric key. */
const openings = async (
  api: Client,
  batch: BatchPackage,
  now: number,
): Promise<readonly Opening[]> => [
  {
    operation: 'sessions.openOnline',
    body: { formCode: formCodes.fa3 },
    outcome: (answer) => outcomeOfOpening(api, answer),
  },
  {
    operation: 'sessions.openBatch',
    body: await batchBody(api, batch, formCodes.fa3),
    outcome: (answer) => outcomeOfBatchOpening(api, batch, answer),
  },
  {
    operation: 'exports.create',
    body: await exportBody(api, { filters: issuedAround(now) }, drawSecret()),
    async outcome(answer) {
      if (answer.status >= 300) return answer
      const referenceNumber = expectText(answer, 'create an export', 'referenceNumber')
      return settleExport(api, { referenceNumber })
    },
  },
]

const managementOf = ({ management }: Target): Management => {
  if (management === undefined) throw new Inconclusive('rotate keys', 'a management address')
  return management
}

test(...rule('keys.rotation.served', 'listed'), async ({ api, target }) => {
  const before = chooseKey(await fetchKeys(api), usage, target.now())
  // Certificates hold whole seconds: of two in one second neither is the newer one.
  await api.sleep(1_100)
  await managementOf(target).rotateKeys(usage, hour)
  const after = chooseKey(await fetchKeys(api), usage, target.now())
  expect(after?.certificate, 'the certificate to use after a rotation').not.toBe(
    before?.certificate,
  )
})

test(...rule('keys.rotation.served', 'listed, by its own name'), async ({ api, target }) => {
  for (const which of ['SymmetricKeyEncryption', 'SvcTokenEncryption'] as const)
    await managementOf(target).rotateKeys(which, hour)
  const keys = await fetchKeys(api)
  expect(keys.length, 'certificates during the overlap').toBeGreaterThan(2)
  for (const { certificate, publicKeyId } of keys) {
    const facts = readCertificate(certificate)
    if (publicKeyId !== undefined)
      expect.soft(publicKeyId, 'the SHA-256 of the key').toBe(facts.publicKeyId)
  }
})

test(...rule('keys.rotation.served', 'accepted'), async ({ login, target, invoice }) => {
  const { api } = await login()
  await managementOf(target).rotateKeys(usage, hour)
  expect(await invoiceUnder(api, invoice().bytes)).toHaveSucceeded('invoice')
})

test(
  ...rule('keys.rotation.served', 'accepted, named by its id'),
  async ({ login, target, invoice, clock }) => {
    const { api } = await login()
    const old = await fetchKeys(api)
    await managementOf(target).rotateKeys(usage, hour)
    for (const [what, keys] of [
      ['the new key', await fetchKeys(api)],
      ['the earlier key', old],
    ] as const) {
      const key = chooseKey(keys, usage, target.now())
      const { publicKeyId } = key ?? {}
      test.skip(publicKeyId === undefined, 'the target gives its keys no ids')
      const named = { ...(await encryptionFields(api, drawSecret(), keys)), publicKeyId }
      const batch = await packed([invoice()])
      for (const { operation, body } of await openings(api, batch, clock.now())) {
        const answer = await api.call(operation, { body: { ...body, ...named } })
        expect(answer, `${operation} under ${what}`).toBeOk()
      }
    }
  },
)

test(...rule('keys.rotation.served', 'overlap'), async ({ login, target, invoice }) => {
  const { api } = await login()
  const old = await fetchKeys(api)
  await managementOf(target).rotateKeys(usage, hour)
  expect(await invoiceUnder(api, invoice().bytes, old)).toHaveSucceeded('invoice')
})

test(...rule('keys.rotation.served', 'withdrawn'), async ({ login, target, clock, invoice }) => {
  const { api } = await login()
  const old = await fetchKeys(api)
  const key = chooseKey(old, usage, target.now())
  await managementOf(target).rotateKeys(usage, 60_000)
  await clock.advance(120_000)
  const secret = await encryptionFields(
    api,
    drawSecret(),
    key === undefined ? old : [{ ...key, validTo: Infinity }],
  )
  const listed = (await fetchKeys(api)).map(({ certificate }) => certificate)
  expect(listed, 'the certificates that are listed').not.toContain(key?.certificate)
  const other = chooseKey(old, 'SvcTokenEncryption', target.now())
  if (other?.certificate !== key?.certificate)
    expect(listed, 'with that of the other usage').toContain(other?.certificate)
  const batch = await packed([invoice()])
  for (const { operation, body } of await openings(api, batch, clock.now())) {
    const named = { ...body, ...secret, publicKeyId: key?.publicKeyId }
    expect(await api.call(operation, { body: named }), operation).toBeRefused('public-key-unknown')
  }
  const unnamed = { formCode: formCodes.fa3, ...secret }
  const opening = await api.call('sessions.openOnline', { body: unnamed })
  expect(await outcomeOfOpening(api, opening)).toBeRejected('session-key-refused')
  const fresh = await openOnline(api, { formCode: formCodes.fa3 })
  expect(fresh.referenceNumber, 'a session opened with the new certificate').toMatch(/\S/)
})

test(
  ...rule('keys.rotation.served', 'withdrawn, opened before'),
  async ({ login, target, clock, invoice }) => {
    const { api } = await login()
    const secret = drawSecret()
    const sealed = await encryptionFields(api, secret)
    const { publicKeyId } = chooseKey(await fetchKeys(api), usage, target.now()) ?? {}
    const batch = await packed([invoice()], { secret })
    const requests = await openings(api, batch, clock.now())
    for (const { operation, body } of requests)
      expect(await api.call(operation, { body: { ...body, ...sealed } }), operation).toBeOk()
    await managementOf(target).rotateKeys(usage, 60_000)
    await clock.advance(120_000)
    for (const { operation, body, outcome } of requests) {
      const again = await api.call(operation, { body: { ...body, ...sealed } })
      expect(await outcome(again), `${operation} once more`).toBeRejected('session-key-refused')
      const named = { ...body, ...sealed, publicKeyId }
      if (publicKeyId !== undefined)
        expect(await api.call(operation, { body: named }), `${operation}, named`).toBeRefused(
          'public-key-unknown',
        )
    }
  },
)

test(
  ...rule('keys.rotation.served', 'withdrawn, open session'),
  async ({ open, target, clock, invoice }) => {
    const desk = await open()
    expect(await outcomeOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
    const batch = await packed([invoice()])
    const body = await batchBody(desk.api, batch, formCodes.fa3)
    const opened = await desk.api.call('sessions.openBatch', { body })
    expect(opened, 'a batch session').toBeOk()
    const old = chooseKey(await fetchKeys(desk.api), usage, target.now())
    await managementOf(target).rotateKeys(usage, 60_000)
    await clock.advance(120_000)
    const listed = (await fetchKeys(desk.api)).map(({ certificate }) => certificate)
    expect(listed, 'the certificates that are listed').not.toContain(old?.certificate)
    const later = await outcomeOfInvoice(desk, invoice().bytes)
    expect(later, 'in a session opened before').toHaveSucceeded('invoice')
    const ended = await outcomeOfBatchOpening(desk.api, batch, opened)
    expect(ended, 'a package announced before').toHaveSucceeded('batchSession')
  },
)

test(
  ...rule('keys.rotation.served', 'overlap, service tokens'),
  async ({ api, serviceToken, target }) => {
    const { context, token } = await serviceToken()
    const login = { context: { type: context.type, value: context.value }, token }
    const old = await fetchKeys(api)
    await managementOf(target).rotateKeys('SvcTokenEncryption', hour)
    for (const [what, keys] of [
      ['the earlier key', old],
      ['the new key', await fetchKeys(api)],
    ] as const) {
      const outcome = await tokenUnder(api, login, keys)
      expect(outcome, `a token encrypted with ${what}`).toHaveSucceeded('authentication')
      const publicKeyId = chooseKey(keys, 'SvcTokenEncryption', target.now())?.publicKeyId
      if (publicKeyId === undefined) continue
      const body = await tokenLoginBody(api, { ...login, keys }, await fetchChallenge(api))
      const named = await api.call('auth.token', { body: { ...body, publicKeyId } })
      expect(named, `a token encrypted with ${what}, named by its id`).toBeOk()
    }
  },
)

test(
  ...rule('keys.rotation.served', 'withdrawn, service tokens'),
  async ({ api, serviceToken, target, clock, invoice }) => {
    const { context, token, me } = await serviceToken()
    const old = await fetchKeys(api)
    const inTime = { context: { type: context.type, value: context.value }, token, keys: old }
    const opened = await tokenLoginBody(api, inTime, await fetchChallenge(api))
    const before = await outcomeOfAuthentication(
      api,
      await api.call('auth.token', { body: opened }),
    )
    expect(before, 'before the rotation').toHaveSucceeded('authentication')
    await managementOf(target).rotateKeys('SvcTokenEncryption', 60_000)
    await clock.advance(120_000)
    const { challenge } = await fetchChallenge(api)
    const reused = await api.call('auth.token', { body: { ...opened, challenge } })
    expect(
      await outcomeOfAuthentication(api, reused),
      'what was opened before the rotation',
    ).not.toHaveSucceeded('authentication')
    const symmetric = await invoiceUnder(me.api, invoice().bytes)
    expect(symmetric, 'under a key of the other usage').toHaveSucceeded('invoice')
    const keys = old.map((key) => ({ ...key, validTo: Infinity }))
    const login = { context: { type: context.type, value: context.value }, token, keys }
    const outcome = await tokenUnder(api, login, keys)
    expect(outcome, 'a token encrypted with a withdrawn key').toBeRejected('token-refused')
    const fresh = await tokenUnder(api, login, await fetchKeys(api))
    expect(fresh, 'with a key that is listed').toHaveSucceeded('authentication')
    const again = await tokenLoginBody(api, login, await fetchChallenge(api))
    const publicKeyId = chooseKey(keys, 'SvcTokenEncryption', target.now())?.publicKeyId
    const named = await api.call('auth.token', { body: { ...again, publicKeyId } })
    if (publicKeyId !== undefined) expect(named, 'named').toBeRefused('public-key-unknown')
  },
)

// A service that keeps one earlier key loses the first of three; what it lists has to work.
test(
  ...rule('keys.rotation.served', 'overlap, of two rotations'),
  async ({ login, target, invoice }) => {
    const { api } = await login()
    for (const overlapMs of [24 * hour, 12 * hour])
      await managementOf(target).rotateKeys(usage, overlapMs)
    // A service that ran on may list keys of earlier rotations too.
    const keys = (await fetchKeys(api))
      .filter((key) => key.usage.includes(usage))
      .toSorted((a, b) => b.validFrom - a.validFrom)
      .slice(0, 3)
    for (const [place, key] of keys.entries()) {
      const by = `by entry ${place + 1} of ${keys.length}`
      const outcome = await invoiceUnder(api, invoice().bytes, [key])
      expect(outcome, `an invoice of a session, ${by}`).toHaveSucceeded('invoice')
      const batch = await packed([invoice()])
      const opening = { body: await batchBody(api, batch, formCodes.fa3, [key]) }
      const opened = await api.call('sessions.openBatch', opening)
      const ended = await outcomeOfBatchOpening(api, batch, opened)
      expect(ended, `a package, ${by}`).toHaveSucceeded('batchSession')
      const secret = drawSecret()
      const body = {
        ...(await exportBody(api, { filters: issuedAround(target.now()) }, secret)),
        ...(await encryptionFields(api, secret, [key])),
      }
      const created = await api.call('exports.create', { body })
      expect(created, `the creation of an export, ${by}`).toBeOk()
      const started = { referenceNumber: expectText(created, by, 'referenceNumber'), ...secret }
      expect(await settleExport(api, started), `an export, ${by}`).toHaveSucceeded('export')
    }
  },
)
