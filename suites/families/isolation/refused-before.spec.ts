import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { fetchChallenge, loginWithToken, tokenLoginBody } from '../../../lib/flows/login.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { altered, placesOf } from '../../support/steps/altered.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import type { ReadyCall } from '../../support/scenes/calls/ready-call.ts'
import { familyRule } from '../../support/checks/rule.ts'
import {
  contextBeside,
  enterByToken,
  mintToken,
  revokeToken,
  tokenState,
} from '../../support/callers/service-token.ts'
import { createStage } from '../../support/callers/stage.ts'
import { fields as fieldsOf, outcomeOfAuthentication, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Calls that are refused, or that ask for something else, have no part in the next one, in which nothing is wrong. */

interface Row {
  readonly rule: RuleId
  readonly operation: OperationId
  /** A call that succeeded cannot be repeated. */
  readonly once?: true
  /** What is looked at after the right call, besides its answer. */
  readonly look?: (api: Client, answer: Exchange) => Promise<void>
}

const isOpen = async (api: Client, answer: Exchange): Promise<void> => {
  const referenceNumber = String(fieldsOf(answer)['referenceNumber'])
  const status = await api.call('sessions.status', { path: { referenceNumber } })
  expect(reported(status).status.code, 'the state of the session').toBe(100)
}

const rows: readonly Row[] = [
  { rule: 'auth.xades.accepted', operation: 'auth.xades', once: true },
  { rule: 'auth.token.accepted', operation: 'auth.token', once: true },
  { rule: 'sessions.online.opens', operation: 'sessions.openOnline', look: isOpen },
  { rule: 'sessions.batch.opens', operation: 'sessions.openBatch', look: isOpen },
  { rule: 'invoices.submit.accepted', operation: 'invoices.submit' },
  { rule: 'queries.metadata.described', operation: 'queries.metadata' },
  { rule: 'exports.create.accepted', operation: 'exports.create' },
  { rule: 'tokens.create.within-rights', operation: 'tokens.create' },
  { rule: 'permissions.grant.effective', operation: 'permissions.grantPerson' },
]

const different = (value: unknown): unknown =>
  typeof value === 'string'
    ? `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`
    : typeof value === 'number'
      ? value + 1
      : [[]]

/** The call with one thing wrong, or at least different. */
const spoiled = ({ body }: ReadyCall): Readonly<Record<string, Partial<ReadyCall>>> => {
  const wrong = { 'a body cut short': { body: '{' }, 'another token': { bearer: 'rubbish' } }
  if (typeof body === 'string')
    return {
      ...wrong,
      'another signature': { body: body.replace(/(?<=SignatureValue[^>]*>)./, '/') },
    }
  const given = (body ?? {}) as Readonly<Record<string, unknown>>
  const fields = Object.entries(given)
  return {
    ...wrong,
    ...Object.fromEntries(
      fields.flatMap(([name, value]) => [
        [`no ${name}`, { body: Object.fromEntries(fields.filter(([one]) => one !== name)) }],
        [`another ${name}`, { body: { ...given, [name]: different(value) } }],
      ]),
    ),
  }
}

for (const { rule, operation, once, look } of rows)
  test(
    ...familyRule(rule, 'refused before', operation),
    async ({ api, login, another: other, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another: other, invoice, rng, target })
      const first = await calls[operation](stage)
      const ready = async () => (once ? calls[operation](stage) : first)
      let refused = 0
      for (const [what, change] of Object.entries(spoiled(first))) {
        const { status } = await perform(me.api, operation, { ...(await ready()), ...change })
        if (status >= 400) refused += 1
        const next = await perform(me.api, operation, await ready())
        expect(next, `${operation}, after one with ${what}`).toBeOk(operation)
        await look?.(me.api, next)
      }
      expect(refused, 'refused calls').toBeGreaterThan(0)
    },
  )

/** A service token that was refused is as good as before: what was wrong with the attempt was not the token. */
const accepted = 'auth.token.accepted'

test(
  ...familyRule(accepted, 'login after one in another context'),
  async ({ api, serviceToken, own, another, rng }) => {
    const { context, token } = await serviceToken()
    const beside = await contextBeside({ context }, { own, another })
    for (const other of [beside, { ...context, ...drawUnit(rng, context.nip) }, beside]) {
      const refused = await enterByToken(api, other, token)
      expect(refused, `in another context, ${other.type}`).toBeRejected('token-refused')
      const outcome = await enterByToken(api, context, token)
      expect(outcome, `in its own context, after ${other.type}`).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule(accepted, 'login after a refused one', 'a character of the token changed'),
  async ({ api, serviceToken }) => {
    const { context, token } = await serviceToken()
    for (const spoilt of placesOf(token).map((at) => altered(token, at))) {
      expect(await enterByToken(api, context, spoilt), spoilt).toBeRejected('token-refused')
      const outcome = await enterByToken(api, context, token)
      expect(outcome, `after ${spoilt}`).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule(accepted, 'login after a refused one', 'a wrong challenge'),
  async ({ api, serviceToken, unissued }) => {
    const { context, token } = await serviceToken()
    const { type, value } = context
    const { challenge: used, timestamp } = await fetchChallenge(api)
    const enter = async (challenge: string) => {
      const login = { context: { type, value }, token }
      const body = await tokenLoginBody(api, login, { challenge, timestamp })
      return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
    }
    expect(await enter(used), 'with a new challenge').toHaveSucceeded('authentication')
    for (const challenge of [unissued('challenge'), used]) {
      expect(await enter(challenge), challenge).toBeRejected('challenge-invalid')
      const outcome = await enterByToken(api, context, token)
      expect(outcome, `after ${challenge}`).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule('tokens.status.moves-forward', 'refused before', 'login by a revoked token'),
  async ({ api, login }) => {
    const me = await login()
    const { context } = me
    const { token, referenceNumber = '' } = await mintToken(me)
    await loginWithToken(api, { context, token })
    await revokeToken(me.api, referenceNumber)
    for (const attempt of ['first', 'second']) {
      const outcome = await enterByToken(api, context, token)
      expect(outcome, `the ${attempt} login after the revocation`).toBeRejected('token-refused')
      expect(await tokenState(me.api, referenceNumber), `after the ${attempt}`).toBe('Revoked')
    }
  },
)
