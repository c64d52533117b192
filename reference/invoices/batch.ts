/** Batch sessions: opening, upload of the parts, close, and what becomes of the package. Source: gap batch-package. */

import type { FormCode } from '../../contract/environments.ts'
import type { RefusalId } from '../../contract/errors.ts'
import { BadArchive, readArchive } from './archive.ts'
import type { Instant } from '../time/clock.ts'
import type { Service } from '../call/service.ts'
import { sha256Base64 } from '../base/crypto.ts'
import type { Handler } from '../call/call.ts'
import { addressOf, linkUntil, signLink } from '../http/links.ts'
import { finishSession, setSession } from './processing.ts'
import { refuse, statusOf } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import { sessionForWriting } from './access.ts'
import { explainContent } from './decrypt.ts'
import type { AnnouncedPart, Compression, Session } from '../model/documents.ts'
import type { KeyFields } from './opening.ts'
import { readFormCode, readKey } from './opening.ts'
import { beginSession, receiveInvoice } from './session.ts'

interface OpenBatchSession extends KeyFields {
  readonly formCode: FormCode | string
  readonly batchFile: {
    readonly fileSize: number
    readonly fileHash: string
    readonly compressionType?: Compression | null
    readonly fileParts: readonly AnnouncedPart[]
  }
  readonly offlineMode?: boolean
}

const uploadHeaders = { 'x-ms-blob-type': 'BlockBlob' }
const partId = (referenceNumber: string, ordinal: number): string => `${referenceNumber}/${ordinal}`

/** Bytes that a package may unpack to. Documents shrink to a tenth or a fiftieth, bombs to a thousandth. */
const mostUnpacked = (packed: number): number =>
  Math.min(1_000_000_000, Math.max(20_000_000, 100 * packed))

