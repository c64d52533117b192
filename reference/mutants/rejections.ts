import type { Session } from '../model/documents.ts'
import type { Mutant } from './mutant.ts'

/** After some rejected invoices of a session the others are rejected as well. */
export const stopsAfter = (rejections: number, kind?: Session['kind']): Mutant => ({
  tables: {
    invoices: {
      write(next, _before, { sessions }) {
        const session = sessions.get(next.session)
        const stops = session !== undefined && session.rejected >= rejections
        if (!stops || next.status.code !== 200 || (kind ?? session.kind) !== session.kind)
          return next
        return { ...next, status: { code: 405, description: 'cancelled' } }
      },
    },
  },
})
