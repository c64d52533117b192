/**
 * Service numbers and the check digit of a NIP.
 * Source: specification, Sessions and invoices; gaps svc-number and identifiers.
 */

import { crc8, nipCheckDigit } from './identifiers.ts'

/**
 * The number that an accepted invoice gets, 35 characters: `NIP-YYYYMMDD-HHHHHHHHHHHH-CC`.
 * @param nip of the seller
 * @param day of the acceptance for processing in Europe/Warsaw, `YYYY-MM-DD`
 * @param technical 6 bytes, unique for the seller and the day
 */
export const makeSvcNumber = (nip: string, day: string, technical: Uint8Array): string => {
  const hex = Buffer.from(technical).toString('hex').toUpperCase()
  const body = `${nip}-${day.replaceAll('-', '')}-${hex}`
  return `${body}-${crc8(body)}`
}

const shape = /^([1-9](?:\d[1-9]|[1-9]\d)\d{7}-\d{8}-[0-9A-F]{6})-?([0-9A-F]{6})-([0-9A-F]{2})$/

/** The service number in its form of 35 characters (36 before version 2 are read too); undefined for any other text. */
export const normalSvcNumber = (text: string): string | undefined => {
  const parts = shape.exec(text)
  if (parts === null || crc8(text.slice(0, -3)) !== parts[3]) return undefined
  return `${parts[1]}${parts[2]}-${parts[3]}`
}

/** Whether the last digit of a NIP is the check digit of the other nine. */
export const isNip = (text: string): boolean => {
  if (!/^[1-9](?:[0-9][1-9]|[1-9][0-9])[0-9]{7}$/.test(text)) return false
  return nipCheckDigit(Array.from(text.slice(0, 9), Number)) === Number(text[9])
}

/** Whether the last digit of an internal id is its check digit: weights 1 and 3 in turn over the others, modulo 10. */
export const isInternalId = (value: string): boolean => {
  const digits = Array.from(value.replace('-', ''), Number)
  const sum = digits
    .slice(0, -1)
    .reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === digits.at(-1)
}
