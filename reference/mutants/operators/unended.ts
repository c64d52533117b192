import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Session } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import type { Mutant } from '../mutant.ts'
import { refusedApplicationsStay } from '../refused-applications.ts'
import { endedByTime } from '../session-views.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Work that stays in an intermediate state for ever, where it would come to one of its ends. */

const ends = (of: 'onlineSession' | 'batchSession'): readonly number[] =>
  lifecycles[of].filter(({ terminal }) => terminal).map(({ code }) => code)

const sessionsStay = (
  kind: Session['kind'],
  stays: (next: Session, state: State) => boolean,
): Mutant => ({
  tables: {
    sessions: {
      write: (next, before, state) =>
        next.kind === kind && before !== undefined && stays(next, state)
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
  415: ['invoices.size.with-attachments'],
  430: ['invoices.submit.hash-mismatch'],
  435: ['invoices.submit.wrong-encryption'],
  440: ['invoices.duplicate.rejected'],
  450: ['invoices.content.invalid-rejected'],
}

/** Ends that rules of their own demand: what is never refused in the end is not refused. */
const refusedPackages: Readonly<Record<number, Rules>> = {
  420: ['sessions.batch.ten-thousand'],
}

const refusedLogins: Readonly<Record<number, Rules>> = {
  415: ['auth.xades.fingerprint'],
  450: ['auth.token.expired-refused'],
  460: ['auth.xades.certificate-dates'],
  480: ['testdata.blocks'],
}

const loginsStay = (code: number): Mutant => ({
  tables: {
    authentications: {
      write: (next, before) =>
        next.status.code === code && before !== undefined
          ? { ...next, status: before.status }
          : next,
    },
  },
})

/** Packages with an invoice that was rejected for one reason. */
const packagesStay = (code: number): Mutant =>
  sessionsStay('batch', (next, state) =>
    [445, 200].includes(next.status.code)
      ? state.invoices
          .by('session', next.referenceNumber)
          .some(({ status }) => status.code === code)
      : false,
  )

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
  ...Object.entries(refusedPackages).map(([code, rules]) =>
    generated(
      'unended',
      `batchSession.${code}.refused`,
      rules,
      sessionsStay('batch', (next) => next.status.code === Number(code)),
    ),
  ),
  ...(['enrollment-limit', 'certificate-limit'] as const).map((limit) =>
    generated(
      'unended',
      `application.${limit}`,
      ['certificates.limits'],
      refusedApplicationsStay(limit),
    ),
  ),
  generated('unended', 'batchSession.with-440', ['sessions.batch.duplicates'], packagesStay(440)),
  ...Object.entries(refusedLogins).map(([code, rules]) =>
    generated('unended', `authentication.${code}`, rules, loginsStay(Number(code))),
  ),
]
