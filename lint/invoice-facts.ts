import { parseDecimal } from '../lib/decimal.ts'
import type { Place, ReadElement } from '../generators/schema/read-document.ts'

/** Reports a warning: where, which rule, what is so, what to do. */
export type Warn = (
  place: Place,
  path: string,
  rule: string,
  message: string,
  advice: string,
) => void

export const all = (node: ReadElement, name: string): readonly ReadElement[] =>
  node.children.filter((each) => each.name === name)

export const first = (node: ReadElement, name: string): ReadElement | undefined =>
  node.children.find((each) => each.name === name)

/** The element at a path of names, each step the first. */
export function at(node: ReadElement, ...path: readonly string[]): ReadElement | undefined {
  return path.reduce<ReadElement | undefined>((found, name) => found && first(found, name), node)
}

/** The text of a child. */
export const textOf = (node: ReadElement, name: string): string | undefined =>
  first(node, name)?.text

/** An amount in grosze; undefined where there is none. */
export const amount = (node: ReadElement | undefined): bigint | undefined =>
  node === undefined ? undefined : parseDecimal(node.text, 2)

/** A path with the number of the element among those of its name; the first has none. */
export const tag = (path: string, i: number): string => `${path}${i > 0 ? `[${i + 1}]` : ''}`
