import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { encryptFor } from '../../../lib/flows/keys.ts'
import { fetchChallenge, finishLogin, readStarted } from '../../../lib/flows/login.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { altered, placesOf } from '../../support/steps/altered.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { beforeMidnight, calendars } from '../../support/steps/midnight.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { byNip } from '../../support/callers/grants.ts'

/** Every verification of a challenge, by each way to sign in. */

interface Way {
  /** Begins to sign in with a challenge, correctly but for the challenge. */
  readonly send: (challenge: string) => Promise<Exchange>
  /** Attempts with a challenge that are refused at once, for another reason. */
  readonly failing: readonly ((challenge: string) => Promise<Exchange>)[]
}

const ways = {
  document: ({ api, own }: Fixtures): Promise<Way> =>
    Promise.resolve({
      send: async (challenge) => api.call('auth.xades', { body: await own.document(challenge) }),
      failing: [
        async (challenge) => {
          const signed = await own.document(challenge)
          const body = signed.replace('certificateSubject', 'certificateFingerprint')
          return api.call('auth.xades', { body })
        },
      ],
    }),
  async 'service token'({ api, serviceToken, target }: Fixtures): Promise<Way> {
    const { context, token } = await serviceToken()
    const contextIdentifier = { type: context.type, value: context.value }
    const unknownKey = api.codec.base64(new Uint8Array(32).fill(7))
    const send = async (challenge: string, changes: object = {}) => {
      const plain = api.codec.utf8(`${token}|${target.now()}`)
      const { encrypted } = await encryptFor(api, 'SvcTokenEncryption', plain)
      const body = { challenge, contextIdentifier, encryptedToken: encrypted, ...changes }
      return api.call('auth.token', { body })
    }
    return {
      send: (challenge) => send(challenge),
      failing: [
        (challenge) => send(challenge, { encryptedToken: '%% not Base64 %%' }),
        (challenge) => send(challenge, { contextIdentifier: byNip('ABCDEFGHIJ') }),
        (challenge) => send(challenge, { publicKeyId: unknownKey }),
      ],
    }
  },
} as const

type WayName = keyof typeof ways
const names = Object.keys(ways) as WayName[]

const lifetime = limits['challenge.lifetime'].value * 1000

const laterChallenges = 12

interface Row {
  readonly rule: RuleId
  readonly what: string
  /** Ways that the row needs besides the one that it is about. */
  readonly others?: readonly WayName[]
  readonly run: (fixtures: Fixtures, way: Way, others: readonly Way[]) => Promise<void>
}

const use = async ({ api }: Fixtures, { send }: Way, challenge: string): Promise<WorkOutcome> =>
  outcomeOfAuthentication(api, await send(challenge))

const refused = async (outcome: Promise<WorkOutcome>) =>
  expect(await outcome).toBeRejected('challenge-invalid')

const accepted = async (outcome: Promise<WorkOutcome>, what: string) =>
  expect(await outcome, what).toHaveSucceeded('authentication')

