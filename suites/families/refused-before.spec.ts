import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'
import { wireOperation } from '../../lib/wire.ts'
import { calls, perform } from '../support/calls.ts'
import type { ReadyCall } from '../support/calls/ready-call.ts'
import { familyRule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'

/** Calls that are refused, or that ask for something else, have no part in the next one, in which nothing is wrong. */

interface Row {
  readonly rule: RuleId
  readonly operation: OperationId
  /** A call that succeeded cannot be repeated. */
  readonly once?: true
}

const rows: readonly Row[] = [
  { rule: 'auth.xades.accepted', operation: 'auth.xades', once: true },
  { rule: 'auth.token.accepted', operation: 'auth.token', once: true },
  { rule: 'sessions.online.opens', operation: 'sessions.openOnline' },
  { rule: 'sessions.batch.opens', operation: 'sessions.openBatch' },
  { rule: 'invoices.submit.accepted', operation: 'invoices.submit' },
  { rule: 'queries.metadata.described', operation: 'queries.metadata' },
  { rule: 'exports.create.accepted', operation: 'exports.create' },
  { rule: 'tokens.create.within-rights', operation: 'tokens.create' },
  { rule: 'permissions.grant.effective', operation: 'permissions.grantPerson' },
]

const another = (value: unknown): unknown =>
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
        [`another ${name}`, { body: { ...given, [name]: another(value) } }],
      ]),
    ),
  }
}

for (const { rule, operation, once } of rows)
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
      }
      expect(refused, 'refused calls').toBeGreaterThan(0)
    },
  )
