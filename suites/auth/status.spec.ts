import { settleAuthentication, startWithDocument } from '../../lib/flows/login.ts'
import { expectOk } from '../../lib/outcome.ts'
import { notOfAuthentication } from '../support/scenes/bearers.ts'
import { covering } from '../support/coverage/matrices.ts'
import { expectReason } from '../support/steps/reasons.ts'
import { rule } from '../support/checks/rule.ts'
import { authenticateAs, reported } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('auth.status.moves-forward'), async ({ api, own }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  const path = { referenceNumber: started.referenceNumber }
  const look = await api.call('auth.status', { path, bearer: started.authenticationToken })
  expect(look, 'the status, for its own authentication token').toBeOk()
  const { exchanges } = await settleAuthentication(api, started)
  const later = await settleAuthentication(api, started)
  const codes = [...exchanges, ...later.exchanges].map(
    ({ body }) => (body as { status: { code: number } }).status.code,
  )
  expect(codes).toMoveAlong('authentication')
  expect(later, 'an authentication that succeeded').toHaveSucceeded('authentication')
})

for (const [what, bearerOf, column] of notOfAuthentication) {
  const covers = covering('bearer', { column, rows: ['auth.status'] })
  test(...rule('auth.status.wrong-bearer-refused', what, covers), async ({ api, login }) => {
    const me = await login()
    const { referenceNumber } = me
    const bearer = bearerOf(me)
    const answer = await api.call('auth.status', { path: { referenceNumber }, bearer })
    expect(answer, 'the bearer is refused').toBeRefusedWith(401)
    expect(answer).toBeRefused('wrong-token')
  })
}

test(
  ...rule(
    'auth.status.wrong-bearer-refused',
    'foreign authentication token',
    covering('bearer', { column: 'other context', rows: ['auth.status'] }),
  ),
  async ({ api, own, another }) => {
    const other = await another()
    const mine = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
    const theirs = await startWithDocument(api, { sign: (challenge) => other.document(challenge) })
    // A seal of another taxpayer: this one ends without success.
    const { credentials } = other
    const failed = await startWithDocument(api, {
      sign: (challenge) => own.document(challenge, { credentials }),
    })
    const bearer = theirs.authenticationToken
    const refused = async ({ referenceNumber }: { referenceNumber: string }, when: string) => {
      const answer = await api.call('auth.status', { path: { referenceNumber }, bearer })
      expect(answer, `the bearer is refused, ${when}`).toBeRefusedWith(401)
    }
    await refused(mine, 'at the start')
    for (const one of [mine, failed, theirs]) await settleAuthentication(api, one)
    await refused(mine, 'after success')
    await refused(failed, 'after a failure')
    expectOk(await api.call('auth.redeem', { bearer: mine.authenticationToken }), 'redeem')
    await refused(mine, 'after the tokens were redeemed')
  },
)

test(
  ...rule(
    'auth.status.wrong-bearer-refused',
    'expired',
    covering('bearer', { column: 'expired', rows: ['auth.status'] }),
  ),
  async ({ api, own, clock }) => {
    const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
    const path = { referenceNumber: started.referenceNumber }
    await settleAuthentication(api, started)
    await clock.set(Date.parse(started.validUntil ?? '') + 1_000)
    const answer = await api.call('auth.status', { path, bearer: started.authenticationToken })
    expect(answer).toBeRefused('expired-authentication-token')
  },
)

test(
  ...rule('auth.status.wrong-bearer-refused', 'unknown authentication'),
  async ({ login, unissued }) => {
    const { api, authenticationToken: bearer } = await login()
    const path = { referenceNumber: unissued('authentication') }
    expect(await api.call('auth.status', { path, bearer })).toBeClientError()
  },
)

test(...rule('auth.status.failure-is-final'), async ({ api, another, own }) => {
  const stranger = await another()
  // A seal of one taxpayer in the context of another: the document is valid, the permission is missing.
  const { credentials } = stranger
  const started = await startWithDocument(api, {
    sign: (challenge) => own.document(challenge, { credentials }),
  })
  const settled = await settleAuthentication(api, started)
  expect(settled).toBeRejected('subject-without-permission')
  const redeemed = await api.call('auth.redeem', { bearer: started.authenticationToken })
  expect(redeemed).toBeRefused('redeem-refused')
  const again = await settleAuthentication(api, started)
  expect(again.status.code, 'the same failure').toBe(settled.status.code)
  const next = await authenticateAs(api, own)
  expect(next, 'the next authentication in that context').toHaveSucceeded('authentication')
  const others = [...settled.exchanges.slice(0, -1), ...('exchanges' in next ? next.exchanges : [])]
  expectReason(settled, ...others.map(reported))
  const last = await settleAuthentication(api, started)
  expect(last.status.code, 'the same failure after that').toBe(settled.status.code)
})
