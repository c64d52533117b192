import { lifecycles } from '../../contract/lifecycles.ts'
import type { Lifecycle } from '../../contract/types.ts'
import type { Status } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { Service } from '../call/service.ts'
import { failBatch } from '../invoices/package.ts'
import { failInvoice, finishSession } from '../invoices/processing.ts'
import type { WorkKind } from '../model/work.ts'

/**
 * Failures on request: the management port has the next piece of some asynchronous work end in a state of failure that
 * no caller can bring about.
 */
export interface Endings {
  /** Has the next piece of work of a lifecycle end in a state. */
  next(lifecycle: FailingLifecycle, code: number): void
  /** @returns whether the work was ended so, and is not to be done */
  end(service: Service, kind: WorkKind, subject: string): boolean
  clear(): void
}

interface Ending {
  readonly work: WorkKind
  readonly end: (service: Service, subject: string, status: Status) => void
}

const rows = {
  authentication: {
    work: 'authentication',
    end({ state }, reference, status) {
      const found = state.authentications.get(reference)
      if (found !== undefined) state.authentications.put({ ...found, status })
    },
  },
  batchSession: {
    work: 'batch',
    end(service, reference, status) {
      const session = service.state.sessions.get(reference)
      if (session !== undefined) failBatch(service, session, status)
    },
  },
  invoice: {
    work: 'invoice',
    end(service, reference, status) {
      const invoice = service.state.invoices.get(reference)
      const session = invoice && service.state.sessions.get(invoice.session)
      if (invoice === undefined || session === undefined) return
      failInvoice(service, session, { ...invoice, status })
      finishSession(service, session)
    },
  },
  export: {
    work: 'export',
    end({ state }, reference, status) {
      const entry = state.exports.get(reference)
      if (entry !== undefined) state.exports.put({ ...entry, status })
    },
  },
  operation: {
    work: 'operation',
    end({ state }, reference, status) {
      const operation = state.operations.get(reference)
      if (operation !== undefined) state.operations.put({ ...operation, status })
    },
  },
  token: {
    work: 'token',
    end({ state }, reference, { details }) {
      const token = state.tokens.get(reference)
      if (token !== undefined)
        state.tokens.put({ ...token, status: 'Failed', ...(details && { details }) })
    },
  },
  application: {
    work: 'enrollment',
    end({ state }, reference, status) {
      const enrollment = state.enrollments.get(reference)
      if (enrollment !== undefined) state.enrollments.put({ ...enrollment, status })
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
  const due = new Map<WorkKind, { readonly ending: Ending; readonly status: Status }>()
  return {
    next(lifecycle, code) {
      const ending = rows[lifecycle]
      const status = reached(lifecycle, code, ['Ended by the management port'])
      due.set(ending.work, { ending, status })
    },
    end(service, kind, subject) {
      const found = due.get(kind)
      if (found === undefined) return false
      due.delete(kind)
      found.ending.end(service, subject, found.status)
      return true
    },
    clear: () => due.clear(),
  }
}