const rows: readonly Row[] = [
  {
    rule: 'auth.challenge.unknown-refused',
    what: 'never issued',
    async run(fixtures, way) {
      await refused(use(fixtures, way, fixtures.unissued('challenge')))
      // Something else that the service issued is no challenge either.
      const { challenge } = await fetchChallenge(fixtures.api)
      const { referenceNumber } = readStarted(await way.send(challenge), 'authenticate')
      const outcome = await use(fixtures, way, referenceNumber)
      expect(outcome).not.toHaveSucceeded('authentication')
    },
  },
  {
    rule: 'auth.challenge.unknown-refused',
    what: 'in other letter case',
    async run(fixtures, way) {
      const { challenge } = await fetchChallenge(fixtures.api)
      const other = challenge.toLowerCase()
      test.skip(other === challenge, 'the challenges of the target have no capital letters')
      expect(await use(fixtures, way, other)).not.toHaveSucceeded('authentication')
      await accepted(use(fixtures, way, challenge), 'the challenge as it was issued')
    },
  },
  {
    rule: 'auth.challenge.unknown-refused',
    what: 'altered',
    async run(fixtures, way) {
      const { challenge } = await fetchChallenge(fixtures.api)
      for (const at of placesOf(challenge))
        await refused(use(fixtures, way, altered(challenge, at)))
      await accepted(use(fixtures, way, challenge), 'the challenge as it was issued')
    },
  },
  {
    rule: 'auth.challenge.ten-minutes',
    what: 'just before it expires',
    async run({ api, clock }, way) {
      await clock.still()
      const { challenge, timestamp } = await fetchChallenge(api)
      await clock.set(timestamp + lifetime - 5_000)
      const sent = await way.send(challenge)
      // It counts when it is sent: the authentication may take longer than it is valid.
      await clock.advance(10_000)
      const outcome = outcomeOfAuthentication(api, sent)
      await accepted(outcome, 'a challenge in its last seconds')
    },
  },
  ...calendars.map((calendar): Row => ({
    rule: 'auth.challenge.ten-minutes',
    what: `over midnight in ${calendar}`,
    async run(fixtures, way) {
      const pass = await beforeMidnight(fixtures.clock, calendar, 4)
      const { challenge } = await fetchChallenge(fixtures.api)
      await pass()
      await accepted(use(fixtures, way, challenge), 'a challenge of the day before')
    },
  })),
  {
    rule: 'auth.challenge.ten-minutes',
    what: 'after others were issued',
    async run(fixtures, way) {
      const { api, clock } = fixtures
      const { challenge, timestamp } = await fetchChallenge(api)
      await clock.set(timestamp + lifetime - 60_000)
      for (let issued = 0; issued < laterChallenges; issued += 1) await fetchChallenge(api)
      await accepted(use(fixtures, way, challenge), 'the first of several challenges')
    },
  },
  {
    rule: 'auth.challenge.ten-minutes',
    what: 'just after it has expired',
    async run(fixtures, way) {
      const { api, clock } = fixtures
      const { challenge, timestamp } = await fetchChallenge(api)
      await clock.set(timestamp + lifetime - 60_000)
      // A refused attempt does not extend it.
      for (const fail of way.failing) expect(await fail(challenge), 'the attempt').toBeClientError()
      await clock.set(timestamp + lifetime + 1_000)
      await refused(use(fixtures, way, challenge))
    },
  },
  {
    rule: 'auth.challenge.ten-minutes',
    what: 'after a refused attempt',
    async run(fixtures, way) {
      for (const fail of way.failing) {
        const { challenge } = await fetchChallenge(fixtures.api)
        expect(await fail(challenge), 'the attempt').toBeClientError()
        const outcome = use(fixtures, way, challenge)
        await accepted(outcome, 'the challenge, which authenticated nobody yet')
      }
    },
  },
  ...names.map((other): Row => ({
    rule: 'auth.challenge.single-use',
    what: `after a use by ${other}`,
    others: [other],
    async run(fixtures, way, [first]) {
      const { api, clock } = fixtures
      const { challenge, timestamp } = await fetchChallenge(api)
      const sent = await first!.send(challenge)
      await accepted(outcomeOfAuthentication(api, sent), 'the first use')
      await refused(use(fixtures, way, challenge))
      // Neither a refused use nor the end of the login changes that.
      await refused(use(fixtures, way, challenge))
      await finishLogin(api, readStarted(sent, 'authenticate'))
      await refused(use(fixtures, way, challenge))
      if (!clock.moves) return
      await clock.set(timestamp + lifetime - 5_000)
      await refused(use(fixtures, way, challenge))
    },
  })),
]

for (const name of names)
  for (const { rule, what, others = [], run } of rows) {
    const byToken = [name, ...others].includes('service token')
    const family = byToken ? 'use of a challenge with a token' : 'use of a challenge'
    test(
      ...familyRule(rule, family, `${what}, ${name}`),
      async ({ api, own, serviceToken, target, clock, unissued }) => {
        const fixtures = { api, own, serviceToken, target, clock, unissued } as Fixtures
        const way = await ways[name](fixtures)
        const further: Way[] = []
        for (const other of others) further.push(other === name ? way : await ways[other](fixtures))
        await run(fixtures, way, further)
      },
    )
  }

test(
  ...familyRule('auth.challenge.single-use', 'use of a challenge with a token', 'several at once'),
  async ({ api, own, serviceToken, target }) => {
    const fixtures = { api, own, serviceToken, target } as Fixtures
    const [document, token] = [await ways.document(fixtures), await ways['service token'](fixtures)]
    for (const runners of [
      [token, token],
      [token, document],
      [document, token],
    ]) {
      const { challenge } = await fetchChallenge(api)
      const outcomes = await Promise.all(runners.map((way) => use(fixtures, way, challenge)))
      expect(outcomes.filter(wentWell).length, 'successes of two at once').toBe(1)
      for (const loser of outcomes.filter((outcome) => !wentWell(outcome)))
        expect(loser).toBeRejected('challenge-invalid')
    }
  },
)
