import { X509Certificate } from 'node:crypto'
import { expectOk } from '../../../lib/outcome.ts'
import { obtainCertificate, revokeCertificate } from '../../support/callers/enrolment.ts'
import { choice, expectFiltered } from '../../support/steps/filter-pairs.ts'
import { grantInTest } from '../../support/callers/grants.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken, revokeToken } from '../../support/callers/service-token.ts'
import type { TokenQuery } from '../../support/callers/service-token.ts'
import { fields } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { test } from '../../support/harness/test.ts'

const minute = 60_000

/** Every two filters of the lists of service tokens and certificates together. */

const [ofOwner, ofVisitor] = [
  ['alpha ledger', 'alpha books'],
  ['beta ledger', 'beta books'],
] as const

for (const [id, who, sees] of [
  ['tokens.list.narrowed', 'service tokens', [...ofOwner, ...ofVisitor]],
  ['tokens.list.scope', 'service tokens of the caller', ofVisitor],
] as const)
  test(
    ...familyRule(id, 'pair of filters of credentials', who),
    async ({ api, login, own, rng, target }) => {
      await withoutRates(target)
      const owner = await login()
      const person = personAt(own, rng, target, 'Pesel')
      await grantInTest(api, own, person.subject, ['InvoiceRead'])
      const visitor = await login({ context: person.context })
      const names = new Map<string, string>()
      for (const [by, description, ends] of [
        [owner, 'alpha ledger', false],
        [owner, 'alpha books', true],
        [visitor, 'beta ledger', true],
        [visitor, 'beta books', false],
      ] as const) {
        const { referenceNumber = '' } = await mintToken(by, ['InvoiceRead'], description)
        names.set(referenceNumber, description)
        if (ends) await revokeToken(owner.api, referenceNumber)
      }
      const { value } = person.subject
      const reader = sees === ofVisitor ? visitor : owner
      const keeps = (given: TokenQuery, ...all: readonly string[]) =>
        choice(given, ...all.filter((name) => sees.some((one) => one === name)))
      await expectFiltered(
        (given) =>
          reader.api.call('tokens.list', { query: { pageSize: 100, ...(given as TokenQuery) } }),
        ({ body }) =>
          ((fields({ body })['tokens'] ?? []) as readonly Row[]).flatMap(
            ({ referenceNumber }) => names.get(String(referenceNumber)) ?? [],
          ),
        {
          status: [
            keeps({ status: ['Active'] }, 'alpha ledger', 'beta books'),
            keeps({ status: ['Pending', 'Revoked'] }, 'alpha books', 'beta ledger'),
          ],
          description: [
            keeps({ description: 'ledger' }, 'alpha ledger', 'beta ledger'),
            keeps({ description: 'BETA' }, 'beta ledger', 'beta books'),
          ],
          authorIdentifier: [
            keeps({ authorIdentifier: own.nip }, ...ofOwner),
            keeps({ authorIdentifier: value.slice(2) }, ...ofVisitor),
          ],
          authorIdentifierType: [
            keeps({ authorIdentifierType: 'Nip' }, ...ofOwner),
            keeps({ authorIdentifierType: 'Pesel' }, ...ofVisitor),
          ],
        },
      )
    },
  )

test(
  ...familyRule('certificates.listed', 'pair of filters of certificates'),
  async ({ login, clock, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const inAMonth = clock.now() + 30 * 24 * 3_600_000
    const validFrom = new Date(inAMonth).toISOString()
    const rows = [
      ['alpha seal', { type: 'Authentication' }],
      ['alpha stamp', { type: 'Offline', validFrom }],
      ['beta seal', { type: 'Offline' }],
      ['beta stamp', { type: 'Authentication', validFrom }],
    ] as const
    const serials = new Map<string, string>()
    const ends: number[] = []
    for (const [name, more] of rows) {
      const { serialNumber, credentials } = await obtainCertificate(api, { name, ...more })
      serials.set(name, serialNumber)
      ends.push(Date.parse(new X509Certificate(credentials.certificate).validTo))
    }
    const [early = 0, late = 0] = ends
    const instant = (at: number) => new Date(at).toISOString()
    const expiresAfter = instant((early + late) / 2)
    await revokeCertificate(api, serials.get('beta seal') ?? '')
    const ended = await obtainCertificate(api, { name: 'gamma mark', type: 'Offline' })
    const shortened = await api.call('testdata.updateCertificate', {
      path: { serialNumber: ended.serialNumber },
      body: { validTo: instant(clock.now() + minute) },
    })
    expectOk(shortened, 'shorten its validity')
    await clock.advance(2 * minute)
    await expectFiltered(
      (given) => api.call('certificates.query', { query: { pageSize: 50 }, body: given }),
      ({ body }) =>
        ((fields({ body })['certificates'] ?? []) as readonly Row[]).map(({ name }) =>
          String(name),
        ),
      {
        certificateSerialNumber: [
          choice({ certificateSerialNumber: serials.get('alpha seal') }, 'alpha seal'),
          choice({ certificateSerialNumber: '00000000000000FF' }),
        ],
        name: [
          choice({ name: 'SEAL' }, 'alpha seal', 'beta seal'),
          choice({ name: 'beta' }, 'beta seal', 'beta stamp'),
        ],
        type: [
          choice({ type: 'Authentication' }, 'alpha seal', 'beta stamp'),
          choice({ type: 'Offline' }, 'alpha stamp', 'beta seal', 'gamma mark'),
        ],
        status: [
          choice({ status: 'Active' }, 'alpha seal', 'alpha stamp', 'beta stamp'),
          choice({ status: 'Revoked' }, 'beta seal'),
          choice({ status: 'Expired' }, 'gamma mark'),
        ],
        expiresAfter: [
          choice({ expiresAfter }, 'alpha stamp', 'beta stamp'),
          // Soon after and soon before the first ones end, on the same day.
          choice({ expiresAfter: instant(early + 600_000) }, 'alpha stamp', 'beta stamp'),
          choice({ expiresAfter: instant(early - 600_000) }, ...rows.map(([name]) => name)),
        ],
      },
    )
  },
)
