import { utc } from '../../base/wording.ts'
import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import { bodies, calls, decidedBy } from '../rewrite.ts'

/** Defects of when exports and their links expire. */
export const exportsExpiryMutants = {
  'exports.expiry/stated-anew-at-each-look': bodies<{ readonly packageExpirationDate?: string }>(
    ['exports.status'],
    ({ packageExpirationDate }, { now, service }) =>
      packageExpirationDate === undefined
        ? {}
        : {
            packageExpirationDate: utc(now + service.limit('exports.packageLifetime') * 1000),
          },
  ),
  'exports.expiry/links-past-their-package': bodies<{
    readonly package?: { readonly parts: readonly Fields[] }
  }>(['exports.status'], ({ package: described }, { now, service }) => {
    if (described === undefined) return {}
    const expirationDate = utc(now + service.limit('exports.linkLifetime') * 1000)
    const parts = described.parts.map((part) => ({ ...part, expirationDate }))
    return { package: { ...described, parts } }
  }),
  'exports.expiry/from-the-request-on': {
    tables: {
      exports: {
        write: (next) =>
          next.expiresAt === undefined || next.completedAt === undefined
            ? next
            : { ...next, expiresAt: next.expiresAt - (next.completedAt - next.requestedAt) },
      },
    },
  },
  'exports.expiry/takes-every-package': {
    tables: {
      exports: {
        write(next, _before, { exports, parts }) {
          if (next.status.code === 210)
            for (const { referenceNumber } of exports.by('context', keyOf(next.context)))
              for (const { id } of parts.by('session', referenceNumber)) parts.delete(id)
          return next
        },
      },
    },
  },
  'exports.expiry/stated-anew-when-over': bodies<{ readonly status: { readonly code: number } }>(
    ['exports.status'],
    ({ status }, { now }) => (status.code === 210 ? { packageExpirationDate: utc(now) } : {}),
  ),
  'exports.expiry/never-expire': { policy: { exportExpires: () => false } },
  'exports.expiry/the-first-part-only': {
    ...calls(['exports.part'], (call) =>
      call.path['ordinalNumber'] === '1' ? call : decidedBy(call, { exportLinkHolds: () => true }),
    ),
    at: ['exports.part', 'expiry', 'exports.status'],
    tables: { parts: { remove: (key) => key.endsWith('/1') } },
  },
} as const satisfies Readonly<Record<string, Mutant>>
