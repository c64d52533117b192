/** Exports: the package of matching invoices, encrypted for the caller, in parts. Source: gap export-body. */

import { createCipheriv } from 'node:crypto'
import { writeArchive } from './archive.ts'
import type { Service } from '../call/service.ts'
import { sha256Base64 } from '../base/crypto.ts'
import { createWire } from '../http/wire.ts'
import { reached } from '../base/wording.ts'
import type { Export, ExportPart, Issued } from '../model/documents.ts'
import type { MetadataQuery } from './query.ts'
import { dateOf } from '../policy/queries.ts'
import { findIssued, metadataView, readRange } from './query.ts'

export const exportPartId = (referenceNumber: string, ordinal: number): string =>
  `${referenceNumber}/${ordinal}`

const setExport = (service: Service, entry: Export): void => {
  service.state.exports.put(entry)
  service.journal.add('state', {
    of: 'export',
    referenceNumber: entry.referenceNumber,
    code: entry.status.code,
  })
}

const encrypt = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array): Buffer => {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}

/** The archive of the documents of an export, with their metadata. */
const packageOf = (
  { state, policy, dialect, clock }: Service,
  { onlyMetadata, compression }: Export,
  chosen: readonly Issued[],
): Promise<Uint8Array> => {
  const documents = onlyMetadata
    ? []
    : chosen.flatMap((issued) => {
        const content = state.contents.get(issued.invoice)
        return content === undefined ? [] : [policy.packageEntry(issued, content.bytes)]
      })
  // The records are spelled as in the answer of the metadata query.
  const described = { invoices: policy.describedInvoices(chosen).map(metadataView) }
  const metadata = Buffer.from(JSON.stringify(createWire(dialect).write('MetadataPage', described)))
  return writeArchive(
    [...documents, { name: '_metadata.json', bytes: metadata }],
    compression,
    new Date(clock.now()),
  )
}

/** Encrypts an archive in parts, and stores them. */
const storeParts = (
  service: Service,
  { referenceNumber, compression, key, iv }: Export,
  archive: Uint8Array,
): ExportPart[] => {
  const size = service.limit('exports.partBytes')
  const suffix = compression === 'Zip' ? 'zip' : 'tar.gz'
  const parts: ExportPart[] = []
  for (let at = 0; at < archive.length; at += size) {
    const plain = archive.subarray(at, at + size)
    const encrypted = encrypt(key, iv, plain)
    const ordinalNumber = parts.length + 1
    service.state.parts.put({
      id: exportPartId(referenceNumber, ordinalNumber),
      session: referenceNumber,
      ordinalNumber,
      bytes: encrypted,
    })
    parts.push({
      ordinalNumber,
      name: `${referenceNumber}-${String(ordinalNumber).padStart(3, '0')}.${suffix}.aes`,
      size: plain.length,
      hash: sha256Base64(plain),
      encryptedSize: encrypted.length,
      encryptedHash: sha256Base64(encrypted),
    })
  }
  return parts
}

/** Creates the package of an export. */
export const processExport = async (service: Service, entry: Export): Promise<void> => {
  const { policy, clock } = service
  if (entry.status.code !== 100) return
  if (entry.range.outsideData) {
    const status = reached('export', 420, ['The range lies outside the available data'])
    setExport(service, { ...entry, status })
    return
  }
  const query = entry.filters as MetadataQuery
  const { from, to } = entry.range
  const range = { ...readRange(service, query), from, to }
  const { dateType, highWaterMark } = range
  const found = findIssued(service, entry.context, query, range)
  const chosen = policy.exportedInvoices(found, service.limit('exports.invoices'))
  const truncated = chosen.length < found.length
  const archive = await packageOf(service, entry, chosen)
  const last = chosen.at(-1)
  const lifetime = service.limit('exports.packageLifetime') * 1000
  setExport(service, {
    ...entry,
    completedAt: clock.now(),
    expiresAt: clock.now() + lifetime,
    status: reached('export', 200),
    result: {
      invoiceCount: chosen.length,
      size: archive.length,
      truncated,
      parts: storeParts(service, entry, archive),
      dateType,
      ...(truncated && last !== undefined && { last: dateOf(last, dateType) }),
      ...(highWaterMark !== undefined &&
        !truncated && { highWaterMark: Math.min(highWaterMark, to) }),
    },
  })
  service.schedule.later('expiry', entry.referenceNumber, lifetime)
}

/** Lets an export expire: its package is gone. @returns the export as it is now */
export const expireExport = (service: Service, entry: Export): Export => {
  if (entry.status.code !== 200) return entry
  for (const part of service.state.parts.by('session', entry.referenceNumber))
    service.state.parts.delete(part.id)
  const expired = { ...entry, status: reached('export', 210) }
  setExport(service, expired)
  return expired
}
