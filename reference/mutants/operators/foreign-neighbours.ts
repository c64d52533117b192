import type { Authentication } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import type { Session } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import type { Mutant, Place } from '../mutant.ts'
import { neighbourOf, tableOf } from './neighbours.ts'
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

/** Where something becomes such an entity of a table, and the rules that the loss of another one breaks. */
interface Row {
  readonly place: Place
  readonly table: keyof State
  readonly isSuch: (one: never) => boolean
  readonly rules: Rules
}

const rows: Readonly<Record<string, Row>> = {
  session: {
    place: 'sessions.openOnline',
    table: 'sessions',
    isSuch: ({ kind }: Session) => kind === 'online',
    rules: ['sessions.online.side-by-side'],
  },
  package: {
    place: 'sessions.openBatch',
    table: 'sessions',
    isSuch: ({ kind }: Session) => kind === 'batch',
    rules: ['sessions.batch.close'],
  },
  login: {
    place: 'auth.redeem',
    table: 'authentications',
    isSuch: ({ redeemedAt }: Authentication) => redeemedAt !== undefined,
    rules: ['auth.access-token.expires'],
  },
  'pending-login': {
    place: 'auth.xades',
    table: 'authentications',
    isSuch: ({ redeemedAt }: Authentication) => redeemedAt === undefined,
    rules: ['auth.redeem.issues-pair'],
  },
  token: {
    place: 'tokens.create',
    table: 'tokens',
    isSuch: () => true,
    rules: ['tokens.status.described'],
  },
  export: {
    place: 'exports.create',
    table: 'exports',
    isSuch: () => true,
    rules: ['exports.status.moves-forward'],
  },
}

const ends = ({ place, table, isSuch }: Row, isOther: Relation): Mutant => ({
  at: [place],
  tables: {
    [table]: {
      write(next: Owned, before: Owned | undefined, state: State) {
        const was = before !== undefined && isSuch(before as never)
        if (was || !isSuch(next as never)) return next
        const all = tableOf(state, table)
        const ended = neighbourOf(
          all,
          all.keyOf(next),
          (one) =>
            isSuch(one as never) &&
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
