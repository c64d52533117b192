/** Exports: the package of matching invoices, encrypted for the caller, in parts. Source: gap export-body. */

import { createCipheriv } from 'node:crypto'
import { writeArchive } from './archive.ts'
import type { Service } from '../call/service.ts'
import { sha256Base64 } from '../base/crypto.ts'
import { createWire } from '../http/wire.ts'
import { reached } from '../base/wording.ts'
import type { Export, ExportPart } from '../model/documents.ts'
import type { MetadataQuery } from './query.ts'
import { dateOf, findIssued, metadataView, readRange } from './query.ts'

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

/** Makes the package of an export. */
export const processExport = async (service: Service, entry: Export): Promise<void> => {
  const { state, policy, clock } = service
  if (entry.status.code !== 100) return
  const query = entry.filters as MetadataQuery
  const range = { ...readRange(service, query), to: entry.range.to, from: entry.range.from }
  if (entry.range.outsideData) {
    entry.status = reached('export', 420, ['The range lies outside the available data'])
    setExport(service, entry)
    return
  }
  const found = findIssued(service, entry.context, query, range)
  const chosen = policy.exportedInvoices(found, service.limit('exports.invoices'))
  const truncated = chosen.length < found.length
  const documents = entry.onlyMetadata
    ? []
    : chosen.flatMap(({ svcNumber, invoice }) => {
        const content = state.contents.get(invoice)
        return content === undefined
          ? []
          : [{ name: `${svcNumber}.xml`, bytes: policy.exportedBytes(content.bytes) }]
      })
  // The records are spelled as in the answer of the metadata query.
  const described = { invoices: chosen.map((issued) => metadataView(service, issued)) }
  const metadata = Buffer.from(
    JSON.stringify(createWire(service.dialect).write('MetadataPage', described)),
  )
  const archive = await writeArchive(
    [...documents, { name: '_metadata.json', bytes: metadata }],
    entry.compression,
    new Date(clock.now()),
  )
  const size = service.limit('exports.partBytes')
  const parts: ExportPart[] = []
  for (let at = 0; at < archive.length; at += size) {
    const plain = archive.subarray(at, at + size)
    const encrypted = encrypt(policy.exportKey(entry.key), entry.iv, plain)
    const ordinalNumber = parts.length + 1
    const suffix = entry.compression === 'Zip' ? 'zip' : 'tar.gz'
    state.parts.put({
      id: exportPartId(entry.referenceNumber, ordinalNumber),
      session: entry.referenceNumber,
      ordinalNumber,
      bytes: encrypted,
    })
    parts.push({
      ordinalNumber,
      name: `${entry.referenceNumber}-${String(ordinalNumber).padStart(3, '0')}.${suffix}.aes`,
      size: plain.length,
      hash: sha256Base64(plain),
      encryptedSize: encrypted.length,
      encryptedHash: sha256Base64(encrypted),
    })
  }
  const last = chosen.at(-1)
  const lifetime = service.limit('exports.packageLifetime') * 1000
  entry.completedAt = clock.now()
  entry.expiresAt = clock.now() + lifetime
  entry.status = reached('export', 200)
  entry.result = {
    invoiceCount: chosen.length,
    size: archive.length,
    truncated,
    parts,
    dateType: range.dateType,
    ...(truncated && last !== undefined && { last: dateOf(last, range.dateType) }),
    ...(range.highWaterMark !== undefined &&
      !truncated && { highWaterMark: Math.min(range.highWaterMark, entry.range.to) }),
  }
  setExport(service, entry)
  service.schedule.later('expiry', entry.referenceNumber, lifetime)
}

/** Lets an export expire: its package is gone. */
export const expireExport = (service: Service, entry: Export): void => {
  if (entry.status.code !== 200) return
  for (const part of service.state.parts.by('session', entry.referenceNumber))
    service.state.parts.delete(part.id)
  entry.status = reached('export', 210)
  setExport(service, entry)
}
