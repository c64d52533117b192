import type { IntSource } from '../random.ts'
import { padded } from './padded.ts'

/** The Polish account number (NRB): two check digits, the eight digits of the sort code, sixteen of the account. */

/** Remainder of a long decimal number divided by 97. */
function mod97(text: string): number {
  let rest = 0
  for (let i = 0; i < text.length; i++) rest = (rest * 10 + text.charCodeAt(i) - 48) % 97
  return rest
}

const sortCodeWeights = [3, 9, 7, 1, 3, 9, 7]

/** Check digit of the first seven digits of a sort code. */
function sortCodeCheckDigit(sevenDigits: string): number {
  const sum = sortCodeWeights.reduce(
    (total, weight, i) => total + weight * Number(sevenDigits[i]),
    0,
  )
  return (10 - (sum % 10)) % 10
}

/** Whether a text is eight digits of which the last one checks the others. */
export const isSortCode = (text: string): boolean =>
  /^\d{8}$/.test(text) && sortCodeCheckDigit(text) === Number(text[7])

/** Whether the first two of 26 digits agree with the rest (ISO 13616, country PL). */
export const isAccount = (text: string): boolean =>
  /^\d{26}$/.test(text) && mod97(`${text.slice(2)}2521${text.slice(0, 2)}`) === 1

/** Banks that anyone in Poland may have an account with, by the first four digits of their sort codes. */
const banks = {
  '1020': { name: 'PKO Bank Polski', swift: 'BPKOPLPW' },
  '1050': { name: 'ING Bank Śląski', swift: 'INGBPLPW' },
  '1140': { name: 'mBank', swift: 'BREXPLPWXXX' },
  '1160': { name: 'Bank Millennium', swift: 'BIGBPLPW' },
  '1240': { name: 'Bank Pekao', swift: 'PKOPPLPW' },
  '1320': { name: 'Bank Pocztowy', swift: 'POCZPLP4' },
  '1610': { name: 'SGB-Bank', swift: 'GBWCPLPP' },
  '1870': { name: 'Nest Bank', swift: 'NESBPLPW' },
  '1940': { name: 'Credit Agricole', swift: 'AGRIPLPR' },
  '2030': { name: 'BNP Paribas', swift: 'PPABPLPK' },
  '2490': { name: 'Alior Bank', swift: 'ALBPPLPW' },
} as const
type BankCode = keyof typeof banks
const bankCodes = Object.keys(banks) as BankCode[]

/** An account number with right check digits, at a bank that exists. */
export function drawAccount(source: IntSource): string {
  const seven = `${bankCodes[source.int(0, bankCodes.length - 1)]}${padded(source.int(1, 999), 3)}`
  const bank = seven + String(sortCodeCheckDigit(seven))
  const own = padded(source.int(0, 99_999_999), 8) + padded(source.int(0, 99_999_999), 8)
  return padded(98 - mod97(`${bank}${own}252100`), 2) + bank + own
}

/** The bank of an account that `drawAccount` gave. */
export const bankOf = (account: string): (typeof banks)[BankCode] =>
  banks[account.slice(2, 6) as BankCode]
