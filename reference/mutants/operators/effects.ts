import { createState } from '../../model/state.ts'
import type { WorkKind } from '../../model/work.ts'
import type { Mutant, Place, TableEffects } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import { places, removers, written } from './writers.ts'
import type { TableName } from './writers.ts'

/** Commands without their effect: nothing is remembered, one table is forgotten, or nothing is removed. */

const allTables = Object.keys(createState()) as TableName[]

const withTables = (
  at: Place,
  names: readonly TableName[],
  effects: TableEffects<unknown>,
): Mutant => ({
  at: [at],
  tables: Object.fromEntries(names.map((name) => [name, effects])) as NonNullable<Mutant['tables']>,
})

/** What breaks when work is never done, is done late or ahead of its time. */
const works: Readonly<Record<WorkKind, Rules>> = {
  authentication: ['auth.status.moves-forward', 'auth.redeem.issues-pair', 'auth.xades.accepted'],
  token: ['tokens.status.moves-forward', 'auth.token.accepted'],
  operation: ['operations.status.reports', 'permissions.grant.effective'],
  enrollment: ['certificates.enrol'],
  certificate: ['certificates.revoke'],
  invoice: ['invoices.submit.accepted', 'invoices.status.outcome'],
  verification: ['invoices.status.outcome'],
  storage: ['invoices.get.by-service-number', 'queries.metadata.filters'],
  session: ['sessions.online.receipt-after-close', 'sessions.status.moves-forward'],
  expiry: ['sessions.status.dates', 'exports.expiry'],
  batch: ['sessions.batch.close'],
  export: ['exports.status.moves-forward', 'exports.package.content'],
}

/** Every write of every command and piece of work, every removal, and all work itself. */
export const lostEffects = (): Generated[] => [
  ...places.flatMap(([place, writer]) => {
    const { rules } = writer
    const tables = written(writer)
    return [
      generated(
        'effect',
        `${place}.nothing-stored`,
        rules,
        withTables(place, allTables, { write: () => undefined, remove: () => false }),
      ),
      ...(tables.length < 2
        ? []
        : tables.map((table) =>
            generated(
              'effect',
              `${place}.no-${table}`,
              rules,
              withTables(place, [table], { write: () => undefined }),
            ),
          )),
      ...tables
        .map((table) =>
          generated(
            'effect',
            `${place}.first-${table}-only`,
            rules,
            withTables(place, [table], {
              write: (next, before) => (before === undefined ? next : undefined),
            }),
          ),
        )
        .filter((_mutant, at) => changing[place]?.includes(tables[at]!)),
    ]
  }),
  ...removers.map(([place, rules]) =>
    generated(
      'effect',
      `${place}.nothing-removed`,
      rules,
      withTables(place, allTables, { remove: () => false }),
    ),
  ),
  ...(Object.entries(works) as [WorkKind, Rules][]).map(([kind, rules]) =>
    generated('work', `${kind}.never`, rules, {
      later: (given, ms) => (given === kind ? undefined : ms),
    }),
  ),
]

/** Places that change what they find, where a second write differs from the first, with the tables where that is so. */
const changing: Partial<Record<Place, readonly TableName[]>> = {
  'sessions.uploadPart': ['parts'],
  'invoices.submit': ['sessions'],
  'testdata.setSessionLimits': ['contextLimits'],
  'testdata.setRateLimits': ['rates'],
}
