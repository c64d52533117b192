/** CRC-8, polynomial 0x07, initial value 0, nothing reflected, no final change; over ASCII text. */
export function crc8(text: string): number {
  let crc = 0
  for (let place = 0; place < text.length; place += 1) {
    crc ^= text.charCodeAt(place) & 0xff
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}

/** The same as two upper-case hexadecimal digits. */
export const crc8Hex = (text: string): string =>
  crc8(text).toString(16).toUpperCase().padStart(2, '0')
