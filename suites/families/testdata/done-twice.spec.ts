import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { thresholdsOf } from '../../../lib/pacer.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { expectObject, expectOk } from '../../../lib/outcome.ts'
import type { Me } from '../../support/service/contexts.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { byNip } from '../../support/callers/grants.ts'
import { knownFields } from '../../support/answers/known-fields.ts'
import { sendAlone } from '../../support/steps/packages.ts'
import { personAt } from '../../support/callers/people.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { reportedRates } from '../../support/service/rated.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { limitsWith } from '../../support/steps/session-limits.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What test data sets and ends is in force as the last call says, however often the same was asked for before. */

type Scene = Pick<Fixtures, 'api' | 'own' | 'invoice' | 'rng' | 'target'> & {
  readonly me: Me
}

interface Call {
  readonly operation: OperationId
  /** Of a call, and of the one that repeats it where that asks for other values; none where it has no body. */
  readonly bodies: readonly unknown[]
}

interface Switched {
  /** Who calls, where that is not anybody. */
  readonly by?: Client
  readonly set: Call
  readonly end: Call
  /** What there is already cannot be created. */
  readonly mayBeRefused?: true
  /** Expects it to be as one of the bodies sets it, or ended where none does. */
  readonly expectState: (set: number | undefined, when: string) => Promise<void>
}

const description = 'made by a conformance check'

const roleOf =
  ({ me }: Scene, role: string): Switched['expectState'] =>
  async (set, when) =>
    expect(
      (await listOf(me.api, 'roles')).map((row) => row['role']),
      `the roles of the context, ${when}`,
    ).toEqual(set === undefined ? [] : [role])

/** Expects that fields of an answer have the values that were set, or those of the beginning. */
const limitsOf = async (
  { me }: Scene,
  operation: 'limits.context' | 'limits.subject',
  schema: 'ContextLimits' | 'SubjectLimits',
  bodies: readonly object[],
): Promise<Switched['expectState']> => {
  const read = async () =>
    knownFields(expectObject(await me.api.call(operation), 'read the limits'), schema)
  const before = await read()
  return async (set, when) =>
    expect(await read(), `the limits, ${when}`).toEqual({
      ...before,
      ...(set === undefined ? {} : bodies[set]),
    })
}

const sessions = [7, 9].map(limitsWith)

const subjects = [3, 5].map((most) => ({
  enrollment: { maxEnrollments: most + 1 },
  certificate: { maxCertificates: most },
}))

const rates = [3, 4].map((perSecond) => ({ perSecond, perMinute: 60, perHour: 90 }))

const switches: Readonly<
  Record<string, readonly [RuleId, (scene: Scene) => Promise<Switched> | Switched]>
