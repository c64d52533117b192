import { endpoint, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { calls, perform, readyCalls } from '../support/scenes/calls.ts'
import { covering, withBody } from '../support/coverage/matrices.ts'
import { harmless } from '../support/steps/harmless.ts'
import { spellingsOf } from '../support/answers/media-types.ts'
import { offered, taking } from '../support/service/offered.ts'
import { leavesNothing } from '../support/scenes/remembered.ts'
import { rule } from '../support/checks/rule.ts'
import { createStage } from '../support/callers/stage.ts'
import { tour } from '../support/steps/tour.ts'
import { expect, test } from '../support/harness/test.ts'

/** Media types that are not those of the operations. */
const foreign = {
  'foreign JSON': {
    own: 'application/json',
    others: [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/json-seq',
    ],
  },
  'foreign XML': {
    own: 'application/xml',
    others: ['application/json', 'text/plain', 'application/xml-dtd'],
  },
} as const

for (const what of ['foreign JSON', 'foreign XML'] as const) {
  const { own, others } = foreign[what]
  const rows = withBody.filter((id) => endpoint(id).request?.media === own)
  for (const media of others)
    test(
      ...rule('transport.media-type', `${what}, ${media}`, covering('media', { rows })),
      async ({ api, login, another, invoice, rng, target }) => {
        const me = await login()
        const stage = createStage({ me, api, login, another, invoice, rng, target })
        const ready = await readyCalls(stage, offered(...rows))
        await leavesNothing(me.api, async () => {
          for (const [operation, call] of ready) {
            const answer = await perform(me.api, operation, call, { media })
            expect.soft(answer, operation).toBeRefused('media-type')
          }
        })
      },
    )
}

/** Names that are near those of the operations. That `text/xml` is refused, the contract does not state. */
const alike = {
  'application/json': ['text/json', 'application/x-json', 'application/vnd.x+json'],
  'application/xml': ['application/x-xml', 'application/vnd.x+xml', 'application/soap+xml'],
} as const

/** One operation of each area that takes a body. */
const withForeignBodies = [
  'auth.xades',
  'auth.token',
  'sessions.openOnline',
  'invoices.submit',
  'queries.metadata',
  'exports.create',
  'permissions.grantPerson',
  'tokens.create',
] as const satisfies readonly OperationId[]

for (const [what, own] of [
  ['foreign JSON', 'application/json'],
  ['foreign XML', 'application/xml'],
] as const)
  test(
    ...rule('transport.media-type', `${what}, nearly its name`),
    async ({ api, login, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const rows = withForeignBodies.filter((id) => endpoint(id).request?.media === own)
      const ready = await readyCalls(stage, offered(...rows))
      await leavesNothing(me.api, async () => {
        for (const [operation, call] of ready)
          for (const media of alike[own])
            expect
              .soft(await perform(me.api, operation, call, { media }), `${operation} as ${media}`)
              .toBeRefused('media-type')
      })
    },
  )

test(
  ...rule('transport.media-type', 'charset'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    // Operations that differ in nothing but their names take turns at the spellings.
    const ready = [...(await readyCalls(stage, offered(...withBody)))]
    for (const [place, [operation, call]] of ready.entries()) {
      const spellings = spellingsOf(endpoint(operation).request?.media ?? '')
      const media = spellings[place % spellings.length] ?? ''
      const answer = await perform(me.api, operation, call, { media })
      expect.soft(answer, `${operation} as ${media}`).toBeOk()
    }
    for (const operation of ['queries.metadata', 'auth.xades'] as const)
      for (const media of spellingsOf(endpoint(operation).request?.media ?? '')) {
        const answer = await perform(me.api, operation, await calls[operation](stage), { media })
        expect.soft(answer, `${operation} as ${media}`).toBeOk()
      }
  },
)

/** Operations that change something and read no body: many clients name the media type of their bodies there too. */
const bodiless = operationIds.filter(
  (id) => endpoint(id).method === 'POST' && endpoint(id).request === undefined,
)

test(
  ...rule('transport.media-type', 'no body'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    for (const [operation, call] of await readyCalls(stage, offered(...bodiless))) {
      const headers = { 'content-type': 'application/json' }
      const answer = await perform(me.api, operation, call, { headers })
      expect(answer.request.body, 'the body that was sent').toBeUndefined()
      expect.soft(answer, `${operation} without a body`).toBeOk()
    }
  },
)

/** A wrong media type of an answer is a finding of this rule, one per operation, whichever check met it. */
test(...rule('transport.media-type', 'responses'), async ({ open, invoice, ledger }) => {
  await tour(await open(), invoice().bytes)
  expect(ledger.exchanges.length, 'checked responses').toBeGreaterThan(5)
})

/** Operations that return a document or a part of a package, by every path and link. */
const documents = operationIds.filter((id) => {
  const { media } = endpoint(id).answer
  return media !== undefined && media !== 'application/json'
})

test(
  ...rule('transport.media-type', 'documents'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    for (const [operation, call] of await readyCalls(stage, offered(...documents)))
      expect.soft(await perform(me.api, operation, call), operation).toBeOk()
  },
)

test(...rule('transport.media-type', 'refusals'), async ({ api }) => {
  for (const operation of taking('access')) {
    const refused = await api.call(operation, { ...harmless(operation), bearer: null })
    expect.soft(refused, `${operation} without a token`).toBeRefused('wrong-token')
  }
})
