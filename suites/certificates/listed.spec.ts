import { X509Certificate } from 'node:crypto'
import type { Client } from '../../lib/client.ts'
import { sealSubject } from '../../lib/node/pki.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import { contextWith } from '../support/service/contexts.ts'
import {
  attributesOf,
  listCertificates,
  listedAs,
  obtainCertificate,
} from '../support/callers/enrolment.ts'
import type { Issued } from '../support/callers/enrolment.ts'
import { byNip, grantInTest, grantPerson } from '../support/callers/grants.ts'
import { meaningOfRow } from '../support/answers/meaning.ts'
import { pagesByNumber } from '../support/answers/paged-lists.ts'
import type { Row } from '../support/answers/paged-lists.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { ownCertificate } from '../support/steps/seals.ts'
import { authenticateAs, fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** The list of certificates, and their retrieval. */

const minute = 60_000
const day = 24 * 60 * minute

const certificateOf = ({ credentials }: Issued) => new X509Certificate(credentials.certificate)

test(...rule('certificates.listed', 'described'), async ({ api, login, own, target }) => {
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
    ...(own.by === 'document' && { subjectIdentifier: byNip(own.nip) }),
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

test(
  ...rule('certificates.listed', 'described, last use of one of two'),
  async ({ api, login, own }) => {
    const me = await login()
    const [used, unused] = [await obtainCertificate(me.api), await obtainCertificate(me.api)]
    expect(await authenticateAs(api, own, used)).toHaveSucceeded('authentication')
    const lastUse = async ({ serialNumber }: Issued) =>
      ({ ...(await listedAs(me.api, serialNumber)) }) as Record<string, unknown>
    const date = (row: Readonly<Record<string, unknown>>) => row['lastUseDate'] ?? null
    expect(date(await lastUse(used)), 'of the one that was used').not.toBeNull()
    expect(date(await lastUse(unused)), 'of the other one').toBeNull()
  },
)

test(...rule('certificates.listed', 'rows'), async ({ login, own, clock, target }) => {
  const me = await login()
  // Another seal of the same taxpayer, under another name.
  const subject = { ...sealSubject(own.nip), commonName: 'Another seal' }
  const credentials = ownCertificate(target, { subject })
  const seal = contextWith({ type: own.type, value: own.value }, credentials, target.now)
  const other = await login({ context: seal })
  const expected: { readonly requested: number; readonly row: Row }[] = []
  for (const [name, type, { api }, days] of [
    ['one after another', 'Authentication', me, 0],
    ['for offline use', 'Offline', me, 30],
    ['of another name', 'Authentication', other, 60],
    ['the last of them', 'Offline', other, 0],
  ] as const) {
    const { commonName } = await attributesOf(api)
    const requested = clock.now()
    const validFrom = new Date(requested + days * day).toISOString()
    const more = days === 0 ? {} : { validFrom }
    const issued = await obtainCertificate(api, { name, type, ...more })
    const certificate = certificateOf(issued)
    const row = {
      certificateSerialNumber: issued.serialNumber,
      name,
      type,
      commonName,
      validFrom: Date.parse(certificate.validFrom),
      validTo: Date.parse(certificate.validTo),
    }
    expected.push({ requested, row })
    await clock.advance(2 * minute)
  }
  const instant = (text: unknown) => Date.parse(String(text))
  const listed: readonly Row[] = (await listCertificates(me.api)).map((entry) => ({ ...entry }))
  for (const { requested, row } of expected) {
    const { name, certificateSerialNumber: serial } = row
    const found = listed.find((entry) => entry['certificateSerialNumber'] === serial)
    const [validFrom, validTo] = [instant(found?.['validFrom']), instant(found?.['validTo'])]
    expect.soft({ ...found, validFrom, validTo }, `the row of ${String(name)}`).toMatchObject(row)
    const late = Math.abs(instant(found?.['requestDate']) - requested)
    expect.soft(late, `milliseconds after the request: ${String(name)}`).toBeLessThan(minute)
  }
})

test(...rule('certificates.listed', 'rows, last use'), async ({ api, login, own, clock }) => {
  const me = await login()
  const used = new Map<string, number>()
  const [first, other] = [await obtainCertificate(me.api), await obtainCertificate(me.api)]
  for (const { serialNumber, credentials } of [first, other, first]) {
    used.set(serialNumber, clock.now())
    expect(await authenticateAs(api, own, { credentials })).toHaveSucceeded('authentication')
    await clock.advance(3 * minute)
  }
  for (const [serialNumber, at] of used) {
    const { lastUseDate } = { ...(await listedAs(me.api, serialNumber)) } as Row
    const late = Math.abs(Date.parse(String(lastUseDate)) - at)
    expect(late, 'milliseconds between a use and its date').toBeLessThan(minute)
  }
})

test(
  ...rule('certificates.listed', 'described, retrieved beside unknown ones'),
  async ({ login }) => {
    const { api } = await login()
    const { serialNumber: first } = await obtainCertificate(api)
    const { serialNumber: second } = await obtainCertificate(api)
    const unknown = '00000000000000FF'
    for (const serials of [
      [second, first],
      [unknown, first, second],
      [first, unknown, second],
      [first, second, unknown],
      [
        ...Array<string>(8)
          .fill(unknown)
          .map((text, at) => text.replace(/^0/, String(at))),
        first,
        second,
      ],
    ]) {
      const body = { certificateSerialNumbers: serials }
      const answer = await api.call('certificates.retrieve', { body })
      // Whether an unknown number is an error is not specified.
      if (serials.includes(unknown) && answer.status > 299) continue
      expect(answer).toBeOk()
      const found = (fields(answer)['certificates'] ?? []) as readonly Row[]
      expect(
        found.map((row) => String(row['certificateSerialNumber'])).toSorted(),
        `retrieved by ${serials.join(', ')}`,
      ).toEqual([first, second].toSorted())
    }
  },
)

test(...rule('certificates.listed', 'of a person'), async ({ api, login, own, rng, target }) => {
  const person = personAt(own, rng, target, 'Pesel')
  await grantInTest(api, own, person.subject, ['InvoiceRead'])
  const me = await login({ context: person.context })
  const { serialNumber } = await obtainCertificate(me.api)
  expect(await listedAs(me.api, serialNumber), 'the certificate of the person').toMatchObject({
    subjectIdentifier: person.subject,
  })
})

test(
  ...rule('certificates.listed', 'own, in another context'),
  async ({ login, own, another, target }) => {
    test.skip(own.by === 'token', 'the target offers no certificate of the context')
    const me = await login()
    const { serialNumber } = await obtainCertificate(me.api)
    const elsewhere = await another()
    const host = await login({ context: elsewhere })
    await grantPerson(host.api, byNip(own.nip), ['InvoiceRead'])
    const { type, value } = elsewhere
    const away = await login({ context: contextWith({ type, value }, own.credentials, target.now) })
    const seenBy = async (api: Client) =>
      meaningOfRow('certificates.query', 'certificates', await listedAs(api, serialNumber))
    expect(await seenBy(away.api), 'the certificate, listed there').toEqual(await seenBy(me.api))
    const body = { certificateSerialNumbers: [serialNumber] }
    const fetched = await away.api.call('certificates.retrieve', { body })
    expect(fetched, 'the certificate, fetched there').toBeOk()
    expect(fetched.text, 'the certificate, fetched there').toContain(serialNumber)
  },
)

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
  const listed = pages.flat().map((row) => String(row['certificateSerialNumber']))
  expect(listed.toSorted(), 'each once, over pages').toEqual(made.toSorted())
})