> = {
  attachments: [
    'testdata.attachments',
    ({ me, invoice }) => ({
      set: { operation: 'testdata.allowAttachments', bodies: [{ nip: me.context.nip }] },
      end: { operation: 'testdata.denyAttachments', bodies: [{ nip: me.context.nip }] },
      async expectState(set, when) {
        const answer = await me.api.call('permissions.attachmentStatus')
        const { isAttachmentAllowed } = expectObject(answer, 'read the status of attachments')
        expect(isAttachmentAllowed ?? false, `the status, ${when}`).toBe(set !== undefined)
        const outcome = await sendAlone(me.api, invoice({ attachment: true }).bytes)
        if (set === undefined) expect(outcome, when).toBeRejected('seller-not-allowed')
        else expect(outcome, when).toHaveSucceeded('invoice')
      },
    }),
  ],
  'a block': [
    'testdata.blocks',
    ({ api, own }) => {
      const body = { contextIdentifier: { type: own.type, value: own.value } }
      return {
        set: { operation: 'testdata.blockContext', bodies: [body] },
        end: { operation: 'testdata.unblockContext', bodies: [body] },
        async expectState(set, when) {
          const outcome = await authenticateAs(api, own)
          if (set === undefined) expect(outcome, when).toHaveSucceeded('authentication')
          else expect(outcome, when).toBeRejected('context-blocked')
        },
      }
    },
  ],
  'a permission': [
    'testdata.permissions',
    ({ api, own, rng, target }) => {
      const person = personAt(own, rng, target)
      const body = {
        contextIdentifier: byNip(own.nip),
        authorizedIdentifier: person.subject,
      }
      const permissions = [{ permissionType: 'InvoiceRead', description }]
      return {
        set: { operation: 'testdata.grant', bodies: [{ ...body, permissions }] },
        end: { operation: 'testdata.revoke', bodies: [body] },
        async expectState(set, when) {
          const outcome = await authenticateAs(api, person.context)
          if (set === undefined) expect(outcome, when).toBeRejected('subject-without-permission')
          else expect(outcome, when).toHaveSucceeded('authentication')
        },
      }
    },
  ],
  'a subject': [
    'testdata.entities',
    (scene) => {
      const subjectNip = scene.own.nip
      const body = { subjectNip, subjectType: 'VatGroup', description }
      return {
        set: { operation: 'testdata.createSubject', bodies: [body] },
        end: { operation: 'testdata.removeSubject', bodies: [{ subjectNip }] },
        mayBeRefused: true,
        expectState: roleOf(scene, 'VatGroupUnit'),
      }
    },
  ],
  'a person': [
    'testdata.entities',
    (scene) => {
      const { nip } = scene.own
      const body = { nip, pesel: drawPesel(scene.rng), isBailiff: true, description }
      return {
        set: { operation: 'testdata.createPerson', bodies: [body] },
        end: { operation: 'testdata.removePerson', bodies: [{ nip }] },
        mayBeRefused: true,
        expectState: roleOf(scene, 'CourtBailiff'),
      }
    },
  ],
  'limits of sessions': [
    'testdata.limit-simulation',
    async (scene) => ({
      by: scene.me.api,
      set: { operation: 'testdata.setSessionLimits', bodies: sessions },
      end: { operation: 'testdata.restoreSessionLimits', bodies: [] },
      expectState: await limitsOf(scene, 'limits.context', 'ContextLimits', sessions),
    }),
  ],
  'limits of a subject': [
    'testdata.limit-simulation',
    async (scene) => ({
      by: scene.me.api,
      set: { operation: 'testdata.setSubjectLimits', bodies: subjects },
      end: { operation: 'testdata.restoreSubjectLimits', bodies: [] },
      expectState: await limitsOf(scene, 'limits.subject', 'SubjectLimits', subjects),
    }),
  ],
  'rate limits': [
    'testdata.limit-simulation',
    async ({ me: { api } }) => {
      expectOk(await api.call('testdata.restoreRateLimits'), 'restore the rate limits')
      const before = await reportedRates(api)
      const all = rates.map((sessionList) => ({ ...before, sessionList }))
      return {
        by: api,
        set: {
          operation: 'testdata.setRateLimits',
          bodies: all.map((rateLimits) => ({ rateLimits })),
        },
        end: { operation: 'testdata.restoreRateLimits', bodies: [] },
        expectState: async (set, when) =>
          expect(await reportedRates(api), `the rates, ${when}`).toEqual(
            set === undefined ? before : all[set],
          ),
      }
    },
  ],
  "production's rate limits": [
    'testdata.limit-simulation',
    async ({ me: { api }, target }) => {
      expectOk(await api.call('testdata.restoreRateLimits'), 'restore the rate limits')
      const before = await reportedRates(api)
      const ofProduction = thresholdsOf('sessionList', target.dialect)
      return {
        by: api,
        set: { operation: 'testdata.productionRateLimits', bodies: [] },
        end: { operation: 'testdata.restoreRateLimits', bodies: [] },
        expectState: async (set, when) =>
          expect((await reportedRates(api)).sessionList, `a rate, ${when}`).toMatchObject(
            set === undefined ? before.sessionList : { ...ofProduction },
          ),
      }
    },
  ],
}

/** Ended twice and set once, then set twice and ended once: no call makes up for one before it. */
const order = [['set', 0], ['end'], ['end'], ['set', 0], ['set', 1], ['end']] as const

for (const [what, [rule, prepare]] of Object.entries(switches))
  test(
    ...familyRule(rule, 'done twice', what),
    async ({ api, login, own, invoice, rng, target }) => {
      const me = await login()
      const scene = { api, me, own, invoice, rng, target }
      const { by = api, set, end, mayBeRefused, expectState } = await prepare(scene)
      for (const [place, [step, value]] of order.entries()) {
        const { operation, bodies } = step === 'set' ? set : end
        const body = bodies[value ?? 0] ?? bodies[0]
        const answer = await by.call(operation, body === undefined ? {} : { body })
        if (value !== 1 || mayBeRefused !== true) expectOk(answer, operation)
        await expectState(value, `after call ${place + 1}, ${operation}`)
      }
    },
  )
