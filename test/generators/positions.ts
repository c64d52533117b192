import type { ReadElement } from '../../generators/schema/read-document.ts'

/**
 * Where a path of names lies in a document, as libxml2 writes it for elements in a default namespace: `/*`, then
 * the number of each element among its siblings. An attribute lies where its element does.
 */
export function positionsOf(root: ReadElement, path: string): string[] {
  const [, ...steps] = path.split('/')
  let at: ReadElement = root
  let position = nodeName(root, undefined)
  for (const step of steps) {
    if (step.startsWith('@')) break
    const [, name, nth = '1'] = /^([^[]*)(?:\[(\d+)\])?$/.exec(step)!
    const found = at.children.filter((each) => each.name === name)[Number(nth) - 1]
    if (!found) return []
    position += nodeName(found, at)
    at = found
  }
  return [position]
}

function nodeName(node: ReadElement, parent: ReadElement | undefined): string {
  // Without a namespace the name is written, else a star that counts all elements.
  const named = node.namespace === ''
  const siblings = (parent?.children ?? []).filter((each) => !named || each.name === node.name)
  const count = named ? siblings.filter((each) => each.namespace === '').length : siblings.length
  const label = named ? node.name : '*'
  return `/${label}${count > 1 ? `[${siblings.indexOf(node) + 1}]` : ''}`
}
