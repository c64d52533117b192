import { X509Certificate } from 'node:crypto'
import type { Client } from '../../lib/client.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import {
  attributesOf,
  listCertificates,
  listedAs,
  obtainCertificate,
} from '../support/enrolment.ts'
import type { Issued } from '../support/enrolment.ts'
import { pagesByNumber } from '../support/paged-lists.ts'
import { covering } from '../support/matrices.ts'
import { rule } from '../support/rule.ts'
import { authenticateAs } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** The list of certificates, and their retrieval. */

const day = 24 * 3600 * 1000

const certificateOf = ({ credentials }: Issued) => new X509Certificate(credentials.certificate)

const active = covering('state', { rows: ['certificate 100'] })

test(...rule('certificates.listed', 'described', active), async ({ api, login, own, target }) => {
  const me = await login()
  const issued = await obtainCertificate(me.api, { name: 'described by a check' })
  const { serialNumber, credentials } = issued
  const { commonName } = await attributesOf(me.api)
  const look = async () =>
    ({ ...(await listedAs(me.api, serialNumber)) }) as Record<string, unknown>
  const entry = await look()
  expect(entry, 'the certificate in the list').toMatchObject({
    certificateSerialNumber: serialNumber,
    name: 'described by a check',
    type: 'Authentication',
    status: 'Active',
    commonName,
    ...(own.by === 'document' && { subjectIdentifier: { type: 'Nip', value: own.nip } }),
  })
  const { validFrom, validTo } = certificateOf(issued)
  const [from, to] = [entry['validFrom'], entry['validTo']].map((date) => Date.parse(String(date)))
  expect([from, to], 'the listed dates').toEqual([Date.parse(validFrom), Date.parse(validTo)])
  const ago = (record: Readonly<Record<string, unknown>>, name: string) =>
    Math.abs(Date.parse(String(record[name])) - target.now())
  expect(ago(entry, 'requestDate'), 'milliseconds since the request').toBeLessThan(600_000)
  expect(entry['lastUseDate'] ?? null, 'its last use before the first one').toBeNull()
  expect(await authenticateAs(api, own, { credentials })).toHaveSucceeded('authentication')
  expect(ago(await look(), 'lastUseDate'), 'milliseconds since its last use').toBeLessThan(600_000)
})

/** The sorted names of the check's certificates that match a filter. */
const namesLeft = async (api: Client, filter: Readonly<Record<string, unknown>>) =>
  (await listCertificates(api, filter)).map(({ name }) => name).toSorted()

test(...rule('certificates.listed', 'filters'), async ({ login, clock }) => {
  const { api } = await login()
  const later = new Date(clock.now() + 30 * day).toISOString()
  const alpha = await obtainCertificate(api, { name: 'alpha seal' })
  const beta = await obtainCertificate(api, { name: 'Beta SEAL', type: 'Offline' })
  const gamma = await obtainCertificate(api, { name: 'gamma', validFrom: later })
  const delta = await obtainCertificate(api, { name: 'delta' })
  const path = { certificateSerialNumber: delta.serialNumber }
  expectOk(await api.call('certificates.revoke', { path, body: {} }), 'revoke the certificate')
  await poll(
    async () => (await listedAs(api, delta.serialNumber))?.status,
    (status) => status === 'Revoked',
    { ...api.polling, times: 20, sleep: api.sleep },
  )
  const end = Date.parse(certificateOf(alpha).validTo)
  const all = ['Beta SEAL', 'alpha seal', 'delta', 'gamma']
  const narrowed: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{}, all],
    [{ certificateSerialNumber: alpha.serialNumber }, ['alpha seal']],
    [{ certificateSerialNumber: beta.serialNumber }, ['Beta SEAL']],
    [{ certificateSerialNumber: '0123456789ABCDEF' }, []],
    [{ type: 'Offline' }, ['Beta SEAL']],
    [{ type: 'Authentication' }, ['alpha seal', 'delta', 'gamma']],
    [{ status: 'Revoked' }, ['delta']],
    [{ status: 'Active' }, ['Beta SEAL', 'alpha seal', 'gamma']],
    [{ status: 'Expired' }, []],
    [{ name: 'seal' }, ['Beta SEAL', 'alpha seal']],
    [{ name: 'gamma' }, ['gamma']],
    [{ name: 'none of them' }, []],
    [{ expiresAfter: new Date(clock.now()).toISOString() }, all],
    [{ expiresAfter: new Date(end + 10 * day).toISOString() }, ['gamma']],
    [{ expiresAfter: new Date(end + 100 * day).toISOString() }, []],
    [{ name: 'seal', type: 'Authentication' }, ['alpha seal']],
  ]
  for (const [filter, left] of narrowed)
    expect(await namesLeft(api, filter), JSON.stringify(filter)).toEqual(left)
  expect(gamma.serialNumber, 'serial numbers that differ').not.toBe(alpha.serialNumber)
})

