import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'

/** Defects of exports. */
export const exportsMutants = {
  'exports.reference-malformed': {
    breaks: ['exports.create.accepted'],
    policy: { exportReference: () => 'started' },
  },
  'exports.state-moves-backwards': {
    breaks: ['exports.status.moves-forward'],
    policy: { shownExportState: (state) => (state === 100 ? 210 : state) },
  },
  'exports.misses-an-invoice': {
    breaks: ['exports.package.content'],
    policy: { exportedInvoices: (found) => found.slice(1) },
  },
  'exports.changes-documents': {
    breaks: ['exports.package.content'],
    policy: { exportedBytes: (stored) => Buffer.from(`${Buffer.from(stored).toString()}\n`) },
  },
  'exports.another-key': {
    breaks: ['exports.package.content'],
    policy: { exportKey: (key) => key.slice().toReversed() },
  },
  'exports.any-number-running': {
    breaks: ['exports.running-limit'],
    policy: { mayStartExport: () => true },
  },
  'exports.four-an-hour': {
    breaks: ['exports.hourly-limit'],
    policy: {
      thresholds: (window) =>
        policy.thresholds(window.perHour === 20 ? { ...window, perHour: 4 } : window),
    },
  },
  'exports.links-prolonged-by-anyone': {
    breaks: ['exports.isolated'],
    policy: { linkSeals: () => 0 },
  },
  'exports.never-expire': {
    breaks: ['exports.expiry'],
    policy: { exportExpires: () => false },
  },
  'exports.open-to-all-contexts': {
    breaks: ['exports.isolated'],
    policy: { exportIsOfContext: () => true },
  },
} as const satisfies Record<string, Mutant>
