import type { IntSource } from '../random.ts'

/** Upper-case hexadecimal digits. */
export const drawHex = (source: IntSource, digits: number): string =>
  Array.from({ length: digits }, () => source.int(0, 15).toString(16).toUpperCase()).join('')
