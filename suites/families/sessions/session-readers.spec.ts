import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import type { Me } from '../../support/service/contexts.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { statedIn } from '../../support/answers/meaning.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { createStage } from '../../support/callers/stage.ts'
import { leavesNothing } from '../../support/scenes/remembered.ts'
import { accept, finish, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every operation on a session by callers of its own context: the one who opened it, a colleague, an auditor. */

const onSessions: readonly OperationId[] = operationIds.filter(
  (id) =>
    endpoint(id).path.includes('{referenceNumber}') &&
    endpoint(id).bearer === 'access' &&
    (id.startsWith('sessions.') ||
      id.startsWith('receipts.') ||
      id === 'invoices.submit' ||
      id === 'invoices.inSession'),
)

const reads = (operation: OperationId): boolean => endpoint(operation).method === 'GET'

test(
  ...familyRule(
    'sessions.online.of-subject',
    'reader of a session',
    'sessions.list, each outcome, a caller with Introspection',
  ),
  async ({ open, login, limited, invoice }) => {
    const me = await login()
    const desks = [await open({ me }), await open({ me }), await open({ me }), await open({ me })]
    const [, empty, failed, succeeded] = desks
    await outcomeOfInvoice(failed!, spoilt)
    await accept(succeeded!, invoice().bytes)
    for (const desk of [empty, failed, succeeded]) await finish(desk!)
    const auditor = await limited(['Introspection'])
    const listed = await pagesByToken(auditor.api, 'sessions.list', 'sessions', {
      pageSize: 100,
      sessionType: 'Online',
    })
    const references = listed.flat().map(({ referenceNumber }) => referenceNumber)
    expect(references, 'open, empty, failed and succeeded ones of another subject').toEqual(
      expect.arrayContaining(desks.map(({ session }) => session.referenceNumber)),
    )
  },
)

/** What is told of a session as a whole, each with the rule that says what it tells. */
const told = {
  'sessions.status': 'sessions.status.counts',
  'sessions.invoices': 'sessions.invoices.complete',
  'sessions.failed': 'sessions.batch.failed-list',
} as const satisfies Partial<Record<OperationId, RuleId>>

for (const [operation, rule] of Object.entries(told) as [keyof typeof told, RuleId][])
  test(
    ...familyRule(rule, 'reader of a session', `${operation}, to each the same`),
    async ({ open, login, limited, invoice }) => {
      const desk = await open()
      for (const bytes of [invoice().bytes, spoilt, invoice().bytes, spoilt])
        await outcomeOfInvoice(desk, bytes)
      await finish(desk)
      const path = { referenceNumber: desk.session.referenceNumber }
      const look = async ({ api }: Me) => statedIn(await api.call(operation, { path }), operation)
      const opener = await look(desk.me)
      for (const [who, reader] of Object.entries({
        'its opener, later': await login({ context: desk.me.context }),
        'a caller with Introspection': await limited(['Introspection']),
        'a service token': await login({
          token: (await mintToken(desk.me, ['Introspection'])).token,
        }),
      }))
        expect(await look(reader), `told to ${who}`).toEqual(opener)
    },
  )

for (const operation of onSessions) {
  test(
    ...familyRule('sessions.online.of-subject', 'reader of a session', `${operation}, its opener`),
    async ({ api, login, limited, another, invoice, rng, target }) => {
      const me = await limited(['InvoiceWrite'])
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      expect(await perform(me.api, operation, ready), operation).toBeOk()
      if (!reads(operation) || me.api.identity.by === 'token') return
      // The subject counts, not the login.
      const again = await login({ context: me.context })
      expect(await perform(again.api, operation, ready), `${operation}, later`).toBeOk()
    },
  )

  test(
    ...familyRule('sessions.online.of-subject', 'reader of a session', `${operation}, a colleague`),
    async ({ api, login, limited, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const colleague = await limited(['InvoiceWrite'])
      await leavesNothing(me.api, async () => {
        const answer = await perform(colleague.api, operation, ready)
        expect(answer, operation).toBeRefused('session-unknown')
      })
    },
  )

  if (reads(operation))
    test(
      ...familyRule(
        'sessions.online.of-subject',
        'reader of a session',
        `${operation}, a caller with Introspection`,
      ),
      async ({ api, login, limited, another, invoice, rng, target }) => {
        const me = await login()
        const stage = createStage({ me, api, login, another, invoice, rng, target })
        const ready = await calls[operation](stage)
        const auditor = await limited(['Introspection'])
        expect(await perform(auditor.api, operation, ready), operation).toBeOk()
      },
    )
}
