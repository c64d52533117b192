import { reached } from '../base/wording.ts'
import type { Content, Issued, Session } from '../model/documents.ts'
import { keyOf } from '../model/entities.ts'
import type { State } from '../model/state.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'

/** After some rejected invoices of a session, of which no more than a number were accepted, the others are rejected. */
export const stopsAfter = (
  rejections: number,
  kind?: Session['kind'],
  mostAccepted = Infinity,
): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { sessions }) {
        const session = sessions.get(next.session)
        const stops =
          session !== undefined &&
          session.rejected >= rejections &&
          session.accepted <= mostAccepted
        if (!stops || next.status.code !== 200 || (kind ?? session.kind) !== session.kind)
          return next
        return { ...next, status: { code: 405, description: 'cancelled' } }
      },
    },
  },
})

/** After an invoice that was rejected with a code, the others of its session are rejected in the same way. */
export const spoiltBy = (code: number): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { invoices }) {
        const spoilt = invoices
          .by('session', next.session)
          .find(({ status }) => status.code === code && next.status.code === 200)
        return spoilt === undefined ? next : { ...next, status: spoilt.status }
      },
    },
  },
})

/** A rejected invoice spoils the next of its context that is sent in the same way, in whichever session. */
export const spoilsTheNext = (isSuch: (session: Session | undefined) => boolean): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { invoices, sessions }) {
        const session = sessions.get(next.session)
        if (session === undefined || !isSuch(session) || next.status.code !== 200) return next
        const last = sessions
          .by('context', keyOf(session.context))
          .filter((one) => isSuch(one) && one.referenceNumber !== session.referenceNumber)
          .flatMap((one) => invoices.by('session', one.referenceNumber))
          .at(-1)
        return last !== undefined && last.status.code >= 400
          ? { ...next, status: last.status }
          : next
      },
    },
  },
})

/** The receipt of a session has its documents by their place among all of its invoices. */
export const receiptsByOrdinal = (): Mutant => {
  let state: State | undefined
  return {
    at: ['receipts.session'],
    call(call, next) {
      state = call.service.state
      return next(call)
    },
    policy: {
      receiptText: (session, documents, page) => {
        const ordinalOf = ({ invoice }: Issued) => state?.invoices.get(invoice)?.ordinal ?? 0
        const placed = documents.filter((one) => ordinalOf(one) <= (page?.last ?? 0))
        return policy.receiptText(session, placed, page)
      },
    },
  }
}

/** What follows a rejected invoice in its session is kept with the bytes of the one that follows it. */
export const contentsShifted = (): Mutant => ({
  at: ['invoices.bySvcNumber'],
  tables: {
    contents: {
      read(found, key, { contents, invoices }) {
        const invoice = invoices.get(key)
        if (invoice === undefined) return found
        const all = invoices.by('session', invoice.session)
        const rejected = all.some(
          ({ status, ordinal }) => status.code >= 400 && ordinal < invoice.ordinal,
        )
        const after = all.find(
          ({ svcNumber, ordinal }) => svcNumber !== undefined && ordinal > invoice.ordinal,
        )
        return rejected && after ? contents.get(after.referenceNumber) : found
      },
    },
  },
})

/** Content that decrypts to something else than a document is reported as a document with another hash. */
export const garbledAsWrongHash = (): Mutant => {
  let isGarbled = false
  return {
    policy: {
      decryptContent(key, iv, bytes) {
        const plain = policy.decryptContent(key, iv, bytes)
        isGarbled = plain !== undefined
        return plain
      },
    },
    tables: {
      invoices: {
        write: (next) =>
          next.status.code === 435 && isGarbled
            ? { ...next, status: reached('invoice', 430) }
            : next,
      },
    },
  }
}

/** A rejected invoice keeps its number for the rest of its package: a right one of that number is a duplicate. */
export const numberKept: Mutant = {
  tables: {
    invoices: {
      write(next, _before, { invoices, sessions }) {
        if (next.status.code !== 200 || sessions.get(next.session)?.kind !== 'batch') return next
        const kept = invoices
          .by('session', next.session)
          .some(({ status, number }) => status.code === 450 && number === next.number)
        return kept ? { ...next, status: reached('invoice', 440) } : next
      },
    },
  },
}

/** Whether a package contains XML is judged by its first entry. */
export const judgedByTheFirst = (): Mutant => {
  let isFirst = true
  return {
    policy: {
      packageMatches(...digests) {
        isFirst = true
        return policy.packageMatches(...digests)
      },
      archiveEntryAllowed(content) {
        const isXml = !isFirst || Buffer.from(content).toString().trimEnd().endsWith('>')
        isFirst = false
        return isXml && policy.archiveEntryAllowed(content)
      },
    },
  }
}

/** What is rejected as a duplicate is kept in place of its original. */
export const keptForTheOriginal = (): Mutant => {
  const received = new Map<string, Content>()
  return {
    tables: {
      contents: {
        write(next) {
          received.set(next.invoice, next)
          return next
        },
      },
      invoices: {
        write(next, _before, { contents, issued }) {
          const original = issued.get(String(next.status.extensions?.['originalSvcNumber']))
          const content = received.get(next.referenceNumber)
          if (original !== undefined && content !== undefined)
            contents.put({ ...content, invoice: original.invoice })
          return next
        },
      },
    },
  }
}
