/** The document tree: what arbitraries make, malformations change and the serializer writes. */

export interface Attribute {
  readonly name: string
  readonly value: string
  /** Absent: in no namespace, as attributes without a prefix are. */
  readonly namespace?: string
}

export interface Element {
  readonly name: string
  /** Empty: in no namespace. */
  readonly namespace: string
  readonly attributes: readonly Attribute[]
  /** Text of a simple element, children of a complex one. */
  readonly content: string | readonly Element[]
}

const none: readonly Attribute[] = []

/** An element without attributes. */
export function element(
  namespace: string,
  name: string,
  content: string | readonly Element[],
  attributes: readonly Attribute[] = none,
): Element {
  return { name, namespace, attributes, content }
}

/** The children of an element; none where it holds text. */
export function children(of: Element): readonly Element[] {
  return typeof of.content === 'string' ? [] : of.content
}

/** The first child of that name. */
function child(of: Element, name: string): Element | undefined {
  return children(of).find((each) => each.name === name)
}

/** The text at a path of names below an element, each step the first of its name. */
export function textAt(of: Element, ...path: readonly string[]): string | undefined {
  let at: Element | undefined = of
  for (const name of path) {
    at = at && child(at, name)
    if (!at) return undefined
  }
  return typeof at.content === 'string' ? at.content : undefined
}
