import type { Authentication } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import type { Session } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import type { Table } from '../../model/table.ts'
import type { Mutant, Place } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What one caller begins ends what another one of the same context has, or what the same one has in another. */

type Owned = Record<string, unknown>

/** Of two owners: whether the contexts are the same, and whether the subjects are. */
type Relation = (context: boolean, subject: boolean) => boolean

const relations: Readonly<Record<string, Relation>> = {
  'of-colleagues': (context, subject) => context && !subject,
  elsewhere: (context, subject) => !context && subject,
}

const same = (one: unknown, other: unknown): boolean =>
  one !== undefined &&
  other !== undefined &&
  keyOf(one as Parameters<typeof keyOf>[0]) === keyOf(other as Parameters<typeof keyOf>[0])

/** Where something begins, in which table, whether an entity has begun, and the rules that its loss breaks. */
interface Row {
  readonly place: Place
  readonly table: keyof State
  readonly began: (next: never, before: Owned | undefined) => boolean
  readonly rules: Rules
}

const isNew = (_: unknown, before: Owned | undefined): boolean => before === undefined

const rows: Readonly<Record<string, Row>> = {
  session: {
    place: 'sessions.openOnline',
    table: 'sessions',
    began: ({ kind }: Session, before) => kind === 'online' && isNew(kind, before),
    rules: ['sessions.online.side-by-side'],
  },
  package: {
    place: 'sessions.openBatch',
    table: 'sessions',
    began: ({ kind }: Session, before) => kind === 'batch' && isNew(kind, before),
    rules: ['sessions.batch.close'],
  },
  login: {
    place: 'auth.redeem',
    table: 'authentications',
    began: ({ redeemedAt }: Authentication, before) =>
      redeemedAt !== undefined && before?.['redeemedAt'] === undefined,
    rules: ['auth.access-token.expires'],
  },
  'pending-login': {
    place: 'auth.xades',
    table: 'authentications',
    began: ({ redeemedAt }: Authentication, before) =>
      redeemedAt === undefined && isNew(redeemedAt, before),
    rules: ['auth.redeem.issues-pair'],
  },
  token: {
    place: 'tokens.create',
    table: 'tokens',
    began: isNew,
    rules: ['tokens.status.described'],
  },
  export: {
    place: 'exports.create',
    table: 'exports',
    began: isNew,
    rules: ['exports.status.moves-forward'],
  },
}

const ends = ({ place, table, began }: Row, isOther: Relation): Mutant => ({
  at: [place],
  tables: {
    [table]: {
      write(next: Owned, before: Owned | undefined, state: State) {
        if (!began(next as never, before)) return next
        const all = state[table] as unknown as Table<Owned, string>
        const ended = [...all.values()].findLast(
          (one) =>
            began(one as never, undefined) &&
            isOther(
              same(one['context'], next['context']),
              same(one['subject'] ?? one['author'], next['subject'] ?? next['author']),
            ),
        )
        if (ended !== undefined) all.delete(all.keyOf(ended))
        return next
      },
    },
  },
})

export const harmedByOthers = (): Generated[] =>
  Object.entries(rows).flatMap(([name, row]) =>
    Object.entries(relations).map(([whose, isOther]) =>
      generated('ends', `${name}.${whose}`, row.rules, ends(row, isOther)),
    ),
  )
