import type { RuleId } from '../../../contract/rules.ts'
import { reached } from '../../base/wording.ts'
import { keyOf } from '../../model/entities.ts'
import type { Session } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What fails takes others of its context with it that are still open or waiting. */

const lifecycleOf = { online: 'onlineSession', batch: 'batchSession' } as const

/** The states in which a session of each kind fails for what its caller sent. */
const failures: Readonly<Record<Session['kind'], readonly number[]>> = {
  online: [440, 445],
  batch: [405, 430, 435, 445],
}

const rules: Readonly<Record<Session['kind'], RuleId>> = {
  online: 'sessions.online.side-by-side',
  batch: 'sessions.batch.close',
}

const endsOthers = (kind: Session['kind'], code: number, other: Session['kind']): Mutant => ({
  tables: {
    sessions: {
      write(next, before, { sessions }) {
        const isFailing = next.kind === kind && next.status.code === code
        if (!isFailing || before?.status.code === code) return next
        for (const one of sessions.by('context', keyOf(next.context)))
          if (one.kind === other && one.status.code === 100)
            sessions.put({ ...one, status: reached(lifecycleOf[other], 440) })
        return next
      },
    },
  },
})

interface Held {
  readonly context: Parameters<typeof keyOf>[0]
  readonly status: { readonly code: number }
}

/** Work of another kind of which all is lost that had succeeded, and the rules that this breaks. */
const others = {
  exports: ['exports.status.moves-forward'],
  authentications: ['auth.redeem.issues-pair', 'auth.sessions.described'],
} as const satisfies Partial<Record<keyof State, Rules>>

const losesOthers = (table: keyof typeof others): Mutant => ({
  tables: {
    [table]: {
      write(next: Held, before: Held | undefined, state: State) {
        const isFailing = next.status.code >= 400
        if (!isFailing || before === undefined || before.status.code >= 400) return next
        const all = state[table]
        for (const one of all.by('context', keyOf(next.context)))
          if (one.status.code === 200) all.delete(one.referenceNumber)
        return next
      },
    },
  },
})

export const endedByFailures = (): Generated[] => [
  ...Object.entries(failures).flatMap(([kind, codes]) =>
    codes.flatMap((code) =>
      (['online', 'batch'] as const).map((other) =>
        generated(
          'failed-beside',
          `${kind}-${code}.${other}`,
          [rules[other]],
          endsOthers(kind as Session['kind'], code, other),
        ),
      ),
    ),
  ),
  ...(Object.keys(others) as (keyof typeof others)[]).map((table) =>
    generated('failed-beside', table, others[table], losesOthers(table)),
  ),
]
