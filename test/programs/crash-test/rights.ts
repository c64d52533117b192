import { freshKey } from '../../../lib/node/pki.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { createRng } from '../../../lib/random.ts'
import { expectObject, expectOk, expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import {
  applyFor,
  outcomeOfApplication,
  listedAs,
} from '../../../suites/support/callers/enrolment.ts'
import type { Identifier } from '../../../suites/support/callers/grants.ts'
import { personGrant, settleOperation } from '../../../suites/support/callers/grants.ts'
import type { Fact, Tell, World } from './world.ts'
import { digest, opens, same } from './world.ts'

/** Work with rights: permissions, service tokens, service certificates. Every answer becomes a fact. */

const rng = createRng(`people ${process.pid}`)
let last = 0

/** The permission of a person in the context, where there is one. */
const permissionOf = async ({ api }: World, subject: Identifier): Promise<string | undefined> => {
  const answer = await api.call('permissions.queryPersons', {
    body: { queryType: 'PermissionsGrantedInCurrentContext', authorizedIdentifier: subject },
  })
  const { permissions } = expectObject(answer, 'list the permissions')
  return (permissions as readonly { readonly id: string }[])[0]?.id
}

/** Grants a permission, and takes every other one back. */
export const grant = async (world: World, tell: Tell): Promise<void> => {
  const subject = { type: 'Pesel', value: drawPesel(rng) }
  const started = await world.api.call('permissions.grantPerson', {
    body: personGrant(subject, ['InvoiceRead']),
  })
  const operations = [expectText(started, 'grant', 'referenceNumber')]
  // If no answer came, the call may have arrived: either result is right.
  let expected: boolean | undefined = true
  const fact: Fact = {
    what: `permission of ${subject.value}, ${operations[0]}`,
    async check(later) {
      for (const operation of operations)
        same(
          `${fact.what}: operation`,
          (await settleOperation(later.api, operation)).status.code,
          200,
        )
      const found = (await permissionOf(later, subject)) !== undefined
      same(`${fact.what}: granted`, found, expected ?? found)
    },
  }
  tell(fact)
  await fact.check(world)
  if (++last % 2 === 0) return
  const permissionId = await permissionOf(world, subject)
  expected = undefined
  const revoked = await world.api.call('permissions.revoke', {
    path: { permissionId: String(permissionId) },
  })
  operations.push(expectText(revoked, 'revoke', 'referenceNumber'))
  expected = false
  await fact.check(world)
}

const statusOfToken = async ({ api }: World, referenceNumber: string): Promise<string> => {
  const { last: seen } = await poll(
    async () =>
      expectText(
        await api.call('tokens.status', { path: { referenceNumber } }),
        'status',
        'status',
      ),
    (status) => status !== 'Pending' && status !== 'Revoking',
    { ...api.polling, sleep: api.sleep },
  )
  return seen
}

/** Makes a service token, and takes every other one back. */
export const makeToken = async (world: World, tell: Tell): Promise<void> => {
  const body = { permissions: ['InvoiceRead'], description: 'made under load' }
  const made = await world.api.call('tokens.create', { body })
  const token = expectText(made, 'make a token', 'token')
  const referenceNumber = expectText(made, 'make a token', 'referenceNumber')
  let expected: string | undefined = 'Active'
  const fact: Fact = {
    what: `token ${referenceNumber}`,
    async check(later) {
      const status = await statusOfToken(later, referenceNumber)
      same(`${fact.what}: status`, status, expected ?? status)
      same(`${fact.what}: opens`, await opens(later, token), status === 'Active')
    },
  }
  tell(fact)
  await fact.check(world)
  if (++last % 2 === 0) return
  expected = undefined
  expectOk(await world.api.call('tokens.revoke', { path: { referenceNumber } }), 'revoke')
  expected = 'Revoked'
  await fact.check(world)
}

/** Applies for a certificate and retrieves it. */
export const enrol = async (world: World, tell: Tell): Promise<void> => {
  const started = await applyFor(world.api, { privateKey: freshKey('p256'), name: 'under load' })
  const what = `application ${expectText(started, 'apply', 'referenceNumber')}`
  let reported: { readonly serial: string; readonly hash: string } | undefined
  const fact: Fact = {
    what,
    async check({ api }) {
      const outcome = await outcomeOfApplication(api, started)
      if (!('succeeded' in outcome) || !outcome.succeeded)
        throw new Error(`${what}: no certificate`)
      const serial = String(outcome.body['certificateSerialNumber'])
      same(`${what}: serial number`, serial, reported?.serial ?? serial)
      const answer = await api.call('certificates.retrieve', {
        body: { certificateSerialNumbers: [serial] },
      })
      const { certificates } = expectOk(answer, what).body as {
        certificates: { certificate: string }[]
      }
      const hash = digest(Buffer.from(certificates[0]?.certificate ?? '', 'base64'))
      same(`${what}: certificate`, hash, reported?.hash ?? hash)
      same(`${what}: listed`, (await listedAs(api, serial))?.status, 'Active')
      reported = { serial, hash }
    },
  }
  tell(fact)
  await fact.check(world)
}
