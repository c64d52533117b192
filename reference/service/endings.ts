import { lifecycles } from '../../contract/lifecycles.ts'
import type { Lifecycle } from '../../contract/types.ts'
import type { Status } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { Service } from '../call/service.ts'
import { failBatch } from '../invoices/package.ts'
import { failInvoice, finishSession } from '../invoices/processing.ts'
import { changeSession } from '../invoices/session.ts'
import type { Session } from '../model/documents.ts'
import type { WorkKind } from '../model/work.ts'

/**
 * Failures on request: the management port has the next piece of some asynchronous work end in a state of failure that
 * no caller can bring about.
 */
export interface Endings {
  /** Has the next piece of work of a lifecycle, or the next one about the subject if that is named, end in a state. */
  next(lifecycle: FailingLifecycle, code: number, subject?: string): void
  /** @returns whether the work was ended so, and is not to be done */
  end(service: Service, kind: WorkKind, subject: string): boolean
  clear(): void
}

interface Ending {
  /** The kinds of work that bring it to an end: what the work is about may end in the first that is due. */
  readonly works: readonly WorkKind[]
  /** @returns whether there was something to end, which had not ended yet */
  readonly end: (service: Service, subject: string, status: Status) => boolean
}

const isPending = (subject: { readonly status: Status } | undefined): boolean =>
  subject !== undefined && subject.status.code < 200

const endSession =
  (
    kind: Session['kind'],
    end: (service: Service, session: Session, status: Status) => void,
  ): Ending['end'] =>
  (service, reference, status) => {
    const session = service.state.sessions.get(reference)
    if (session?.kind !== kind || !isPending(session)) return false
    end(service, session, status)
    return true
  }

const rows = {
  authentication: {
    works: ['authentication'],
    end({ state }, reference, status) {
      const found = state.authentications.get(reference)
      if (found === undefined) return false
      state.authentications.put({ ...found, status })
      return true
    },
  },
  onlineSession: {
    works: ['session', 'expiry'],
    end: endSession('online', (service, session, status) => {
      changeSession(service, session, { status, closedAt: service.clock.now() })
    }),
  },
  batchSession: { works: ['batch', 'expiry'], end: endSession('batch', failBatch) },
  invoice: {
    works: ['invoice', 'verification'],
    end(service, reference, status) {
      const invoice = service.state.invoices.get(reference)
      const session = invoice && service.state.sessions.get(invoice.session)
      if (invoice === undefined || session === undefined) return false
      failInvoice(service, session, { ...invoice, status })
      finishSession(service, session)
      return true
    },
  },
  export: {
    works: ['export'],
    end({ state }, reference, status) {
      const entry = state.exports.get(reference)
      if (entry === undefined) return false
      state.exports.put({ ...entry, status })
      return true
    },
  },
  operation: {
    works: ['operation'],
    end({ state }, reference, status) {
      const operation = state.operations.get(reference)
      if (operation === undefined) return false
      state.operations.put({ ...operation, status })
      return true
    },
  },
  token: {
    works: ['token'],
    end({ state }, reference, { details }) {
      const token = state.tokens.get(reference)
      if (token === undefined) return false
      state.tokens.put({ ...token, status: 'Failed', ...(details && { details }) })
      return true
    },
  },
  application: {
    works: ['enrollment'],
    end({ state }, reference, status) {
      const enrollment = state.enrollments.get(reference)
      if (enrollment === undefined) return false
      state.enrollments.put({ ...enrollment, status })
      return true
    },
  },
} as const satisfies Partial<Record<Lifecycle, Ending>>

/** Lifecycles of work that the management port can have fail. */
export type FailingLifecycle = keyof typeof rows

export const isFailing = (value: unknown): value is FailingLifecycle =>
  typeof value === 'string' && Object.hasOwn(rows, value)

/** The states of failure of a lifecycle, and how to name the lifecycles that have them. */
export const failingLifecycles = Object.keys(rows)
export const failuresOf = (lifecycle: FailingLifecycle): readonly number[] =>
  lifecycles[lifecycle].filter(({ outcome }) => outcome === 'failure').map(({ code }) => code)

export const createEndings = (): Endings => {
  const due = new Map<
    FailingLifecycle,
    { readonly status: Status; readonly of?: string | undefined }
  >()
  return {
    next(lifecycle, code, of) {
      const status = reached(lifecycle, code, ['Ended by the management port'])
      due.set(lifecycle, { status, of })
    },
    end(service, kind, subject) {
      for (const [lifecycle, { status, of }] of due) {
        if (of !== undefined && of !== subject) continue
        const { works, end }: Ending = rows[lifecycle]
        if (!works.includes(kind) || !end(service, subject, status)) continue
        due.delete(lifecycle)
        return true
      }
      return false
    },
    clear: () => due.clear(),
  }
}
