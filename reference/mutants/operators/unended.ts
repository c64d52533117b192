import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Session } from '../../model/documents.ts'
import type { Mutant } from '../mutant.ts'
import { endedByTime } from '../session-views.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Work that stays in an intermediate state for ever, where it would come to one of its ends. */

const ends = (of: 'onlineSession' | 'batchSession'): readonly number[] =>
  lifecycles[of].filter(({ terminal }) => terminal).map(({ code }) => code)

const sessionsStay = (kind: Session['kind'], stays: (next: Session) => boolean): Mutant => ({
  tables: {
    sessions: {
      write: (next, before) =>
        next.kind === kind && before !== undefined && stays(next)
          ? { ...next, status: before.status, receipts: [] }
          : next,
    },
  },
})

const invoicesStay = (code: number): Mutant => ({
  tables: {
    invoices: {
      write: (next, before) =>
        next.status.code === code && before !== undefined
          ? { ...next, status: before.status }
          : next,
    },
  },
})

/** The rules by which an invoice comes to an end. */
const outcomes: Readonly<Record<number, Rules>> = {
  200: ['invoices.submit.accepted', 'invoices.send.alternative'],
  435: ['invoices.submit.wrong-encryption'],
  440: ['invoices.duplicate.rejected'],
  450: ['invoices.content.invalid-rejected'],
}

/** Every end of a session, however it was closed, and those of invoices that have a rule of their own. */
export const unendedWork = (): Generated[] => [
  ...ends('onlineSession')
    // The symmetric key of an interactive session is refused as it opens.
    .filter((code) => code !== 415)
    .flatMap((code) =>
      Object.entries({ closed: false, 'left-open': true }).map(([how, byTime]) =>
        generated(
          'unended',
          `onlineSession.${code}.${how}`,
          code === 200
            ? ['sessions.online.receipt-after-close', 'sessions.online.close']
            : ['sessions.online.close'],
          sessionsStay(
            'online',
            (next) => next.status.code === code && endedByTime(next) === byTime,
          ),
        ),
      ),
    ),
  ...ends('batchSession').map((code) =>
    generated(
      'unended',
      `batchSession.${code}`,
      ['sessions.batch.close'],
      sessionsStay('batch', (next) => next.status.code === code),
    ),
  ),
  ...Object.entries(outcomes).map(([code, rules]) =>
    generated('unended', `invoice.${code}`, rules, invoicesStay(Number(code))),
  ),
]
