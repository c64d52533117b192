import type { OperationId } from '../../contract/endpoints.ts'
import type { Session } from '../model/documents.ts'
import type { OperationTask } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { ofTheSubject, reference } from './callers.ts'
import type { Mutant } from './mutant.ts'
import { describedAs } from './reasons.ts'
import { bodies, calls, decidedBy, refuses } from './rewrite.ts'

const operationShown = (code: number): Mutant =>
  bodies(['operations.status'], ({ status }: { status: object }) => ({
    status: { ...status, code },
  }))

/** Statuses of sessions are gone with those of exports. */
const sessionsForgotten = refuses(
  ['sessions.status', 'sessions.invoices'],
  'resource-gone',
  ({ service, path, now }) => {
    const session = service.state.sessions.get(path['referenceNumber'] ?? '')
    const days = service.limit('retention.statusDays')
    return session !== undefined && !policy.statusKept(now - session.openedAt, days)
  },
)

/** Statuses of invoices are kept as long as those of operations. */
const invoicesForgotten = (operation: OperationId): Mutant =>
  refuses([operation], 'resource-gone', ({ service, path, now }) => {
    const { invoices, issued } = service.state
    const numbered = issued.get(path['svcNumber'] ?? '')?.invoice
    const named = path['invoiceReferenceNumber'] ?? path['invoiceId'] ?? numbered
    const invoice = invoices.get(named ?? '')
    const days = service.limit('retention.operationDays')
    return invoice !== undefined && !policy.statusKept(now - invoice.receivedAt, days)
  })

/** Some operations are kept as long as exports. */
const forgottenWithExports = (which: (task: OperationTask, code: number) => boolean): Mutant =>
  refuses(['operations.status'], 'resource-gone', ({ service, path, now }) => {
    const operation = service.state.operations.get(path['referenceNumber'] ?? '')
    const days = service.limit('retention.statusDays')
    return (
      operation !== undefined &&
      which(operation.task, operation.status.code) &&
      !policy.statusKept(now - operation.startedAt, days)
    )
  })

/** Some sessions are gone as soon as an operation would be. */
const sessionsGone = (isOne: (session: Session) => boolean): Mutant =>
  refuses(['sessions.status'], 'resource-gone', (call) => {
    const session = call.service.state.sessions.get(reference(call))
    const days = call.service.limit('retention.operationDays')
    return (
      session !== undefined &&
      isOne(session) &&
      !policy.statusKept(call.now - session.openedAt, days)
    )
  })

/** Defects of the status of operations. */
export const operationsMutants = {
  'operations.status.reports/failure-described-as-in-progress': describedAs(
    ['operations.status'],
    'operation',
    100,
  ),
  'operations.status.reports/never-ends': operationShown(100),
  'operations.status.reports/done-at-once': operationShown(200),
  'operations.status.reports/revocations-done-at-once': bodies<{ status: object }>(
    ['operations.status'],
    ({ status }, { service, path }) =>
      service.state.operations.get(path['referenceNumber'] ?? '')?.task.kind === 'revoke'
        ? { status: { ...status, code: 200 } }
        : {},
  ),
  'operations.status.reports/revocations-never-end': {
    at: ['permissions.revoke', 'permissions.revokeAuthorization'],
    later: () => undefined,
  },
  'operations.status.reports/second-revocation-never-ends': {
    tables: {
      operations: { write: (next) => (next.status.code === 400 ? undefined : next) },
    },
  },
  'operations.status.reports/success-in-part': {
    also: ['permissions.grant.refusals'],
    at: ['operation'],
    policy: { enforcementGrantable: () => true },
    tables: {
      grants: { write: (next) => (next.permission === 'EnforcementOperations' ? undefined : next) },
    },
  },
  'operations.status.reports/hidden-from-colleagues': refuses(
    ['operations.status'],
    'operation-unknown',
    ({ service, path, caller }) => {
      const task = service.state.operations.get(path['referenceNumber'] ?? '')?.task
      if (task === undefined || caller === undefined) return false
      const by = task.kind === 'revoke' ? task.by : task.grants[0]?.author
      return by !== undefined && 'value' in by && keyOf(by) !== keyOf(caller.subject)
    },
  ),
  'operations.status.isolated/shown-to-whom-it-is-about': calls(['operations.status'], (call) => {
    const task = call.service.state.operations.get(call.path['referenceNumber'] ?? '')?.task
    const grants = task?.kind === 'grant' ? task.grants : []
    const { caller } = call
    const isAbout =
      caller !== undefined && grants.some(({ subject }) => keyOf(subject) === keyOf(caller.subject))
    return isAbout ? decidedBy(call, { operationVisible: () => true }) : call
  }),
  'operations.status.kept/outcome-forgotten': bodies(['operations.status'], (_body, call) => {
    const operation = call.service.state.operations.get(call.path['referenceNumber'] ?? '')
    return call.now - (operation?.startedAt ?? call.now) > 24 * 3_600_000
      ? { status: { code: 100, description: 'in progress' } }
      : {}
  }),
  'operations.status.kept/sessions-forgotten': sessionsForgotten,
  'operations.status.kept/invoices-forgotten': invoicesForgotten('invoices.inSession'),
  'operations.status.kept/invoices-forgotten-by-reference': invoicesForgotten('invoices.status'),
  'operations.status.kept/invoices-forgotten-by-number': invoicesForgotten(
    'invoices.statusBySvcNumber',
  ),
  'operations.status.kept/sessions-unlisted': bodies(
    ['sessions.list'],
    ({ sessions }: { readonly sessions: readonly { readonly dateCreated: string }[] }, call) => ({
      sessions: sessions.filter(({ dateCreated }) => {
        const days = call.service.limit('retention.operationDays')
        return policy.statusKept(call.now - Date.parse(dateCreated), days)
      }),
    }),
  ),
  'operations.status.kept/failed-sessions-forgotten': sessionsGone(
    ({ status }) => status.code === 445,
  ),
  'operations.status.kept/packages-forgotten': sessionsGone(({ kind }) => kind === 'batch'),
  'operations.status.kept/revocations-soon-forgotten': forgottenWithExports(
    ({ kind }) => kind === 'revoke',
  ),
  'operations.status.kept/grants-to-others-soon-forgotten': forgottenWithExports(
    (task) => task.kind === 'grant' && task.grants.every(({ kind }) => kind !== 'person'),
  ),
  'operations.status.kept/refused-ones-soon-forgotten': forgottenWithExports(
    (_task, code) => code >= 300,
  ),
  'operations.status.kept/kept-for-ever': { policy: { statusKept: () => true } },
  'operations.status.kept/soon-forgotten': {
    policy: { statusKept: (age, days) => policy.statusKept(age, days / 2) },
  },
  'operations.status.isolated/of-the-subject-anywhere': ofTheSubject(
    ['operations.status'],
    (call) => {
      const found = call.service.state.operations.get(reference(call))
      const [grant] = found?.task.kind === 'grant' ? found.task.grants : []
      const author = grant?.author
      return found && author !== undefined && 'value' in author
        ? { context: found.context, by: author }
        : undefined
    },
  ),
  'operations.status.isolated/once-it-has-failed': calls(['operations.status'], (call) => {
    const found = call.service.state.operations.get(reference(call))
    return (found?.status.code ?? 0) >= 400
      ? decidedBy(call, { operationVisible: () => true })
      : call
  }),
  'operations.status.isolated/for-everyone': { policy: { operationVisible: () => true } },
} as const satisfies Readonly<Record<string, Mutant>>
