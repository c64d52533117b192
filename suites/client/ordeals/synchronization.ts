import type { Ordeal } from '../ordeal.ts'

const complete = { rules: ['client.sync.complete'] } as const

/** Receiving invoices. */
export const synchronization = {
  'sync-pages': {
    ...complete,
    title: 'twenty-five invoices wait, on several pages',
    receive: { waiting: 25 },
  },
  'sync-equal-timestamps': {
    ...complete,
    title: 'twelve invoices were stored at the same instant; the client runs twice',
    receive: { waiting: 12, sameInstant: true },
    runs: 2,
    conditions: () => [{ on: 'queries.metadata', from: 1, act: { kind: 'arrive', count: 1 } }],
  },
  'sync-arrivals': {
    ...complete,
    title: 'invoices arrive while the client turns the pages; it runs twice',
    receive: { waiting: 22 },
    runs: 2,
    conditions: () => [{ on: 'queries.metadata', from: 2, act: { kind: 'arrive', count: 3 } }],
  },
  'sync-truncated': {
    ...complete,
    title: 'the service truncates its answer after twelve records',
    receive: { waiting: 25 },
    service: { lifetimes: { 'query.records': 12 } },
  },
  'sync-high-water-mark': {
    ...complete,
    title: 'invoices are stored between the query and its answer; the client runs twice',
    receive: { waiting: 3 },
    runs: 2,
    conditions: () => [
      {
        on: 'queries.metadata',
        from: 1,
        fault: { kind: 'slow', ms: 300 },
        act: { kind: 'arrive', count: 2 },
        when: 'after',
      },
    ],
  },
  'sync-by-export': {
    ...complete,
    title: 'eleven invoices wait; the client exports them',
    receive: { waiting: 11, by: 'export' },
  },
  'export-fails-once': {
    ...complete,
    title: 'an export ends in an error of the service',
    receive: { waiting: 5, by: 'export' },
    conditions: () => [
      { on: 'exports.status', from: 1, fault: { kind: 'failed-work', code: 500 } },
    ],
  },
  'sync-in-production': {
    title: 'production; the client is started twice within a minute',
    rules: ['client.sync.interval', 'client.sync.complete'],
    receive: { waiting: 3 },
    runs: 2,
    service: { environment: 'production' },
  },
} as const satisfies Record<string, Ordeal>
