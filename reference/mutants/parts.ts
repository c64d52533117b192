import { partId } from '../invoices/package.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { bodies, calls, decidedBy, refuses } from './rewrite.ts'

/** Parts of packages. */

/** Of the announced parts, the first alone may not be too large. */
export const firstPartAlone = calls(['sessions.openBatch'], (call) => {
  const { batchFile } = call.body as { batchFile: { fileParts: readonly { fileSize: number }[] } }
  const first = batchFile.fileParts[0]?.fileSize ?? 0
  return policy.partSizeFits(first, call.service.limit('batch.partBytes'))
    ? decidedBy(call, { partSizeFits: () => true })
    : call
})

/** A part that is uploaded again is added to the first one. */
export const repeatedPartsSpoilt: Mutant = {
  at: ['sessions.uploadPart'],
  async call(call, next) {
    const { state } = call.service
    const known = state.parts.get(
      partId(call.path['referenceNumber'] ?? '', Number(call.path['ordinalNumber'])),
    )
    const answer = await next(call)
    if (known !== undefined)
      state.parts.put({ ...known, bytes: new Uint8Array([...known.bytes, ...known.bytes]) })
    return answer
  },
}

/** The places of parts are listed in the order of their text: 1, 10, 11, 2. */
export const placesAsText = bodies(
  ['sessions.openBatch'],
  ({
    partUploadRequests: places,
  }: {
    partUploadRequests: readonly { ordinalNumber: number }[]
  }) => ({
    partUploadRequests: places
      .toSorted((one, other) => (String(one.ordinalNumber) < String(other.ordinalNumber) ? -1 : 1))
      .map((place, at) => ({ ...place, ordinalNumber: at + 1 })),
  }),
)

/** A part that is uploaded twice counts as two, and its package is never put together. */
export const uploadsCounted = (): Mutant => {
  let again = 0
  return {
    tables: {
      parts: {
        write(next, before) {
          if (before !== undefined) again += 1
          return next
        },
      },
    },
    policy: { everyPartNeeded: (missing) => policy.everyPartNeeded(Math.max(missing - again, 0)) },
  }
}

/** A package that lacks parts is closed, and waits for them for ever. */
export const waitsForParts = (): Mutant => {
  let lacks = false
  return {
    policy: {
      everyPartNeeded(missing) {
        lacks = missing > 0
        return true
      },
    },
    later: (kind, ms) => (kind === 'batch' && lacks ? undefined : ms),
  }
}

/** The uploads of a session count with its close: that of many parts is beyond the limit. */
export const countedWithTheClose = refuses(
  ['sessions.closeBatch'],
  'rate-limited',
  ({ service: { state }, path }) =>
    state.parts.by('session', path['referenceNumber'] ?? '').length >= 20,
)

/** Decisions that are taken differently about packages that are a `tar.gz`. */
export const ofTar = (
  at: NonNullable<Mutant['at']>,
  decisions: (isTar: () => boolean) => NonNullable<Mutant['policy']>,
): Mutant => {
  let isTar = false
  return {
    at,
    tables: {
      sessions: {
        read(found) {
          isTar = found?.package?.compression === 'TarGz'
          return found
        },
      },
    },
    policy: decisions(() => isTar),
  }
}
