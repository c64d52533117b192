import type { OperationId } from '../../contract/endpoints.ts'
import type { History, Step, TaskDocument } from '../../suites/client/history.ts'

/** Histories written by hand, in few words: what a step leaves out is as in a quiet exchange. */

export interface WrittenStep extends Partial<Omit<Step, 'operation' | 'n'>> {
  readonly operation: OperationId
}

/** Steps one second apart, each answered after 10 ms. */
export const written = (steps: readonly WrittenStep[]): Step[] =>
  steps.map((step, place) => {
    const at = step.at ?? place * 1000
    return {
      run: 1,
      method: 'GET',
      path: `/${step.operation}`,
      parameters: {},
      bearer: 'none',
      misplaced: [],
      outcome: 'ok',
      status: 200,
      sightings: [],
      facts: {},
      ...step,
      n: place + 1,
      at,
      ended: step.ended ?? at + 10,
    }
  })

export const document: TaskDocument = {
  id: 'doc-1',
  hash: 'hash-1',
  number: 'FV/1',
  expect: 'accepted',
}

export const submitted: WrittenStep = {
  operation: 'invoices.submit',
  method: 'POST',
  status: 202,
  hash: 'hash-1',
  session: 'S',
  facts: { reference: 'E' },
  sightings: [{ reference: 'E', hash: 'hash-1', session: 'S' }],
}

export const told = (code: number, more: object = {}): WrittenStep => ({
  operation: 'invoices.inSession',
  parameters: { referenceNumber: 'S', invoiceReferenceNumber: 'E' },
  session: 'S',
  code,
  sightings: [{ reference: 'E', hash: 'hash-1', session: 'S', code, ...more }],
})

export const issued = {
  hash: 'hash-1',
  number: 'FV/1',
  svcNumber: 'N-1',
  session: 'S',
  reference: 'E',
  code: 200,
}

/** A history about one document that ended well, unless `more` says otherwise. */
export const historyOf = (
  steps: readonly WrittenStep[],
  more: Partial<Omit<History, 'steps'>> = {},
): History => ({
  source: 'journal',
  events: [],
  task: { documents: [document] },
  beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-1' }],
  held: [issued],
  ...more,
  steps: written(steps),
})
