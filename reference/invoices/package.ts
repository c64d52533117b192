/** What becomes of the package of a batch session after its close. Source: gap batch-package. */

import type { RefusalId } from '../../contract/errors.ts'
import { sha256Base64 } from '../base/crypto.ts'
import type { Status } from '../base/refusals.ts'
import { statusOf } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { Service } from '../call/service.ts'
import type { AnnouncedPackage, Session } from '../model/documents.ts'
import type { ArchiveEntry } from './archive.ts'
import { BadArchive, readArchive } from './archive.ts'
import { explainContent } from '../verification/explain.ts'
import { finishSession } from './processing.ts'
import { changeSession, receiveInvoice } from './session.ts'

export const partId = (referenceNumber: string, ordinal: number): string =>
  `${referenceNumber}/${ordinal}`

/** Bytes that a package may unpack to. Documents shrink to a tenth or a fiftieth, bombs to a thousandth. */
const maxUnpacked = (packed: number): number =>
  Math.min(1_000_000_000, Math.max(20_000_000, 100 * packed))

/** Ends a batch session that was not closed in time. */
export const expireBatch = (service: Service, session: Session): void =>
  failBatch(service, session, reached('batchSession', 440, ['The time for the upload has expired']))

/** Ends a batch session in a state of failure. */
export const failBatch = (service: Service, session: Session, status: Status): void => {
  dropParts(service, session)
  changeSession(service, session, { status })
}

const dropParts = ({ state }: Service, session: Session): void => {
  for (const { id } of state.parts.by('session', session.referenceNumber)) state.parts.delete(id)
}

/** Why a package cannot be processed. */
interface PackageFault {
  readonly refusal: RefusalId
  readonly details: string
  readonly explanation?: string
}

const failSession = (
  service: Service,
  session: Session,
  { refusal, details, explanation }: PackageFault,
): void => {
  const { dialect, explain, journal } = service
  const shown = explain && explanation !== undefined ? [details, explanation] : [details]
  const { referenceNumber } = session
  journal.add('decision', { refusal, referenceNumber, details, explanation })
  failBatch(service, session, statusOf(refusal, dialect, shown))
}

/** The archive of the uploaded parts, decrypted and joined. */
const joinParts = (
  { state, policy }: Service,
  session: Session,
  announced: AnnouncedPackage,
): Buffer | PackageFault => {
  const uploaded = state.parts.by('session', session.referenceNumber)
  if (!policy.everyPartNeeded(announced.parts.length - uploaded.length))
    return { refusal: 'part-missing', details: 'Not every part was uploaded' }
  const plain: Uint8Array[] = []
  for (const { ordinalNumber, bytes } of policy.joined(uploaded)) {
    const part = announced.parts[ordinalNumber - 1]
    if (part !== undefined && !policy.partHashFits(part, sha256Base64(bytes))) {
      return {
        refusal: 'package-hash-mismatch',
        details: `The SHA-256 of part ${ordinalNumber} is not the declared one`,
      }
    }
    const opened = policy.decryptContent(session.key, session.iv, bytes)
    if (opened === undefined) {
      const whole = Buffer.concat(policy.joined(uploaded).map((one) => one.bytes))
      if (uploaded.length > 1 && policy.decryptContent(session.key, session.iv, whole)) {
        return {
          refusal: 'archive-refused',
          details: 'The package was encrypted before it was cut into parts',
        }
      }
      return {
        refusal: 'package-undecryptable',
        details: `Part ${ordinalNumber} cannot be decrypted`,
        explanation: explainContent(bytes, session),
      }
    }
    plain.push(opened)
  }
  return Buffer.concat(plain)
}

/** The documents of the package of a session. */
const open = async (
  service: Service,
  session: Session,
  announced: AnnouncedPackage,
): Promise<readonly ArchiveEntry[] | PackageFault> => {
  const archive = joinParts(service, session, announced)
  if ('refusal' in archive) return archive
  // First, because an archive that cannot be read says more than its hash: a wrong IV leaves the announced size.
  const entries = await unpack(service, session, archive, announced.compression)
  if ('refusal' in entries) return entries
  return service.policy.packageMatches(
    { size: announced.fileSize, hash: announced.fileHash },
    { size: archive.length, hash: sha256Base64(archive) },
  )
    ? entries
    : {
        refusal: 'package-hash-mismatch',
        details: 'Size or SHA-256 of the package is not the announced one',
      }
}

const unpack = async (
  { policy, limits }: Service,
  session: Session,
  archive: Buffer,
  compression: AnnouncedPackage['compression'],
): Promise<readonly ArchiveEntry[] | PackageFault> => {
  const { maxInvoices } = policy.sessionBounds(limits.session(session.context), 'batch')
  try {
    const entries = await readArchive(archive, compression, {
      bytes: maxUnpacked(archive.length),
      entries: maxInvoices,
      nameAllowed: policy.archiveNameAllowed,
      expansionAllowed: policy.archiveExpansionAllowed,
      entryAllowed: policy.archiveEntryAllowed,
      checkValueFits: policy.archiveCheckValueFits,
    })
    if (entries.length === 0) return { refusal: 'archive-refused', details: 'The package is empty' }
    return policy.sessionHasRoom(entries.length - 1, maxInvoices)
      ? entries
      : {
          refusal: 'session-full',
          details: `The package holds more than ${maxInvoices} invoices`,
        }
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    return { refusal: 'archive-refused', details: error.message }
  }
}

/** Unpacks the package of a closed batch session and has each of its documents processed. */
export const processBatch = async (service: Service, session: Session): Promise<void> => {
  const announced = session.package
  // Unpacked before, by a process that ended before it could say so.
  if (announced === undefined || session.status.code !== 150 || session.total > 0) return
  if (session.refused !== undefined) {
    dropParts(service, session)
    changeSession(service, session, { status: session.refused })
    return
  }
  const entries = await open(service, session, announced)
  if ('refusal' in entries) {
    failSession(service, session, entries)
    return
  }
  // In one step with the arrival of the documents: otherwise a restart in between would find neither.
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
}
