import type { BodyOf } from '../../../contract/schemas.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import type { Client } from '../../../lib/client.ts'
import { thresholdsOf } from '../../../lib/pacer.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { contextWith } from '../../support/service/contexts.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { statedIn } from '../../support/answers/meaning.ts'
import { expectUntouched } from '../../support/scenes/neighbours.ts'
import type { Kind } from '../../support/scenes/neighbours.ts'
import { limitedOf, reportedRates, setRates } from '../../support/service/rated.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What is set for one context or person in tests applies to no other. */

const description = 'made by a conformance check'

const simulations = [
  'testdata.setSessionLimits',
  'testdata.restoreSessionLimits',
  'testdata.setSubjectLimits',
  'testdata.restoreSubjectLimits',
  'testdata.setRateLimits',
  'testdata.restoreRateLimits',
  'testdata.productionRateLimits',
] as const

const limitsOf = async (api: Client) => {
  const [context, subject, rates] = [
    await api.call('limits.context'),
    await api.call('limits.subject'),
    await api.call('limits.rates'),
  ].map((answer) => statedIn(answer, 'read the limits'))
  return { context, subject, rates }
}

/** This many calls at once. */
const list = (api: Client, calls: number) =>
  Promise.all(
    Array.from({ length: calls }, () =>
      api.call('sessions.list', { query: { sessionType: 'Online' }, pace: false }),
    ),
  )

const settings: Readonly<Record<string, Kind>> = {
  'limits of a context': {
    rule: 'testdata.limit-simulation',
    acts: simulations,
    async make({ login, another }) {
      const { api } = await login({ context: await another() })
      const look = () => limitsOf(api)
      const { context } = await look()
      const { onlineSession, batchSession } = context as BodyOf<'ContextLimits'>
      const body = { onlineSession: { ...onlineSession, maxInvoices: 7 }, batchSession }
      for (const [operation, more] of [
        ['testdata.setSessionLimits', { body }],
        ['testdata.setSubjectLimits', { body: { certificate: { maxCertificates: 3 } } }],
      ] as const)
        expectOk(await api.call(operation, more), 'set limits')
      await setRates(api, {})
      return { look }
    },
  },
  'limits that were never set': {
    rule: 'testdata.limit-simulation',
    acts: simulations,
    async make({ login, another, target }, { operation }) {
      await withoutRates(target)
      const { api } = await login({ context: await another() })
      const { perSecond: ofProduction = 0 } = thresholdsOf('sessionList', target.dialect) ?? {}
      // Setting production's limits only shows an effect where no limit or a higher one was in force before.
      const counts =
        operation.endsWith('RateLimits') &&
        (target.management !== undefined ||
          (await reportedRates(api)).sessionList.perSecond > ofProduction)
      const look = async () => ({
        ...(await limitsOf(api)),
        limited: counts ? limitedOf(await list(api, ofProduction + 1)) : undefined,
      })
      return { look }
    },
  },
  'consent that was never given': {
    rule: 'testdata.attachments',
    acts: ['testdata.allowAttachments', 'testdata.denyAttachments'],
    async make({ login, another }) {
      const { api } = await login({ context: await another() })
      const look = async () =>
        statedIn(await api.call('permissions.attachmentStatus'), 'read the status of attachments')
      return { look }
    },
  },
  'roles of a context': {
    rule: 'testdata.entities',
    acts: [
      'testdata.createSubject',
      'testdata.removeSubject',
      'testdata.createPerson',
      'testdata.removePerson',
    ],
    async make({ api, another, login, rng, target }) {
      const context = await another()
      const [subjectNip, pesel] = [context.nip, drawPesel(rng)]
      const person = { nip: subjectNip, pesel, isBailiff: true, description }
      expectOk(await api.call('testdata.createPerson', { body: person }), 'create a person')
      const unit = { subjectNip, subjectType: 'JST', description }
      expectOk(await api.call('testdata.createSubject', { body: unit }), 'create a subject')
      const credentials = makeCertificate({ subject: personSubject({ pesel }), now: target.now() })
      const bailiff = contextWith(context, credentials, target.now)
      const look = async () => {
        const outcome = await authenticateAs(api, bailiff)
        expect(outcome, 'a login of the bailiff').toHaveSucceeded('authentication')
        const { api: mine } = await login({ context: bailiff })
        const answer = await mine.call('permissions.queryRoles', { query: { pageSize: 100 } })
        return statedIn(answer, 'read the roles')
      }
      return { look }
    },
  },
}

for (const [what, kind] of Object.entries(settings))
  test(
    ...familyRule(kind.rule, 'neighbour of test data', what),
    async ({ api, login, another, invoice, rng, target }) =>
      expectUntouched(kind, { api, login, another, invoice, rng, target } as Fixtures),
  )
