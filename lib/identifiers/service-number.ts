import type { IntSource } from '../random.ts'
import { crc8Hex } from './crc8.ts'
import { drawHex } from './hex.ts'

/**
 * The number that the service assigns to an accepted invoice: seller's NIP, day of acceptance, technical part and
 * check sum, 35 characters. The tester's own implementation, independent of the reference's.
 */
export interface ServiceNumber {
  readonly nip: string
  /** ISO date. */
  readonly day: string
  readonly technical: string
  readonly checkSum: string
}

const form =
  /^([1-9](?:\d[1-9]|[1-9]\d)\d{7})-(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-([0-9A-F]{12})-([0-9A-F]{2})$/

/** The parts of a number, or undefined when it does not have the form. */
export function parseServiceNumber(text: string): ServiceNumber | undefined {
  const found = form.exec(text)
  if (found === null) return undefined
  const [, nip = '', year = '', month = '', day = '', technical = '', checkSum = ''] = found
  return { nip, day: `${year}-${month}-${day}`, technical, checkSum }
}

/** What is wrong with a number; empty when nothing is. */
export function serviceNumberFaults(text: string): string[] {
  const parts = parseServiceNumber(text)
  if (parts === undefined) return ['it has not the form NIP-YYYYMMDD-XXXXXXXXXXXX-XX']
  const wanted = serviceNumberCheckSum(text)
  const faults: string[] = []
  if (wanted !== parts.checkSum) {
    faults.push(`its check sum is ${parts.checkSum} and should be ${wanted}`)
  }
  if (Number.isNaN(Date.parse(parts.day)) || !isoDay(parts.day)) {
    faults.push(`${parts.day} is no day`)
  }
  return faults
}

/** The check sum that belongs to a number: over everything before its last dash. */
const serviceNumberCheckSum = (text: string): string => crc8Hex(text.slice(0, 32))

const isoDay = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day

/** A number of the right form and check sum that no service assigned. `day` is an ISO date. */
export function drawServiceNumber(source: IntSource, nip: string, day: string): string {
  const body = `${nip}-${day.replaceAll('-', '')}-${drawHex(source, 12)}`
  return `${body}-${serviceNumberCheckSum(body)}`
}
