import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { bodies } from './rewrite.ts'

/** Defects of exports. */

export const exportsMutants = {
  'exports.create.accepted/reference-malformed': bodies(['exports.create'], {
    referenceNumber: 'started',
  }),
  'exports.status.moves-forward/state-moves-backwards': bodies(
    ['exports.status'],
    ({ status }: { status: { code: number } }) =>
      status.code === 100 ? { status: { ...status, code: 210 } } : {},
  ),
  'exports.package.content/misses-an-invoice': {
    policy: { exportedInvoices: (found) => found.slice(1) },
  },
  'exports.package.content/changes-documents': {
    policy: {
      packageEntry: (issued, bytes) =>
        policy.packageEntry(issued, Buffer.from(`${Buffer.from(bytes).toString()}\n`)),
    },
  },
  'exports.package.content/another-key': {
    tables: {
      exports: {
        write: (next, before) =>
          before === undefined ? { ...next, key: next.key.slice().toReversed() } : next,
      },
    },
  },
  'exports.running-limit/any-number-running': {
    policy: { mayStartExport: () => true },
  },
  'exports.hourly-limit/four-an-hour': {
    policy: {
      thresholds: (window) =>
        policy.thresholds(window.perHour === 20 ? { ...window, perHour: 4 } : window),
    },
  },
  'exports.isolated/links-prolonged-by-anyone': {
    policy: { linkContent: (use, subject) => `${use}\n${subject}` },
  },
  'exports.isolated/invoices-of-everyone': {
    at: ['export'],
    policy: { hasRole: () => true },
    tables: { issued: { find: (_found, _index, _value, table) => [...table.values()] } },
  },
  'exports.expiry/never-expire': {
    policy: { exportExpires: () => false },
  },
  'exports.isolated/open-to-all-contexts': {
    policy: { exportIsOfContext: () => true },
  },
  'exports.running-limit/failed-ones-count': {
    at: ['exports.create'],
    tables: {
      exports: {
        find: (found) =>
          found.map((one) =>
            one.status.code === 200 ? one : { ...one, status: { ...one.status, code: 100 } },
          ),
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
