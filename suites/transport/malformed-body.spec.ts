import { endpoint } from '../../contract/endpoints.ts'
import type { VariantText } from '../../contract/rules.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { perform, readyCalls } from '../support/scenes/calls.ts'
import { formCodes } from '../support/checks/forms.ts'
import { covering, withJson, wrongBodies } from '../support/coverage/matrices.ts'
import type { WrongBody } from '../support/coverage/matrices.ts'
import { offered } from '../support/service/offered.ts'
import { leavesNothing } from '../support/scenes/remembered.ts'
import { rule } from '../support/checks/rule.ts'
import { createStage } from '../support/callers/stage.ts'
import { fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

for (const what of Object.keys(wrongBodies) as WrongBody[])
  test(
    ...rule('transport.malformed-body', what, covering('body', { column: what })),
    async ({ api, login, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await readyCalls(stage, offered(...withJson))
      const refused = what.startsWith('JSON ') ? 'invalid-input' : 'unreadable-body'
      await leavesNothing(me.api, async () => {
        for (const [operation, call] of ready) {
          const answer = await perform(me.api, operation, call, { body: wrongBodies[what] })
          expect.soft(answer, operation).toBeRefused(refused)
        }
      })
    },
  )

/** Whole bodies that no JSON parser may accept, made from those of valid calls. */
const unreadable: readonly (readonly [
  VariantText<'transport.malformed-body'>,
  (json: string) => string | Uint8Array,
])[] = [
  ['empty body', () => ''],
  ['JSON not in UTF-8', (json) => Buffer.from(json.replace('{', '{"x": "\u00e9", '), 'latin1')],
]

for (const [what, malformed] of unreadable)
  test(
    ...rule('transport.malformed-body', what),
    async ({ api, login, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const operations = withJson.filter((id) => {
        const { request } = endpoint(id)
        return request !== undefined && !('optional' in request)
      })
      const ready = await readyCalls(stage, offered(...operations))
      await leavesNothing(me.api, async () => {
        for (const [operation, call] of ready) {
          const { body = {} } = call
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          const answer = await perform(me.api, operation, { ...call, body: malformed(text) })
          expect.soft(answer, operation).toBeRefused('unreadable-body')
        }
      })
    },
  )

test(...rule('transport.malformed-body', 'truncated XML'), async ({ api, own }) => {
  const { challenge } = await fetchChallenge(api)
  const document = await own.document(challenge)
  const answer = await api.call('auth.xades', { body: document.slice(0, -20) })
  expect(answer).toBeRefused('document-unreadable')
})

/** A body once for each of its lists, with a last entry of a type that no list has. */
const withWrongEntry = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([name, inner]) =>
    withWrongEntry(inner).map((changed) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  )
  return Array.isArray(value) && value.length > 0 ? [[...value, true], ...inside] : inside
}

test(
  ...rule('transport.malformed-body', 'wrong type, in a list'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    const ready = await readyCalls(stage, offered(...withJson))
    await leavesNothing(me.api, async () => {
      for (const [operation, call] of ready)
        for (const body of withWrongEntry(call.body)) {
          const answer = await perform(me.api, operation, call, { body })
          expect.soft(answer, operation).toBeRefused('invalid-input')
        }
    })
  },
)

const wrong: readonly (readonly [
  VariantText<'transport.malformed-body'>,
  Readonly<Record<string, unknown>>,
])[] = [
  ['wrong type', { initVector: 16 }],
  ['missing field', { encryptedSymmetricKey: undefined }],
  ['null field', { formCode: null }],
  ['array for object', { formCode: [] }],
]

for (const [what, fault] of wrong) {
  test(...rule('transport.malformed-body', what), async ({ login }) => {
    const { api } = await login()
    const secret = await encryptionFields(api, drawSecret())
    // The context may have had sessions before, where checks share one.
    const opened = async () => {
      const list = await api.call('sessions.list', { query: { sessionType: 'Online' } })
      expect(list).toBeOk()
      const sessions = fields(list)['sessions'] as { referenceNumber?: unknown }[]
      return sessions.map(({ referenceNumber }) => referenceNumber)
    }
    const before = await opened()
    const answer = await api.call('sessions.openOnline', {
      body: { formCode: formCodes.fa3, ...secret, ...fault },
    })
    expect(answer).toBeRefused('invalid-input')
    expect(await opened(), 'sessions after a rejected opening').toEqual(before)
  })
}

test(...rule('transport.malformed-body', 'very large body'), async ({ api, own }) => {
  const { challenge } = await fetchChallenge(api)
  const { type, value } = own
  const body = {
    challenge,
    contextIdentifier: { type, value },
    encryptedToken: 'A'.repeat(4_000_000),
  }
  expect(await api.call('auth.token', { body })).toBeRefused('body-too-large')
})

test(...rule('transport.malformed-body', 'too long, by a character'), async ({ login }) => {
  const { api } = await login()
  // Characters that take two units of UTF-16 and four bytes of UTF-8.
  const create = (characters: number) =>
    api.call('tokens.create', {
      body: { permissions: ['InvoiceRead'], description: '\u{1f9fe}'.repeat(characters) },
    })
  expect(await create(256), 'a description of 256 characters').toBeOk()
  expect(await create(257)).toBeRefused('invalid-input')
})

test(...rule('transport.malformed-body', 'too long'), async ({ api, own }) => {
  const { challenge } = await fetchChallenge(api)
  const { type, value } = own
  const body = {
    challenge: challenge.repeat(300),
    contextIdentifier: { type, value },
    encryptedToken: 'AAAA',
  }
  const answer = await api.call('auth.token', { body })
  expect(answer).toBeClientError()
})
