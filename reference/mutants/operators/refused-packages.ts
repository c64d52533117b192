import type { RefusalId } from '../../../contract/errors.ts'
import { refusal as row } from '../../../contract/errors.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Packages that fail as a whole, as they should, after their documents were processed, or in one form alone. */

/** Decisions that refuse a package once it has been read. */
type Refusing = 'archiveCheckValueFits' | 'archiveNameAllowed' | 'packageMatches' | 'sessionHasRoom'

type Decide = (...given: readonly unknown[]) => boolean

/** The documents are issued before the fault is found. Then the package fails, and its session shows none of them. */
const issuedBeforeTheFault = (decision: Refusing, refusal: RefusalId): Mutant => {
  let isFaulty = false
  const [code = 0] = row(refusal).state?.codes ?? []
  return {
    at: ['batch', 'invoice'],
    policy: {
      [decision]: (...given: readonly unknown[]) => {
        isFaulty ||= !(policy[decision] as Decide)(...given)
        return true
      },
    },
    tables: {
      sessions: {
        write(next) {
          if (!isFaulty || next.kind !== 'batch' || next.status.code !== 200) return next
          isFaulty = false
          const status = { ...next.status, code }
          return { ...next, status, accepted: 0, rejected: 0, total: 0, receipts: [] }
        },
      },
      invoices: {
        write: ({ svcNumber, ...next }) => ({
          ...next,
          ...(svcNumber !== undefined && !isFaulty && { svcNumber }),
        }),
      },
    },
  }
}

/** Packages of one form of archive are not counted. */
const uncounted = (form: 'Zip' | 'TarGz'): Mutant => {
  let isOfForm = false
  return {
    at: ['batch'],
    tables: {
      sessions: {
        read(found) {
          isOfForm = found?.package?.compression === form
          return found
        },
      },
    },
    policy: {
      sessionHasRoom: (invoices, limit) => isOfForm || policy.sessionHasRoom(invoices, limit),
    },
  }
}

const refusing: Readonly<Record<Refusing, readonly [RefusalId, Rules]>> = {
  archiveCheckValueFits: ['archive-refused', ['sessions.batch.hostile-archive']],
  archiveNameAllowed: ['archive-refused', ['sessions.batch.hostile-archive']],
  packageMatches: ['package-hash-mismatch', ['sessions.batch.close']],
  sessionHasRoom: ['session-full', ['sessions.batch.ten-thousand']],
}

export const issuedThoughRefused = (): Generated[] => [
  ...(Object.keys(refusing) as Refusing[]).map((decision) => {
    const [refusal, rules] = refusing[decision]
    return generated('issued-though', decision, rules, issuedBeforeTheFault(decision, refusal))
  }),
  ...(['Zip', 'TarGz'] as const).map((form) =>
    generated('uncounted', form, ['sessions.batch.ten-thousand'], uncounted(form)),
  ),
]
