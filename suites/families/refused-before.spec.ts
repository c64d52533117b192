import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'
import { calls, perform } from '../support/calls.ts'
import type { ReadyCall } from '../support/calls/ready-call.ts'
import { offered } from '../support/offered.ts'
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
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return wrong
  const fields = Object.entries(body)
  return {
    ...wrong,
    ...Object.fromEntries(
      fields.flatMap(([name, value]) => [
        [`no ${name}`, { body: Object.fromEntries(fields.filter(([one]) => one !== name)) }],
        [`another ${name}`, { body: { ...body, [name]: another(value) } }],
      ]),
    ),
  }
}

for (const { rule, operation, once } of rows)
  test(
    ...familyRule(rule, 'refused before', operation),
    async ({ api, login, another: other, invoice, rng, target }) => {
      test.skip(offered(operation).length === 0, `there is no ${operation} in this dialect`)
      const me = await login()
      const stage = createStage({ me, api, login, another: other, invoice, rng, target })
      let ready = await calls[operation](stage)
      let refused = 0
      for (const [what, change] of Object.entries(spoiled(ready))) {
        const { status } = await perform(me.api, operation, { ...ready, ...change })
        if (status >= 400) refused += 1
        if (once) ready = await calls[operation](stage)
        const next = await perform(me.api, operation, ready)
        expect(next, `${operation}, after one with ${what}`).toBeOk(operation)
        if (once) ready = await calls[operation](stage)
      }
      expect(refused, 'refused calls').toBeGreaterThan(0)
    },
  )
