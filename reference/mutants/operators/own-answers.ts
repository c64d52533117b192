import { operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { reached } from '../../base/wording.ts'
import type { AnyCall } from '../../call/call.ts'
import { keyOf } from '../../model/entities.ts'
import type { ContextIdentifier, SubjectIdentifier } from '../../model/entities.ts'
import type { State } from '../../model/state.ts'
import type { Table } from '../../model/table.ts'
import type { WorkKind } from '../../model/work.ts'
import type { Mutant } from '../mutant.ts'
import { answers } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What an answer names, or what it began, belongs to another request of the same owner. */

/** What asynchronous work is about. */
interface Work {
  readonly referenceNumber: string
  readonly context?: ContextIdentifier
  readonly subject?: SubjectIdentifier
  readonly session?: string
  readonly status: string | { readonly code: number }
}

interface Row {
  readonly table: keyof State
  readonly rules: Rules
  /** What the request says, as it is kept. */
  readonly request: readonly string[]
  /** The work that is done, and the state from which it is done; absent where its callers go on with it. */
  readonly does?: readonly [WorkKind, unknown]
  /** The rules that something finished breaks when it begins again. */
  readonly again?: Rules
}

const rows: Partial<Readonly<Record<OperationId, Row>>> = {
  'auth.xades': {
    table: 'authentications',
    rules: ['auth.xades.accepted'],
    request: ['subject', 'attributes', 'fingerprint', 'certificate'],
    does: ['authentication', reached('authentication', 100)],
    again: ['auth.status.moves-forward'],
  },
  'auth.token': {
    table: 'authentications',
    rules: ['auth.token.accepted'],
    request: ['envelope'],
    does: ['authentication', reached('authentication', 100)],
  },
  'exports.create': {
    table: 'exports',
    rules: ['exports.create.accepted'],
    request: ['filters', 'range'],
    does: ['export', reached('export', 100)],
    again: ['exports.status.moves-forward', 'exports.create.accepted'],
  },
  'permissions.grantPerson': {
    table: 'operations',
    rules: ['operations.status.reports', 'permissions.grant.effective'],
    request: [],
    does: ['operation', reached('operation', 100)],
  },
  // Representatives of an EU entity are granted permissions in its context, where checks do nothing else.
  ...Object.fromEntries(
    operationIds
      .filter((id) => /^permissions\.(?:grant(?!Person$|Eu$)|revoke)/.test(id))
      .map((id) => [
        id,
        { table: 'operations', rules: ['operations.status.reports'], request: [] },
      ]),
  ),
  'certificates.enroll': {
    table: 'enrollments',
    rules: ['certificates.enrol'],
    request: ['publicKey', 'name'],
    does: ['enrollment', reached('application', 100)],
  },
  'tokens.create': {
    table: 'tokens',
    rules: ['tokens.status.described'],
    request: ['permissions', 'description'],
    does: ['token', 'Pending'],
    again: ['tokens.status.moves-forward'],
  },
  'invoices.send': {
    table: 'invoices',
    rules: ['invoices.send.alternative'],
    request: [],
  },
  'sessions.openBatch': {
    table: 'sessions',
    rules: ['sessions.batch.opens', 'sessions.batch.close'],
    request: ['key', 'iv', 'wrappedKey'],
  },
}

const tableIn = (state: State, name: keyof State): Table<Work, string> =>
  state[name] as unknown as Table<Work, string>

/** Whether two belong together: those without a session are alone in theirs. */
const ownerOf = ({ context, subject, session }: Work): string =>
  session !== undefined ? 'sent alone' : context ? keyOf(context) : subject ? keyOf(subject) : ''

const isPending = ({ status }: Work): boolean =>
  typeof status === 'string' ? status === 'Pending' : status.code < 200

const firstPending = (table: Table<Work, string>, own: Work): Work | undefined =>
  [...table.values()].find((one) => isPending(one) && ownerOf(one) === ownerOf(own))

/** The answer names the first of the owner that is in progress. */
const namesTheFirst = (operation: OperationId, { table: name }: Row): Mutant =>
  answers([operation], (answer, { service: { state } }) => {
    const body = answer.body as { readonly referenceNumber: string }
    const table = tableIn(state, name)
    const own = table.get(body.referenceNumber)
    const first = own && firstPending(table, own)
    const referenceNumber = first?.referenceNumber ?? body.referenceNumber
    return { ...answer, body: { ...body, referenceNumber } }
  })

/** What is begun is that which the first of the owner in progress asked for. */
const asksForTheFirst = (operation: OperationId, { table: name, request }: Row): Mutant => ({
  at: [operation],
  tables: {
    [name]: {
      write(next: Work, before: Work | undefined, state: State) {
        const first = before === undefined ? firstPending(tableIn(state, name), next) : undefined
        const asked = Object.entries(first ?? {}).filter(([field]) => request.includes(field))
        return { ...next, ...Object.fromEntries(asked) }
      },
    },
  },
})

/** The last of the owner that has ended is done again. */
const beginsTheLastAgain = (
  operation: OperationId,
  { table: name }: Row,
  [kind, status]: NonNullable<Row['does']>,
): Mutant => ({
  at: [operation],
  async call(call: AnyCall, next) {
    const { schedule, state } = call.service
    const answer = await next(call)
    const table = tableIn(state, name)
    const own = table.get((answer.body as { readonly referenceNumber: string }).referenceNumber)
    const last = [...table.values()].findLast(
      (one) => own !== undefined && !isPending(one) && ownerOf(one) === ownerOf(own),
    )
    if (last !== undefined) {
      table.put({ ...last, status } as Work)
      schedule.later(kind, last.referenceNumber, 250)
    }
    return answer
  },
})

export const answersOfOthers = (): Generated[] =>
  (Object.entries(rows) as [OperationId, Row][]).flatMap(([operation, row]) => {
    const { rules, request, does, again = rules } = row
    return [
      generated('own-answer', `${operation}.first`, rules, namesTheFirst(operation, row)),
      ...(request.length > 0
        ? [generated('own-answer', `${operation}.asked`, rules, asksForTheFirst(operation, row))]
        : []),
      ...(does
        ? [generated('again', operation, again, beginsTheLastAgain(operation, row, does))]
        : []),
    ]
  })
