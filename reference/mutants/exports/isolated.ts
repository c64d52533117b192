import { ofTheSubject, reference } from '../callers.ts'
import { keyOf } from '../../model/entities.ts'
import type { Export } from '../../model/documents.ts'
import type { Mutant } from '../mutant.ts'
import { accepts } from '../rewrite.ts'

/** An export has what an earlier one found that is like it. */
const foundBefore = (isLike: (one: Export, earlier: Export) => boolean): Mutant => ({
  at: ['export'],
  tables: {
    exports: {
      read(found, _key, { exports }) {
        const asked = JSON.stringify(found?.filters)
        const earlier =
          found &&
          [...exports.values()].find(
            (one) => JSON.stringify(one.filters) === asked && isLike(found, one),
          )
        return found && { ...found, context: earlier?.context ?? found.context }
      },
      write: (next, before) => ({ ...next, context: before?.context ?? next.context }),
    },
  },
})

/** Defects of who reaches an export. */
export const exportsIsolatedMutants = {
  'exports.isolated/of-the-subject-anywhere': ofTheSubject(['exports.status'], (call) => {
    const found = call.service.state.exports.get(reference(call))
    return found && { context: found.context, by: found.subject }
  }),
  'exports.isolated/links-prolonged-by-anyone': {
    policy: { linkContent: (use, subject) => `${use}\n${subject}` },
  },
  'exports.isolated/invoices-of-everyone': {
    at: ['export'],
    policy: { hasRole: () => true },
    tables: { issued: { find: (_found, _index, _value, table) => [...table.values()] } },
  },
  'exports.isolated/shown-as-operations': accepts(
    ['operations.status'],
    ['operation-unknown'],
    (call) => {
      const { status } = call.service.state.exports.get(reference(call)) ?? {}
      return status && { body: { status } }
    },
  ),
  'exports.isolated/shown-once-expired': accepts(['exports.status'], ['export-unknown'], (call) => {
    const { status, expiresAt = Infinity } = call.service.state.exports.get(reference(call)) ?? {}
    return status && expiresAt <= call.now ? { body: { status } } : undefined
  }),
  'exports.isolated/open-to-all-contexts': { policy: { exportIsOfContext: () => true } },
  'exports.isolated/found-before-by-anyone': foundBefore(
    (_one, earlier) => earlier.status.code === 200,
  ),
  'exports.isolated/found-before-by-the-subject': foundBefore(
    ({ subject }, earlier) => keyOf(subject) === keyOf(earlier.subject),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
