import type { Element } from '../schema/document.ts'
import { children, element } from '../schema/document.ts'

/** Changes of a tree at a path of names from the root, each step the first of its name. */

/** A path that a document does not have. */
export class NoSuchPlaceError extends Error {
  override readonly name = 'NoSuchPlaceError'
}

const steps = (path: string) => path.split('/')

/** The element at a path, `Faktura/Fa/P_15` for example. */
export function elementAt(root: Element, path: string): Element {
  let at = root
  for (const name of steps(path).slice(1)) {
    const next = children(at).find((each) => each.name === name)
    if (!next) throw new NoSuchPlaceError(`${path} is not in the document`)
    at = next
  }
  return at
}

/** The text of the element at a path; empty where it holds elements. */
export function textOf(root: Element, path: string): string {
  const { content } = elementAt(root, path)
  return typeof content === 'string' ? content : ''
}

export const hasPlace = (root: Element, path: string): boolean => {
  try {
    elementAt(root, path)
    return true
  } catch {
    return false
  }
}

/** Replaces one element with others: an empty list removes it, several elements add to it. */
export function replaceAt(
  root: Element,
  path: string,
  by: (old: Element) => Element | readonly Element[],
): Element {
  const [, ...names] = steps(path)
  const step = (at: Element, index: number): Element => {
    const name = names[index]
    let found = false
    const content = children(at).flatMap((each) => {
      if (found || each.name !== name) return each
      found = true
      return index === names.length - 1 ? by(each) : step(each, index + 1)
    })
    if (!found) throw new NoSuchPlaceError(`${path} is not in the document`)
    return { ...at, content }
  }
  if (names.length === 0) {
    const made = by(root)
    if (Array.isArray(made)) throw new NoSuchPlaceError('a document has one root')
    return made as Element
  }
  return step(root, 0)
}

/** Changes the children of an element. */
export function withChildren(
  root: Element,
  path: string,
  change: (content: readonly Element[]) => readonly Element[],
): Element {
  return replaceAt(root, path, (old) => ({ ...old, content: change(children(old)) }))
}

/** Changes the text of an element. */
export function withText(root: Element, path: string, text: string): Element {
  return replaceAt(root, path, (old) => ({ ...old, content: text }))
}

/** A new element in the namespace of another. */
export const like = (other: Element, name: string, content: string | readonly Element[]): Element =>
  element(other.namespace, name, content)

/** The path of the parent. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path of the n-th child (from 0), with its number among those of its name. */
export function childPath(parent: Element, path: string, index: number): string {
  const content = children(parent)
  const { name } = content[index]!
  const nth = content.slice(0, index + 1).filter((each) => each.name === name).length
  return `${path}/${name}${nth > 1 ? `[${nth}]` : ''}`
}
