import type { OperationId } from '../../../contract/endpoints.ts'
import type { Session } from '../../model/documents.ts'
import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Openings that are refused because of another session of the context, in whichever state it is or has ended. */

const others: Readonly<Record<string, (other: Session) => boolean>> = {
  'an-open-one': ({ kind, status }) => kind === 'online' && status.code === 100,
  'an-open-package': ({ kind, status }) => kind === 'batch' && status.code === 100,
  'an-empty-one': ({ kind, status }) => kind === 'online' && status.code === 440,
  'a-failed-one': ({ kind, status }) => kind === 'online' && status.code === 445,
  'a-failed-package': ({ kind, status }) => kind === 'batch' && status.code >= 400,
}

const openings: readonly (readonly [OperationId, Rules])[] = [
  ['sessions.openOnline', ['sessions.online.opens']],
  ['sessions.openBatch', ['sessions.batch.opens']],
  ['exports.create', ['exports.create.accepted']],
]

const refusedBeside = (operation: OperationId, isOther: (other: Session) => boolean): Mutant =>
  refuses([operation], 'invalid-input', ({ service, caller }) =>
    service.state.sessions.by('context', caller ? keyOf(caller.context) : '').some(isOther),
  )

export const refusedBesideOthers = (): Generated[] =>
  openings.flatMap(([operation, rules]) =>
    Object.entries(others).map(([what, isOther]) =>
      generated('beside', `${operation}.${what}`, rules, refusedBeside(operation, isOther)),
    ),
  )