export const openBatch: Handler<'sessions.openBatch'> = ({ service, caller, body, now }) => {
  const given = body as OpenBatchSession
  const { policy } = service
  const { batchFile } = given
  const parts = batchFile.fileParts.toSorted((a, b) => a.ordinalNumber - b.ordinalNumber)
  const schema = readFormCode(service, given.formCode)
  const most = service.limit('batch.parts')
  if (!policy.partsFit(parts.length, most))
    throw refuse('too-many-parts', `${parts.length} parts, ${most} are allowed`)
  const largest = service.limit('batch.packageBytes')
  if (!policy.packageFits(batchFile.fileSize, largest))
    throw refuse('package-too-large', `${batchFile.fileSize} bytes, ${largest} are allowed`)
  const partBytes = service.limit('batch.partBytes')
  for (const [index, part] of parts.entries()) {
    if (part.ordinalNumber !== index + 1)
      throw refuse('invalid-input', 'The parts are not numbered from 1 without gaps')
    if (!policy.partSizeFits(part.fileSize, partBytes)) {
      throw refuse(
        'part-size-wrong',
        `Part ${part.ordinalNumber} has ${part.fileSize} bytes, ${partBytes} are allowed`,
      )
    }
  }
  const encryption = readKey(service, given)
  const window = parts.length * service.limit('batch.uploadSecondsPerPart') * 1000
  const session = beginSession(service, caller, {
    kind: 'batch',
    schema,
    ...encryption,
    validUntil: now + window,
    offline: given.offlineMode ?? false,
    package: {
      compression: batchFile.compressionType ?? 'Zip',
      fileSize: batchFile.fileSize,
      fileHash: batchFile.fileHash,
      parts,
      uploadUntil: now + window,
    },
  })
  setSession(service, session)
  service.schedule.later('expiry', session.referenceNumber, window)
  const { referenceNumber } = session
  return {
    body: {
      referenceNumber: policy.openedReference(referenceNumber),
      partUploadRequests: policy.uploadAddresses(parts).map(({ ordinalNumber }) => ({
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
 * What an address for an upload stands for.
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
  if (!service.policy.uploadInTime(now, until) || session.status.code !== 100)
    throw refuse('link-refused', 'The time for the upload is over')
  return { id, ordinal, session, part }
}

export const uploadPart: Handler<'sessions.uploadPart'> = ({
  service,
  path,
  query,
  headers,
  bytes,
  now,
}) => {
  const { policy, state } = service
  const { id, ordinal, session, part } = addressedPart(service, path, query['sig'], now)
  if (!policy.uploadAllowed(state.parts.by('session', session.referenceNumber).length))
    throw refuse('rate-limited')
  if (!policy.partHeadersFit(headers, uploadHeaders))
    throw refuse('part-refused', 'The headers are not those that the opening gave')
  if (!policy.partFits(part, bytes)) {
    throw refuse(
      'part-refused',
      `The part has ${bytes.length} bytes, ${part.fileSize} were announced`,
    )
  }
  if (!policy.partHashFits(part, sha256Base64(bytes)))
    throw refuse('part-refused', 'The SHA-256 of the part is not the announced one')
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
  const missing = announced.parts.filter(
    ({ ordinalNumber }) => !state.parts.get(partId(session.referenceNumber, ordinalNumber)),
  )
  if (!policy.everyPartNeeded(missing.length)) {
    throw refuse(
      'part-missing',
      missing.slice(0, 20).map(({ ordinalNumber }) => `Part ${ordinalNumber} was not uploaded`),
    )
  }
  session.status = reached('batchSession', 150)
  session.closedAt = now
  setSession(service, session)
  service.schedule.later('batch', session.referenceNumber, 0)
  return {}
}

/** Ends a batch session that was not closed in time. */
export const expireBatch = (service: Service, session: Session): void => {
  session.status = reached('batchSession', 440, ['The time for the upload is over'])
  dropParts(service, session)
  setSession(service, session)
}

const dropParts = ({ state }: Service, session: Session): void => {
  for (const { id } of state.parts.by('session', session.referenceNumber)) state.parts.delete(id)
}

const failSession = (
  service: Service,
  session: Session,
  refusal: RefusalId,
  details: string,
  explanation?: string,
): void => {
  const { dialect, explain, journal } = service
  const shown = explain && explanation !== undefined ? [details, explanation] : [details]
  dropParts(service, session)
  session.status = statusOf(refusal, dialect, shown)
  journal.add('decision', {
    refusal,
    referenceNumber: session.referenceNumber,
    details,
    explanation,
  })
  setSession(service, session)
}

/** Unpacks the package of a closed batch session and has each of its documents processed. */
export const processBatch = async (service: Service, session: Session): Promise<void> => {
  const { state, policy, limits } = service
  const announced = session.package
  // Unpacked before, by a process that ended before it could say so.
  if (announced === undefined || session.status.code !== 150 || session.total > 0) return
  const plain: Uint8Array[] = []
  const uploaded = state.parts.by('session', session.referenceNumber)
  for (const { ordinalNumber } of policy.joinedAs(announced.parts, uploaded)) {
    const part = state.parts.get(partId(session.referenceNumber, ordinalNumber))
    if (part === undefined && policy.everyPartNeeded(1)) continue
    if (part === undefined) {
      failSession(service, session, 'part-missing', `Part ${ordinalNumber} was not uploaded`)
      return
    }
    const opened = policy.decryptContent(session.key, session.iv, part.bytes)
    if (opened === undefined) {
      failSession(
        service,
        session,
        'package-undecryptable',
        `Part ${ordinalNumber} cannot be decrypted`,
        explainContent(part.bytes, session),
      )
      return
    }
    plain.push(opened)
  }
  const archive = Buffer.concat(plain)
  if (
    !policy.packageMatches(
      { size: announced.fileSize, hash: announced.fileHash },
      { size: archive.length, hash: sha256Base64(archive) },
    )
  ) {
    failSession(
      service,
      session,
      'package-hash-mismatch',
      'Size or SHA-256 of the package is not the announced one',
    )
    return
  }
  const most = policy.sessionBounds(limits.session(session.context), 'batch').maxInvoices
  try {
    const entries = await readArchive(archive, announced.compression, {
      bytes: mostUnpacked(archive.length),
      entries: most,
      nameAllowed: policy.archiveNameAllowed,
      expansionAllowed: policy.archiveExpansionAllowed,
      entryAllowed: policy.archiveEntryAllowed,
    })
    if (entries.length === 0 && !policy.emptyArchiveAllowed()) {
      failSession(service, session, 'archive-refused', 'The package is empty')
      return
    }
    if (entries.length > 0 && !policy.sessionHasRoom(entries.length - 1, most)) {
      failSession(service, session, 'session-full', `The package holds more than ${most} invoices`)
      return
    }
    // In one step with the arrival of what they hold: else a restart in between would find neither.
    dropParts(service, session)
    for (const { name, bytes } of entries) {
      receiveInvoice(service, session, {
        bytes,
        form: 'plain',
        fileName: Array.from(name).slice(0, 128).join(''),
        offline: session.offline,
      })
    }
    finishSession(service, session)
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    failSession(service, session, 'archive-refused', error.message)
  }
}
