import type { JsonSchema } from '../../contract/types.ts'
import { resolved } from '../../generators/requests/json-body.ts'
import { originOf } from '../../lib/request.ts'
import { wireOperation } from '../../lib/wire.ts'
import { readyCalls, perform } from '../support/scenes/calls.ts'
import { harmless } from '../support/steps/harmless.ts'
import {
  covering,
  ofResource,
  typedParameters,
  withContinuation,
} from '../support/coverage/matrices.ts'
import { offered } from '../support/service/offered.ts'
import { leavesNothing } from '../support/scenes/remembered.ts'
import { rule } from '../support/checks/rule.ts'
import { createStage } from '../support/callers/stage.ts'
import { expect, test } from '../support/harness/test.ts'

/** Texts that cannot be a reference; each replaces the first path parameter, without further encoding. */
const wrongSegments = {
  'broken escape': '%ZZ',
  'null character': '%00',
  'not UTF-8': '%C3%28',
  'escaped path': '..%2F..%2F',
  'very long': 'x'.repeat(3_000),
} as const

for (const [what, segment] of Object.entries(wrongSegments))
  test(
    ...rule('transport.malformed-parameter', `path, ${what}`, covering('path')),
    async ({ login, target }) => {
      const { api } = await login()
      await leavesNothing(api, async () => {
        for (const operation of offered(...ofResource)) {
          const { method, path, atOrigin } = wireOperation(operation, target.dialect)
          const { path: others = {}, body } = harmless(operation)
          const rest = Object.values(others).slice(1)
          const wrong = path
            .replace(/\{\w+\}/, segment)
            .replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? 'x'))
          const base = atOrigin ? originOf(api.baseUrl) : api.baseUrl
          const answer = await api.request(method, base + wrong, {
            bearer: api.identity.bearer ?? null,
            ...(body === undefined ? {} : { body }),
          })
          expect.soft(answer, operation).toBeClientError()
        }
      })
    },
  )

/** Values that the schema of a parameter of the query excludes. */
const wrongValues = (schema: JsonSchema): readonly (string | readonly string[])[] => {
  const { type, minimum, maximum, format, minLength, items } = resolved(schema)
  if (type === 'array') {
    const wrong = wrongValues(items as JsonSchema)
    const [right] = (resolved(items as JsonSchema)['enum'] ?? []) as readonly string[]
    // Of several values each counts, wherever it stands.
    const beside =
      right === undefined
        ? []
        : wrong.flat().flatMap((one) => [
            [right, one],
            [one, right],
          ])
    return [...wrong, ...beside]
  }
  if (resolved(schema)['enum'] !== undefined) return ['NoSuchValue']
  if (type === 'boolean') return ['perhaps']
  if (type === 'integer')
    return [
      'ten',
      '10.5',
      '10x',
      '0x10',
      ...(typeof minimum === 'number' ? [String(minimum - 1)] : []),
      ...(typeof maximum === 'number' ? [String(maximum + 1)] : []),
    ]
  if (format === 'date-time') return ['yesterday', '2026-02-30T00:00:00Z', '15.06.2026']
  if (typeof minLength === 'number') return ['x'.repeat(minLength - 1)]
  return []
}

const withTyped = [...new Set(typedParameters.map(({ operation }) => operation))]

test(
  ...rule('transport.malformed-parameter', 'query', covering('query')),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    const ready = await readyCalls(stage, offered(...withTyped))
    await leavesNothing(me.api, async () => {
      for (const { operation, parameter } of typedParameters) {
        const call = ready.get(operation)
        if (call === undefined) continue
        for (const value of wrongValues(parameter.schema)) {
          const query = { ...call.query, [parameter.name]: value }
          const answer = await perform(me.api, operation, call, { query })
          expect
            .soft(answer, `${operation}?${parameter.name}=${String(value)}`)
            .toBeRefused('invalid-input')
        }
      }
    })
  },
)

/** Texts that are not tokens, some of them encoded as a service would encode a token. */
const foreignTokens = [
  'rubbish',
  '!',
  'AAAA',
  ...['{"after":1}', 'null', '[null,null]', '"text"'].map((text) =>
    Buffer.from(text).toString('base64'),
  ),
]

for (const operation of withContinuation)
  test(
    ...rule(
      'transport.malformed-parameter',
      `continuation token, ${operation}`,
      covering('continuation', { rows: [operation] }),
    ),
    async ({ api, login, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await readyCalls(stage, [operation])
      for (const [id, call] of ready)
        for (const token of foreignTokens) {
          const headers = { 'x-continuation-token': token }
          const answer = await perform(me.api, id, call, { headers })
          expect.soft(answer, token).toBeRefused('continuation-token-malformed')
        }
    },
  )