/** The serial numbers of the certificates that a caller retrieves. */
const fetched = async (api: Client, ...certificateSerialNumbers: readonly string[]) => {
  const answer = await api.call('certificates.retrieve', { body: { certificateSerialNumbers } })
  const { certificates } = expectObject(answer, 'retrieve the certificates')
  return certificates as readonly Readonly<Record<string, string>>[]
}

test(...rule('certificates.listed', 'own'), async ({ login, another }) => {
  const me = await login()
  const other = await login({ context: await another() })
  const [mine, theirs] = [await obtainCertificate(me.api), await obtainCertificate(other.api)]
  const listed = async (api: Client) =>
    (await listCertificates(api)).map(({ certificateSerialNumber }) => certificateSerialNumber)
  expect(await listed(me.api), 'certificates of the first subject').toEqual([mine.serialNumber])
  expect(await listed(other.api), 'certificates of the second subject').toEqual([
    theirs.serialNumber,
  ])
})

test(...rule('certificates.listed', 'fetched'), async ({ login, another }) => {
  const me = await login()
  const other = await login({ context: await another() })
  const one = await obtainCertificate(me.api, { name: 'the first one' })
  const two = await obtainCertificate(me.api, { name: 'the second one', type: 'Offline' })
  const three = await obtainCertificate(me.api, { name: 'the third one' })
  const shown = (issued: Issued, certificateName: string, certificateType: string) => ({
    certificateSerialNumber: issued.serialNumber,
    certificateName,
    certificateType,
    certificate: Buffer.from(issued.credentials.certificate).toString('base64'),
  })
  const wanted = [one.serialNumber, two.serialNumber]
  const documents = await fetched(me.api, ...wanted)
  const bySerial = documents.toSorted(
    (a, b) =>
      wanted.indexOf(a['certificateSerialNumber'] ?? '') -
      wanted.indexOf(b['certificateSerialNumber'] ?? ''),
  )
  expect(bySerial, 'two of three certificates').toMatchObject([
    shown(one, 'the first one', 'Authentication'),
    shown(two, 'the second one', 'Offline'),
  ])
  expect(await fetched(other.api, ...wanted, three.serialNumber), 'for another subject').toEqual([])
})

test(...rule('certificates.listed', 'pages'), async ({ login }) => {
  const { api } = await login()
  const made: string[] = []
  while (made.length < 12)
    made.push((await obtainCertificate(api, { name: `number ${made.length}` })).serialNumber)
  const pages = await pagesByNumber(api, 'certificates.query', 'certificates', {
    body: {},
    pageSize: 10,
  })
  expect(
    pages.map(({ length }) => length),
    'certificates on each page',
  ).toEqual([10, 2])
  expect(
    pages
      .flat()
      .map(({ certificateSerialNumber }) => String(certificateSerialNumber))
      .toSorted(),
    'each once, over pages',
  ).toEqual(made.toSorted())
})
