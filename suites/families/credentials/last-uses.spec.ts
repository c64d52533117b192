import { limits } from '../../../contract/limits.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { Client } from '../../../lib/client.ts'
import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { block, unblock } from '../../support/steps/blocks.ts'
import { listedAs, obtainCertificate, revokeCertificate } from '../../support/callers/enrolment.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { enterByToken, mintToken, revokeToken } from '../../support/callers/service-token.ts'
import {
  authenticate,
  authenticateAs,
  fields,
  outcomeOfAuthentication,
} from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The last use of a credential: the last login that it opened. A login that fails uses nothing. */

const minute = 60_000
const day = 24 * 60 * minute

/** An attempt in a context that is blocked meanwhile. */
const whileBlocked = async (api: Client, context: Context, enter: () => Promise<WorkOutcome>) => {
  await block(api, context)
  const outcome = await enter()
  await unblock(api, context)
  expect(outcome, 'in a blocked context').toBeRejected('context-blocked')
}

test(
  ...familyRule('tokens.status.described', 'last use', 'after logins that failed'),
  async ({ api, login, clock, unissued }) => {
    const me = await login()
    const { token, referenceNumber = '', context } = await mintToken(me)
    const enter = () => enterByToken(api, context, token)
    const lastUse = async () => {
      const answer = await me.api.call('tokens.status', { path: { referenceNumber } })
      return fields(answer)['lastUseDate'] ?? null
    }
    await whileBlocked(api, context, enter)
    expect(await lastUse(), 'the last use of a token that opened nothing').toBeNull()
    expect(await enter(), 'a login').toHaveSucceeded('authentication')
    const used = await lastUse()
    await clock.advance(3 * minute)
    await whileBlocked(api, context, enter)
    expect(await lastUse(), 'after a login in a blocked context').toBe(used)
    const { type, value } = context
    const body = await tokenLoginBody(
      api,
      { context: { type, value }, token },
      { challenge: unissued('challenge'), timestamp: clock.now() },
    )
    const unknown = await outcomeOfAuthentication(api, await api.call('auth.token', { body }))
    expect(unknown).toBeRejected('challenge-invalid')
    expect(await lastUse(), 'after a login with an unknown challenge').toBe(used)
    await revokeToken(me.api, referenceNumber)
    expect(await enter()).toBeRejected('token-refused')
    expect(await lastUse(), 'after a login with the revoked token').toBe(used)
  },
)

const end = Date.parse('2026-12-31T23:00:00Z')

for (const [what, madeAt, lateAt] of [
  [
    'after its validity',
    end - 400 * day,
    end - (400 - limits['serviceToken.days'].value - 1) * day,
  ],
  ['after the end of all tokens', end - day, end + day],
] as const)
  test(
    ...familyRule('tokens.status.described', 'last use', what),
    async ({ api, login, clock }) => {
      await clock.set(madeAt)
      const { token, referenceNumber = '', context } = await mintToken(await login())
      expect(await enterByToken(api, context, token), 'a login').toHaveSucceeded('authentication')
      const early = clock.now()
      await clock.set(lateAt)
      // Where a service token has no end, it opens another login.
      const used = wentWell(await enterByToken(api, context, token)) ? clock.now() : early
      const { api: mine } = await login()
      const answer = await mine.call('tokens.status', { path: { referenceNumber } })
      const shown = Date.parse(String(fields(answer)['lastUseDate']))
      expect(Math.abs(shown - used), 'milliseconds between its use and the date').toBeLessThan(
        day / 2,
      )
    },
  )

test(
  ...familyRule('certificates.listed', 'last use', 'after logins that failed'),
  async ({ api, login, own, clock, unissued }) => {
    const me = await login()
    const { serialNumber, credentials } = await obtainCertificate(me.api)
    const enter = () => authenticateAs(api, own, { credentials })
    const lastUse = async () =>
      ({ ...(await listedAs(me.api, serialNumber)) }) as Readonly<Record<string, unknown>>
    const shown = async () => (await lastUse())['lastUseDate'] ?? null
    await whileBlocked(api, own, enter)
    expect(await shown(), 'the last use of a certificate that opened nothing').toBeNull()
    expect(await enter(), 'a login').toHaveSucceeded('authentication')
    const used = await shown()
    await clock.advance(3 * minute)
    await whileBlocked(api, own, enter)
    const { challenge } = await fetchChallenge(api)
    const signed = await own.document(challenge, { credentials })
    const altered = signed.replace('certificateSubject', 'certificateFingerprint')
    const sent: readonly (readonly [string, RefusalId])[] = [
      [altered, 'signature-invalid'],
      [await own.document(unissued('challenge'), { credentials }), 'challenge-invalid'],
    ]
    for (const [document, refusal] of sent)
      expect(await authenticate(api, document)).toBeRejected(refusal)
    expect(await shown(), 'after logins that failed').toBe(used)
    await revokeCertificate(me.api, serialNumber)
    expect(await enter()).toBeRejected('certificate-refused')
    expect(await shown(), 'after a login with the revoked certificate').toBe(used)
  },
)
