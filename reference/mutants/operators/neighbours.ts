import { keyOf } from '../../model/entities.ts'
import type { Session } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import type { Table } from '../../model/table.ts'
import type { Mutant, Place } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import type { TableName } from './writers.ts'
import { places, removers } from './writers.ts'

/** What is done to one thing happens to its neighbour too: to the one of the same owner that came last before it. */

type Entity<Name extends TableName> = State[Name] extends Table<infer T, string> ? T : never

const ofContext = ({ context }: { readonly context: Parameters<typeof keyOf>[0] }): string =>
  keyOf(context)
const ofSession = ({ session }: { readonly session: string }): string => session
const ofSubject = ({ subject }: { readonly subject: Parameters<typeof keyOf>[0] }): string =>
  keyOf(subject)
const ofAnybody = (): string => ''

/** The owner of a thing, and the rules that its loss breaks besides those of the place where it is lost. */
const owners: {
  readonly [Name in TableName]?: readonly [of: (value: Entity<Name>) => string, ...also: Rules]
} = {
  challenges: [ofAnybody, 'auth.xades.accepted', 'auth.challenge.individual'],
  authentications: [ofContext, 'auth.sessions.listed', 'auth.redeem.issues-pair'],
  tokens: [ofContext, 'tokens.status.described', 'auth.token.accepted'],
  grants: [ofContext, 'permissions.grant.effective', 'permissions.grant.listed'],
  operations: [ofContext, 'operations.status.reports'],
  sessions: [ofContext, 'sessions.list.complete', 'sessions.status.counts'],
  invoices: [ofSession, 'sessions.invoices.complete', 'invoices.status.outcome'],
  issued: [ofContext, 'invoices.get.by-service-number', 'queries.metadata.filters'],
  parts: [ofSession, 'sessions.batch.close'],
  receiptPages: [ofSession, 'receipts.session.verifies'],
  exports: [ofContext, 'exports.status.moves-forward'],
  enrollments: [ofSubject, 'certificates.enrol'],
  certificates: [ofSubject, 'certificates.listed', 'auth.xades.service-certificate'],
  subjects: [ofAnybody, 'testdata.entities'],
  persons: [ofAnybody, 'testdata.entities'],
  consents: [ofAnybody, 'testdata.attachments'],
  blocks: [ofAnybody, 'testdata.blocks'],
  contextLimits: [ofAnybody, 'limits.context'],
  subjectLimits: [ofAnybody, 'limits.subject'],
  rates: [ofAnybody, 'testdata.limit-simulation'],
}

type AnyTable = Table<Record<string, unknown>, string>
type Owner = (value: Record<string, unknown>) => string

/** A table, whatever its entities are. */
export const tableOf = (state: State, name: keyof State): AnyTable =>
  state[name] as unknown as AnyTable

/** The entity that came last, but for one. */
export const neighbourOf = (
  table: AnyTable,
  key: string,
  isOfThe: (value: Record<string, unknown>) => boolean,
): Record<string, unknown> | undefined =>
  [...table.values()].findLast((one) => table.keyOf(one) !== key && isOfThe(one))

/** The neighbour is forgotten when something new comes. */
const forgotten = (at: Place, name: TableName, of: Owner): Mutant => ({
  at: [at],
  tables: {
    [name]: {
      write(next: Record<string, unknown>, before: unknown, state: State) {
        const table = tableOf(state, name)
        if (before !== undefined) return next
        const other = neighbourOf(table, table.keyOf(next), (one) => of(one) === of(next))
        if (other !== undefined) table.delete(table.keyOf(other))
        return next
      },
    },
  },
})

/** What changes in one changes in its neighbour. */
const changed = (at: Place, name: TableName, of: Owner): Mutant => ({
  at: [at],
  tables: {
    [name]: {
      write(
        next: Record<string, unknown>,
        before: Record<string, unknown> | undefined,
        state: State,
      ) {
        const table = tableOf(state, name)
        if (before === undefined) return next
        const change = Object.entries(next).filter(([field, value]) => value !== before[field])
        const other = neighbourOf(table, table.keyOf(next), (one) => of(one) === of(next))
        if (other !== undefined) table.put({ ...other, ...Object.fromEntries(change) })
        return next
      },
    },
  },
})

/** What is removed takes its neighbour with it. */
const removed = (at: Place, name: TableName): Mutant => ({
  at: [at],
  tables: {
    [name]: {
      remove(key: string, state: State) {
        const table = tableOf(state, name)
        const other = neighbourOf(table, key, () => true)
        if (other !== undefined) table.delete(table.keyOf(other))
        return true
      },
    },
  },
})

type Moment = (next: Session, before: Session | undefined) => boolean

/** When a package takes away what was uploaded for the others of its context. */
const moments: Readonly<Record<string, Moment>> = {
  end: ({ status }, before) => status.code >= 200 && (before?.status.code ?? 200) < 200,
  failure: ({ status }, before) => status.code > 200 && (before?.status.code ?? 200) < 200,
  opening: (_, before) => before === undefined,
}

const dropsParts = (isSo: Moment): Mutant => ({
  tables: {
    sessions: {
      write(next, before, { sessions, parts }) {
        if (next.kind === 'batch' && isSo(next, before))
          for (const { referenceNumber } of sessions.by('context', keyOf(next.context)))
            for (const { id } of parts.by('session', referenceNumber)) parts.delete(id)
        return next
      },
    },
  },
})

const together = ([first, ...more]: Rules, also: readonly Rules[number][]): Rules => [
  first,
  ...new Set([...more, ...also].filter((one) => one !== first)),
]

export const harmedNeighbours = (): Generated[] => [
  ...places.flatMap(([place, { rules, makes = [], changes = [] }]) =>
    (
      [
        ['forgotten', makes, forgotten],
        ['changed', changes, changed],
      ] as const
    ).flatMap(([what, names, harm]) =>
      names.flatMap((name) => {
        const [of, ...also] = owners[name] ?? []
        // What is sent without a session has a session to itself.
        if (of === undefined || (place === 'invoices.send' && of === ofSession)) return []
        return [
          generated(
            'neighbour',
            `${place}.${name}-${what}`,
            together(rules, also),
            harm(place, name, of as Owner),
          ),
        ]
      }),
    ),
  ),
  ...removers.map(([place, rules, name]) =>
    generated('neighbour', `${place}.${name}-removed`, rules, removed(place, name)),
  ),
  ...Object.entries(moments).map(([name, isSo]) =>
    generated(
      'neighbour',
      `package.${name}-drops-parts`,
      ['sessions.batch.close'],
      dropsParts(isSo),
    ),
  ),
]
