/** Batch sessions: opening, upload of the parts, close. Source: gap batch-package. */

import { sha256Base64 } from '../base/crypto.ts'
import type { Instant } from '../base/instants.ts'
import { refuse } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { Handler } from '../call/call.ts'
import type { Service } from '../call/service.ts'
import { addressOf, linkUntil, signLink } from '../http/links.ts'
import { sessionForWriting } from '../invoices/access.ts'
import { readFormCode, readKey } from '../invoices/opening.ts'
import { partId } from '../invoices/package.ts'
import { beginSession, changeSession } from '../invoices/session.ts'
import type { AnnouncedPart } from '../model/documents.ts'

const uploadHeaders = { 'x-ms-blob-type': 'BlockBlob' }

/** @throws refusals too-many-parts, package-too-large, part-size-wrong, invalid-input */
const checkPackage = (
  service: Service,
  fileSize: number,
  parts: readonly AnnouncedPart[],
): void => {
  const { policy } = service
  const maxParts = service.limit('batch.parts')
  if (!policy.partsFit(parts.length, maxParts))
    throw refuse('too-many-parts', `${parts.length} parts, ${maxParts} are allowed`)
  const maxBytes = service.limit('batch.packageBytes')
  if (!policy.packageFits(fileSize, maxBytes))
    throw refuse('package-too-large', `${fileSize} bytes, ${maxBytes} are allowed`)
  const maxPartBytes = service.limit('batch.partBytes')
  for (const [index, part] of parts.entries()) {
    if (part.ordinalNumber !== index + 1)
      throw refuse('invalid-input', 'The parts are not numbered from 1 without gaps')
    if (!policy.partSizeFits(part.fileSize, maxPartBytes)) {
      throw refuse(
        'part-size-wrong',
        `Part ${part.ordinalNumber} has ${part.fileSize} bytes, ${maxPartBytes} are allowed`,
      )
    }
  }
}

export const openBatch: Handler<'sessions.openBatch'> = ({ service, caller, body, now }) => {
  const { batchFile } = body
  const parts = batchFile.fileParts.toSorted((a, b) => a.ordinalNumber - b.ordinalNumber)
  const schema = readFormCode(service, body.formCode, 'batch')
  checkPackage(service, batchFile.fileSize, parts)
  const encryption = readKey(service, body)
  const window = parts.length * service.limit('batch.uploadSecondsPerPart') * 1000
  const { referenceNumber } = beginSession(service, caller, {
    kind: 'batch',
    schema,
    ...encryption,
    validUntil: now + window,
    offline: body.offlineMode ?? false,
    package: {
      compression: batchFile.compressionType ?? 'Zip',
      fileSize: batchFile.fileSize,
      fileHash: batchFile.fileHash,
      parts,
      uploadUntil: now + window,
    },
  })
  service.schedule.later('expiry', referenceNumber, window)
  return {
    body: {
      referenceNumber,
      partUploadRequests: parts.map(({ ordinalNumber }) => ({
        ordinalNumber,
        method: 'PUT',
        url: addressOf(
          service,
          'sessions.uploadPart',
          { referenceNumber, ordinalNumber: String(ordinalNumber) },
          {
            sig: signLink(service, 'upload', partId(referenceNumber, ordinalNumber), now + window),
          },
        ),
        headers: uploadHeaders,
      })),
    },
  }
}

/**
 * The part that an upload link is for.
 * @throws refusal link-refused
 */
export const addressedPart = (
  service: Service,
  path: Readonly<Record<string, string>>,
  signature: unknown,
  now: Instant,
) => {
  const ordinal = Number(path['ordinalNumber'])
  const id = partId(path['referenceNumber'] ?? '', ordinal)
  const until = linkUntil(service, 'upload', id, signature)
  const session = service.state.sessions.get(path['referenceNumber'] ?? '')
  const part = session?.package?.parts[ordinal - 1]
  if (until === undefined || session === undefined || part === undefined)
    throw refuse('link-refused')
  const { uploadInTime, sessionTakesParts } = service.policy
  if (!uploadInTime(now, until) || !sessionTakesParts(session.status.code))
    throw refuse('link-refused', 'The time for the upload has expired')
  return { id, ordinal, session, part }
}

export const uploadPart: Handler<'sessions.uploadPart'> = (call) => {
  const { service, path, query, headers, bytes, now } = call
  const { policy, state, dialect } = service
  const { id, ordinal, session, part } = addressedPart(service, path, query['sig'], now)
  if (!policy.partHeadersFit(headers, uploadHeaders))
    throw refuse('part-refused', 'The headers are not those that the opening gave')
  if (dialect.deferred?.includes('part-refused') !== true) {
    if (!policy.partFits(part, bytes.length)) {
      throw refuse(
        'part-refused',
        `The part has ${bytes.length} bytes, ${part.fileSize} were announced`,
      )
    }
    if (!policy.partHashFits(part, sha256Base64(bytes)))
      throw refuse('part-refused', 'The SHA-256 of the part is not the announced one')
  }
  state.parts.put({
    id,
    session: session.referenceNumber,
    ordinalNumber: ordinal,
    bytes: Uint8Array.from(bytes),
  })
  return {}
}

export const closeBatch: Handler<'sessions.closeBatch'> = ({ service, caller, path, now }) => {
  const { policy, state } = service
  const session = sessionForWriting(service, caller, path.referenceNumber, 'batch')
  const announced = session.package
  if (announced === undefined) throw refuse('session-unknown')
  if (session.status.code === 440 && now > announced.uploadUntil)
    throw refuse('upload-time-exceeded')
  if (!policy.sessionMayClose(session.status.code))
    throw refuse('session-state-forbids', `The session is in state ${session.status.code}`)
  if (!policy.uploadInTime(now, announced.uploadUntil)) throw refuse('upload-time-exceeded')
  const uploaded = (part: AnnouncedPart) =>
    state.parts.get(partId(session.referenceNumber, part.ordinalNumber))
  const missing = announced.parts.filter((part) => uploaded(part) === undefined)
  if (!policy.everyPartNeeded(missing.length)) {
    throw refuse(
      'part-missing',
      missing.slice(0, 20).map(({ ordinalNumber }) => `Part ${ordinalNumber} was not uploaded`),
    )
  }
  const misfits = announced.parts.filter(
    (part) => !policy.partFits(part, uploaded(part)?.bytes.length ?? part.fileSize),
  )
  if (misfits.length > 0) {
    throw refuse(
      'part-size-wrong',
      misfits
        .slice(0, 20)
        .map(({ ordinalNumber }) => `Part ${ordinalNumber} does not have the declared size`),
    )
  }
  changeSession(service, session, { status: reached('batchSession', 150), closedAt: now })
  service.schedule.later('batch', session.referenceNumber, 0)
  return {}
}
