import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** An error of one kind in a package spoils the invoice after it, or is missing in the list of the failed ones. */

/** States in which the invoices of a package end, by what is wrong with them. */
const states = { seller: 410, size: 430, duplicate: 440, content: 450 } as const

const spoilsTheNext = (code: number): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { invoices, sessions }) {
        if (next.status.code !== 200 || sessions.get(next.session)?.kind !== 'batch') return next
        const before = [...invoices.values()].find(
          (one) => one.session === next.session && one.ordinal === next.ordinal - 1,
        )
        return before?.status.code === code ? { ...next, status: before.status } : next
      },
    },
  },
})

const unlisted = (code: number): Mutant => ({
  policy: { listedAsFailed: (one) => one !== code && policy.listedAsFailed(one) },
})

export const mixedPackages = (): Generated[] =>
  Object.entries(states).flatMap(([what, code]) => [
    generated('spoils-the-next', what, ['sessions.batch.errors-isolated'], spoilsTheNext(code)),
    generated('unlisted', what, ['sessions.batch.failed-list'], unlisted(code)),
  ])
