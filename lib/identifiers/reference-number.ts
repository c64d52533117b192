import { crc8Hex } from './crc8.ts'
import type { IntSource } from '../random.ts'
import { drawHex } from './hex.ts'

/** References of asynchronous work: day, kind, two technical parts and a check sum, 36 characters. */

/** Kind of object -> the two letters in its reference. */
const referenceKinds = {
  challenge: 'CR',
  authentication: 'AU',
  onlineSession: 'SO',
  batchSession: 'SB',
  invoice: 'EE',
  receipt: 'EU',
  export: 'EH',
  serviceToken: 'EC',
  operation: 'EG',
} as const
export type ReferenceKind = keyof typeof referenceKinds

const form =
  /^(?:20[2-9]\d|2[1-9]\d{2}|[3-9]\d{3})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-([0-9A-Z]{2})-[0-9A-F]{10}-[0-9A-F]{10}-[0-9A-F]{2}$/

/** The kind letters of a reference, or undefined when the text does not have the form. */
export const referenceKind = (text: string): string | undefined => form.exec(text)?.[1]

/** A well-formed reference that no service issued. `day` is an ISO date. */
export const drawReference = (source: IntSource, kind: ReferenceKind, day: string): string =>
  drawWith(source, [day.replaceAll('-', ''), referenceKinds[kind]])

/** A well-formed reference of the day and kind of another; undefined when that does not have the form. */
export function drawReferenceLike(source: IntSource, text: string): string | undefined {
  return form.test(text) ? drawWith(source, text.split('-').slice(0, 2)) : undefined
}

/** Draws the technical parts of a reference, and adds the check sum. */
function drawWith(source: IntSource, begin: readonly string[]): string {
  const body = [...begin, drawHex(source, 10), drawHex(source, 10)]
  return [...body, crc8Hex(body.join('-'))].join('-')
}
