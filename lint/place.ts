/** Where an offset lies in a text that need not be well-formed. */
export interface TextPlace {
  /** From 1. */
  readonly line: number
  readonly column: number
  /** The element around it, such as `Faktura/Fa/FaWiersz[2]/P_7`; empty outside the root. */
  readonly path: string
}

const markup =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<(\/?)([^\s<>/!?'"&]+)(?:[^<>"']|"[^"]*"|'[^']*')*?(\/?)>/g

/** The elements that are open where a text ends; what is no markup is passed over. */
function openElements(text: string): string {
  const open: { readonly path: string; readonly counts: Map<string, number> }[] = []
  const outermost = new Map<string, number>()
  for (const [, closing, qualified, empty] of text.matchAll(markup)) {
    if (qualified === undefined) continue
    if (closing === '/') {
      open.pop()
      continue
    }
    const name = qualified.slice(qualified.indexOf(':') + 1)
    const parent = open.at(-1)
    const counts = parent?.counts ?? outermost
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    if (empty === '/') continue
    const own = nth > 1 ? `${name}[${nth}]` : name
    open.push({ path: parent ? `${parent.path}/${own}` : own, counts: new Map() })
  }
  return open.at(-1)?.path ?? ''
}

/** Line, column and element of an offset, in UTF-16 units. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset)
  return {
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
    path: openElements(before),
  }
}

/** The element around a line and column. */
export function pathAt(text: string, line: number, column: number): string {
  let offset = 0
  for (let at = 1; at < line; at++) offset = text.indexOf('\n', offset) + 1
  return openElements(text.slice(0, offset + column - 1))
}
