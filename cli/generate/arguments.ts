import { invoiceSchemas } from '../../contract/environments.ts'
import { limits } from '../../contract/limits.ts'
import type { InvoiceKind, ProfileId } from '../../generators/invoice/invoice.ts'
import { hasNipForm, isNip } from '../../lib/identifiers/nip.ts'
import { usageError } from '../io.ts'

export interface GenerateArguments {
  schema: 'fa2' | 'fa3'
  count: number | undefined
  profile: ProfileId | undefined
  kind: InvoiceKind | undefined
  lines: number | undefined
  bytes: number | undefined
  attachment: boolean
  allowInvalid: boolean
  seller: string[]
  buyer: string | undefined
  issueDate: string | undefined
  malformed: string[] | undefined
  coverage: boolean
  xsd: string | undefined
  root: string | undefined
  encrypted: boolean
  archive: 'zip' | undefined
  partBytes: number | undefined
  key: string | undefined
  iv: string | undefined
  seed: number | undefined
  namespace: string
  out: string
  json: boolean
}

/** Options of invoices that add up; other documents would silently ignore them. */
const ofInvoices = ['profile', 'kind', 'lines', 'bytes', 'buyer', 'issueDate'] as const

const dashed = (name: string) => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`

function together(args: GenerateArguments): string | undefined {
  const { coverage, xsd, malformed, encrypted, archive } = args
  if (malformed !== undefined && (coverage || xsd !== undefined))
    return '--malformed cannot be combined with --coverage or --xsd'
  if (coverage || xsd !== undefined) {
    const what = xsd === undefined ? '--coverage' : '--xsd'
    const given: string[] = ofInvoices.filter((name) => args[name] !== undefined)
    if (args.attachment) given.push('attachment')
    if (args.seller.length > 0) given.push('seller')
    if (given[0] !== undefined) return `${dashed(given[0])} cannot be combined with ${what}`
  }
  if (args.root !== undefined && xsd === undefined) return '--root requires --xsd'
  if (xsd !== undefined && args.root === undefined)
    return '--xsd requires --root NAME, the root element'
  if (!encrypted && archive === undefined && (args.key ?? args.iv) !== undefined)
    return '--key and --iv require --encrypted or --archive'
  if (archive === undefined && args.partBytes !== undefined)
    return '--part-bytes requires --archive'
  const maximum = limits['session.invoices'].value
  if (archive !== undefined && (args.count ?? 0) > maximum)
    return `--archive: expected at most ${maximum} invoices (the limit of a batch session), received --count ${args.count}`
  return undefined
}

/**
 * Rejects options that make no sense together, before anything is written.
 *
 * @throws {Explained} naming the option, what was expected and what was received
 */
export function checkArguments(args: GenerateArguments): void {
  const whole = (name: 'count' | 'lines' | 'bytes' | 'partBytes') => {
    const value = args[name]
    if (value !== undefined && (!Number.isInteger(value) || value < 1))
      throw usageError(`${dashed(name)}: expected an integer from 1, received ${value}`)
  }
  for (const name of ['count', 'lines', 'bytes', 'partBytes'] as const) whole(name)
  for (const nip of [...args.seller, ...(args.buyer === undefined ? [] : [args.buyer])])
    if (!hasNipForm(nip))
      throw usageError(`expected a NIP of ten digits, received ${JSON.stringify(nip)}`)
  for (const nip of args.allowInvalid ? [] : args.seller)
    if (!isNip(nip))
      throw usageError(
        `--seller: the check digit of ${nip} is wrong, so production refuses it. Give a valid NIP, or --allow-invalid`,
      )
  const lastDay = invoiceSchemas.fa2.until
  if (args.schema === 'fa2' && !args.allowInvalid && (args.issueDate ?? '') > lastDay)
    throw usageError(
      `--issue-date: FA(2) ended on ${lastDay}, so the service refuses an invoice of ${args.issueDate}. Use --schema fa3, or --allow-invalid`,
    )
  const largest = limits['invoice.bytesWithAttachment'].value
  if (
    !args.allowInvalid &&
    (args.bytes ?? 0) > (args.attachment ? largest : limits['invoice.bytes'].value)
  )
    throw usageError(
      `--bytes: the service accepts at most ${args.attachment ? largest : limits['invoice.bytes'].value} bytes${args.attachment ? '' : ' without an attachment'}, not ${args.bytes}. Choose a smaller size, or --allow-invalid`,
    )
  const problem = together(args)
  if (problem !== undefined) throw usageError(problem)
}
