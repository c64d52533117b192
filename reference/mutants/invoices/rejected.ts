import { invoiceKinds } from '../../model/invoice-facts.ts'
import { nipOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import { isAlone, isPackage } from '../ways-of-sending.ts'
import { misfitKept } from '../once-more.ts'
import {
  contentsShifted,
  receiptsByOrdinal,
  spoilsTheNext,
  spoiltBy,
  stopsAfter,
} from '../rejections.ts'

/** What was rejected once is a duplicate when it is sent in one way. */
const heldIn = (isSuch: typeof isAlone): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { invoices, sessions }) {
        if (next.status.code !== 200 || !isSuch(sessions.get(next.session))) return next
        const held = [...invoices.values()].some(
          ({ number, status }) => number === next.number && status.code === 450,
        )
        return held ? { ...next, status: { code: 440, description: 'duplicate' } } : next
      },
    },
  },
})

/** Of an interactive session, the last invoice decides for all. */
const theLastDecides: Mutant = {
  tables: {
    sessions: {
      write(next, _before, { invoices }) {
        if (next.kind !== 'online' || next.status.code !== 200) return next
        const last = [...invoices.values()].findLast(
          ({ session }) => session === next.referenceNumber,
        )
        return (last?.status.code ?? 0) < 400
          ? next
          : { ...next, status: { code: 445, description: 'no valid invoice' } }
      },
    },
  },
}

/** Defects of what a rejected invoice leaves behind. */
export const invoicesRejectedMutants = {
  'invoices.rejected.may-be-resent/rejected-holds-triple': {
    tables: {
      invoices: {
        write(next, _before, { claims, sessions }) {
          const session = sessions.get(next.session)
          if (next.status.code < 400 || next.number === undefined || session === undefined)
            return next
          for (const kind of Object.keys(invoiceKinds))
            claims.put({
              triple: JSON.stringify([nipOf(session.context), kind, next.number]),
              svcNumber: '',
              session: next.session,
              context: '',
              at: next.receivedAt,
              until: '9999-12-31',
            })
          return next
        },
      },
    },
  },
  'invoices.rejected.may-be-resent/wrong-hash-kept': misfitKept('plainHashMatches'),
  'invoices.rejected.may-be-resent/wrong-size-kept': misfitKept('plainSizeMatches'),
  'invoices.rejected.may-be-resent/wrong-encrypted-hash-kept': misfitKept('encryptedHashMatches'),
  'invoices.rejected.may-be-resent/wrong-encrypted-size-kept': misfitKept('encryptedSizeMatches'),
  'invoices.rejected.isolated/rejection-spreads': stopsAfter(1),
  'invoices.rejected.isolated/spoilt-by-one-with-code-410': spoiltBy(410),
  'invoices.rejected.isolated/spoilt-by-one-with-code-430': spoiltBy(430),
  'invoices.rejected.isolated/spoilt-by-one-with-code-435': spoiltBy(435),
  'invoices.rejected.isolated/spoilt-by-one-with-code-440': spoiltBy(440),
  'invoices.rejected.isolated/spoilt-by-one-with-code-450': spoiltBy(450),
  'invoices.rejected.isolated/spoils-the-next-without-a-session': {
    ...spoilsTheNext(isAlone),
    needs: 'invoices.send',
  },
  'invoices.rejected.isolated/spoils-the-next-package': spoilsTheNext(isPackage),
  'invoices.rejected.isolated/decided-by-the-last': theLastDecides,
  'invoices.rejected.isolated/receipts-by-ordinal': receiptsByOrdinal(),
  'invoices.rejected.isolated/contents-shifted': contentsShifted(),
  'invoices.rejected.may-be-resent/not-in-a-package': heldIn(isPackage),
  'invoices.rejected.may-be-resent/not-without-a-session': {
    ...heldIn(isAlone),
    needs: 'invoices.send',
  },
} as const satisfies Readonly<Record<string, Mutant>>
