import type { Handlers } from '../call/call.ts'
import { keyOf } from '../model/entities.ts'
import type { Export } from '../model/documents.ts'
import { expireExport, exportPartId } from '../invoices/export.ts'
import { readKey } from '../invoices/opening.ts'
import { readRange } from '../invoices/query.ts'
import { addressOf, linkUntil, signLink } from '../http/links.ts'
import { sha256Base64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import { reached, utc } from '../base/wording.ts'
import type { Service } from '../call/service.ts'

/** How long an export takes, so that several can be running; ms. */
const exportDuration = 250

const lastFields = {
  issue: 'lastIssueDate',
  acquisition: 'lastAcquisitionDate',
  invoicing: 'lastInvoicingDate',
  permanentStorage: 'lastPermanentStorageDate',
} as const

const packageView = (
  service: Service,
  { referenceNumber, result, compression, expiresAt = 0 }: Export,
) => {
  if (result === undefined) return undefined
  const until = Math.min(
    service.clock.now() + service.limit('exports.linkLifetime') * 1000,
    expiresAt,
  )
  const { last } = result
  return {
    invoiceCount: result.invoiceCount,
    size: result.size,
    compressionType: compression,
    isTruncated: result.truncated,
    parts: result.parts.map((part) => ({
      ordinalNumber: part.ordinalNumber,
      partName: part.name,
      method: 'GET',
      url: addressOf(
        service,
        'exports.part',
        { referenceNumber, ordinalNumber: String(part.ordinalNumber) },
        {
          sig: signLink(
            service,
            'download',
            exportPartId(referenceNumber, part.ordinalNumber),
            until,
          ),
        },
      ),
      partSize: part.size,
      partHash: part.hash,
      encryptedPartSize: part.encryptedSize,
      encryptedPartHash: part.encryptedHash,
      expirationDate: utc(until),
    })),
    ...(last !== undefined && {
      [lastFields[result.dateType]]: typeof last === 'number' ? utc(last) : last,
    }),
    ...(result.highWaterMark !== undefined && {
      permanentStorageHwmDate: utc(result.highWaterMark),
    }),
  }
}

/** Handlers of exports. Source: specification, Export; gap 5. */
export const exportsHandlers = {
  'exports.create': (call) => {
    const { service, caller, now } = call
    const { policy, state } = service
    const { body } = call
    const { from, to, outsideData } = readRange(service, body.filters)
    const { key, iv, refused } = readKey(service, body)
    const running = state.exports
      .by('context', keyOf(caller.context))
      .filter(
        ({ status, subject }) => status.code === 100 && keyOf(subject) === keyOf(caller.subject),
      ).length
    const limit = service.limit('exports.running')
    if (!policy.mayStartExport(running, limit))
      throw refuse('exports-running', `${running} exports are running, ${limit} are allowed`)
    const entry: Export = {
      referenceNumber: service.identifiers.reference('EH'),
      context: caller.context,
      subject: caller.subject,
      requestedAt: now,
      filters: body.filters,
      range: { from, to, outsideData },
      onlyMetadata: body.onlyMetadata ?? false,
      compression: body.compressionType ?? 'Zip',
      key,
      iv,
      status: refused ?? reached('export', 100),
    }
    state.exports.put(entry)
    service.schedule.later('export', entry.referenceNumber, exportDuration)
    return { body: { referenceNumber: entry.referenceNumber } }
  },

  'exports.status': ({ service, caller, path, now }) => {
    const { policy, state } = service
    const found = state.exports.get(path.referenceNumber)
    if (
      found === undefined ||
      !policy.exportIsOfContext(keyOf(found.context), keyOf(caller.context))
    )
      throw refuse('export-unknown')
    if (!policy.statusKept(now - found.requestedAt, service.limit('retention.statusDays')))
      throw refuse('resource-gone')
    const entry =
      found.expiresAt !== undefined && policy.exportExpires(now, found.expiresAt)
        ? expireExport(service, found)
        : found
    return {
      body: {
        status: entry.status,
        ...(entry.completedAt !== undefined && { completedDate: utc(entry.completedAt) }),
        ...(entry.expiresAt !== undefined && { packageExpirationDate: utc(entry.expiresAt) }),
        ...(entry.status.code === 200 && { package: packageView(service, entry) }),
      },
    }
  },

  'exports.part': ({ service, path, query, now }) => {
    const id = exportPartId(path.referenceNumber, Number(path.ordinalNumber))
    const until = linkUntil(service, 'download', id, query['sig'])
    if (until === undefined) throw refuse('link-refused')
    const part = service.state.parts.get(id)
    if (part === undefined || !service.policy.exportLinkHolds(now, until))
      throw refuse('link-expired')
    return {
      bytes: part.bytes,
      headers: { 'x-ms-meta-hash': sha256Base64(part.bytes) },
    }
  },
} satisfies Handlers<'exports'>
