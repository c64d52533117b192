import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { offered } from '../../support/service/offered.ts'
import { leavesNothing } from '../../support/scenes/remembered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import type { Stage } from '../../support/callers/stage.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A reference names a resource of one kind: operations on other kinds do not know it, even if the caller owns it. */

const kinds = {
  'interactive session': async (stage: Stage) => (await stage.session()).referenceNumber,
  'batch session': async (stage: Stage) => (await stage.batch()).session.referenceNumber,
  invoice: async ({ shared }: Stage) => (await shared.accepted()).referenceNumber,
  'page of a receipt': async ({ shared }: Stage) => (await shared.accepted()).page.referenceNumber,
  export: async ({ shared }: Stage) => (await shared.exported()).referenceNumber,
  operation: async (stage: Stage) =>
    String((await calls['operations.status'](stage)).path?.['referenceNumber']),
  login: ({ me }: Stage) => Promise.resolve(me.referenceNumber),
} as const
type Kind = keyof typeof kinds

const sessions = ['interactive session', 'batch session'] as const

interface Row {
  readonly operation: OperationId
  /** The path parameter in which the other reference is sent. */
  readonly parameter: string
  readonly takes: readonly Kind[]
  readonly rule: RuleId
  readonly refusedAs: RefusalId
}

const reads: RuleId = 'transport.unknown-is-404'

const rows: readonly Row[] = [
  {
    operation: 'sessions.closeOnline',
    parameter: 'referenceNumber',
    takes: ['interactive session'],
    rule: 'sessions.online.close',
    refusedAs: 'session-unknown',
  },
  {
    operation: 'sessions.closeBatch',
    parameter: 'referenceNumber',
    takes: ['batch session'],
    rule: 'sessions.batch.close',
    refusedAs: 'session-unknown',
  },
  {
    operation: 'invoices.submit',
    parameter: 'referenceNumber',
    takes: ['interactive session'],
    rule: 'invoices.submit.accepted',
    refusedAs: 'session-unknown',
  },
  ...(['sessions.status', 'sessions.invoices', 'sessions.failed'] as const).map((operation) => ({
    operation,
    parameter: 'referenceNumber',
    takes: sessions,
    rule: reads,
    refusedAs: 'session-unknown' as const,
  })),
  ...(['invoices.inSession', 'receipts.invoice'] as const).flatMap((operation): readonly Row[] => [
    {
      operation,
      parameter: 'referenceNumber',
      takes: sessions,
      rule: reads,
      refusedAs: 'session-unknown',
    },
    {
      operation,
      parameter: 'invoiceReferenceNumber',
      takes: ['invoice'],
      rule: reads,
      refusedAs: 'invoice-unknown',
    },
  ]),
  {
    operation: 'receipts.session',
    parameter: 'upoReferenceNumber',
    takes: ['page of a receipt'],
    rule: reads,
    refusedAs: 'receipt-unknown',
  },
  {
    operation: 'invoices.status',
    parameter: 'invoiceId',
    takes: ['invoice'],
    rule: reads,
    refusedAs: 'invoice-unknown',
  },
  {
    operation: 'exports.status',
    parameter: 'referenceNumber',
    takes: ['export'],
    rule: reads,
    refusedAs: 'export-unknown',
  },
  {
    operation: 'operations.status',
    parameter: 'referenceNumber',
    takes: ['operation'],
    rule: reads,
    refusedAs: 'operation-unknown',
  },
]

for (const rule of new Set(rows.map((row) => row.rule)))
  test(
    ...familyRule(rule, 'reference of another kind'),
    async ({ api, login, another, invoice, rng, target }) => {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const references: [Kind, string][] = []
      for (const [kind, make] of Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][])
        references.push([kind, await make(stage)])
      const own = rows.filter((row) => row.rule === rule && offered(row.operation).length > 0)
      for (const { operation, parameter, takes, refusedAs } of own) {
        const ready = await calls[operation](stage)
        await leavesNothing(me.api, async () => {
          for (const [kind, reference] of references) {
            if (takes.includes(kind)) continue
            const path = { ...ready.path, [parameter]: reference }
            const answer = await perform(me.api, operation, { ...ready, path })
            expect.soft(answer, `${operation} of the reference of a ${kind}`).toBeRefused(refusedAs)
          }
        })
      }
      for (const kind of sessions) {
        const path = { referenceNumber: references.find(([name]) => name === kind)?.[1] ?? '' }
        const session = reported(await me.api.call('sessions.status', { path }))
        const lifecycle = kind === 'batch session' ? 'batchSession' : 'onlineSession'
        expect(session, `the ${kind} afterwards`).toBeInState(lifecycle, 100)
      }
    },
  )
