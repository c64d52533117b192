import { createExport, downloadExport, settleExport } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { onSchedule } from '../tasks.ts'
import type { Task } from '../tasks.ts'

/** Signature of the end of a ZIP archive, and where it says how many entries there are. */
const endSignature = [0x50, 0x4b, 0x05, 0x06] as const
const countAt = 10
const endBytes = 22

const entriesOf = (archive: Uint8Array): number | undefined => {
  for (let at = archive.length - endBytes; at >= 0; at -= 1)
    if (endSignature.every((byte, place) => archive[at + place] === byte))
      return (archive[at + countAt] ?? 0) + 256 * (archive[at + countAt + 1] ?? 0)
  return undefined
}

/** Creates an export, follows it, downloads, verifies and decrypts its parts, and counts the documents. */
export const exportTask: Task = async (client, { issued }) => {
  const { from, to, invoices } = issued
  const filters = { subjectType: 'subject1', dateRange: { dateType: 'permanentStorage', from, to } }
  const secret = drawSecret()
  const started = await createExport(client, { filters, secret })
  const settled = await settleExport(client, started)
  if (!settled.succeeded) return `the export ended with ${settled.status.code}`
  const entries = entriesOf(await downloadExport(client, secret, settled))
  if (entries === undefined) return 'the package is not a ZIP archive'
  return entries >= invoices.length
    ? undefined
    : `${entries} documents in the package, ${invoices.length} invoices were issued`
}

export const exportInvoices = onSchedule(() => exportTask)
