import type { RefusalId } from '../../../contract/errors.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Mutant } from '../mutant.ts'
import { bodies, refuses } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Descriptions of packages that are taken for wrong, or mixed up, although they are right. */

interface Described {
  readonly fileSize: number
  readonly fileParts: readonly { readonly ordinalNumber: number; readonly fileHash: string }[]
}

const described = ({ body }: AnyCall): Described =>
  (body as { readonly batchFile: Described }).batchFile

const refusesWhere = (
  when: (description: Described) => boolean,
  refusal: RefusalId = 'invalid-input',
): Mutant => refuses(['sessions.openBatch'], refusal, (call) => when(described(call)))

/** The upload requests are created in the order of the request, and labelled with the numbers in it. */
const placesByPosition = bodies(
  ['sessions.openBatch'],
  ({ partUploadRequests: places }: { partUploadRequests: readonly object[] }, call) => ({
    partUploadRequests: described(call).fileParts.map(({ ordinalNumber }, at) => ({
      ...places[at],
      ordinalNumber,
    })),
  }),
)

/** A part whose bytes another part of its session has is not stored again. */
const equalPartsOnce: Mutant = {
  at: ['sessions.uploadPart'],
  tables: {
    parts: {
      write: (next, _before, { parts }) =>
        parts
          .by('session', next.session)
          .some(({ id, bytes }) => id !== next.id && Buffer.from(bytes).equals(next.bytes))
          ? undefined
          : next,
    },
  },
}

const rows: Readonly<Record<string, Mutant>> = {
  'places-by-position': placesByPosition,
  'ascending-alone': refusesWhere(({ fileParts }) =>
    fileParts.some(({ ordinalNumber }, at) => ordinalNumber !== at + 1),
  ),
  'equal-parts-once': equalPartsOnce,
  'sizes-in-31-bits': refusesWhere(({ fileSize }) => fileSize > 0x7fff_ffff),
  'sizes-in-32-bits': refusesWhere(({ fileSize }) => fileSize > 0xffff_ffff, 'package-too-large'),
}

export const misreadDescriptions = (): Generated[] =>
  Object.entries(rows).map(([name, mutant]) =>
    generated('described', name, ['sessions.batch.opens'], mutant),
  )
