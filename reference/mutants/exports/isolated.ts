import { ofTheSubject, reference } from '../callers.ts'
import type { Mutant } from '../mutant.ts'

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
  'exports.isolated/open-to-all-contexts': { policy: { exportIsOfContext: () => true } },
} as const satisfies Readonly<Record<string, Mutant>>
