import type { ReadElement } from '../../generators/schema/read-document.ts'
import { readXml } from '../../generators/schema/reader.ts'

/** Generated invoices as their reader sees them. */

export interface Invoice {
  readonly file: string
  readonly kind: string
  readonly root: ReadElement
  readonly fa: ReadElement
  readonly lines: readonly ReadElement[]
}

export const all = (node: ReadElement | undefined, name: string): readonly ReadElement[] =>
  (node?.children ?? []).filter((each) => each.name === name)
export const text = (
  node: ReadElement | undefined,
  ...path: readonly string[]
): string | undefined =>
  path.reduce<ReadElement | undefined>((found, name) => all(found, name)[0], node)?.text
export const everywhere = (node: ReadElement, name: string): readonly ReadElement[] =>
  node.children.flatMap((each) => [
    ...(each.name === name ? [each] : []),
    ...everywhere(each, name),
  ])
/** The name of what is sold, without its variant and without details. */
export const productOf = (line: ReadElement) =>
  (text(line, 'P_7') ?? text(line, 'P_7Z') ?? '').replace(/, wariant \d+| \(.*\)$/g, '')
export const cents = (amount: string | undefined) => Math.round(Number(amount ?? 0) * 100)

export const readInvoice = (bytes: Uint8Array, file: string): Invoice => {
  const { root } = readXml(new TextDecoder().decode(bytes))
  const [fa] = all(root, 'Fa')
  if (!fa) throw new Error(`${file}: no Fa`)
  const lines = [...all(fa, 'FaWiersz'), ...everywhere(fa, 'ZamowienieWiersz')]
  return { file, kind: text(fa, 'RodzajFaktury') ?? '', root, fa, lines }
}

/** Whether the check digit of a GTIN or GLN is right. */
export const gs1 = (digits: string) =>
  /^\d{13}$/.test(digits) &&
  Array.from(digits).reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) %
    10 ===
    0

/** Whether the check digit of a REGON is right. */
export const regon = (digits: string) =>
  ([8, 9, 2, 3, 4, 5, 6, 7].reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11) %
    10 ===
  Number(digits[8])
