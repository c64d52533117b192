import type { Session } from '../../model/documents.ts'
import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** What happens to one package takes away what was uploaded for the others of its context. */

type Moment = (next: Session, before: Session | undefined) => boolean

const moments: Readonly<Record<string, Moment>> = {
  end: ({ status }, before) => status.code >= 200 && (before?.status.code ?? 200) < 200,
  failure: ({ status }, before) => status.code > 200 && (before?.status.code ?? 200) < 200,
  opening: (_, before) => before === undefined,
}

const dropsParts = (isSo: Moment): Mutant => ({
  tables: {
    sessions: {
      write(next, before, { sessions, parts }) {
        if (next.kind === 'batch' && isSo(next, before))
          for (const { referenceNumber } of sessions.by('context', keyOf(next.context)))
            for (const { id } of parts.by('session', referenceNumber)) parts.delete(id)
        return next
      },
    },
  },
})

export const harmedNeighbours = (): Generated[] =>
  Object.entries(moments).map(([name, isSo]) =>
    generated(
      'neighbour',
      `package.${name}-drops-parts`,
      ['sessions.batch.close'],
      dropsParts(isSo),
    ),
  )
