/** An element whose content can be rearranged freely; text, comments and the like are kept as raw markup. */
export interface Element {
  name: string
  attributes: [name: string, value: string][]
  children: (Element | string)[]
}

const TOKENS = /<\?[^]*?\?>|<!--[^]*?-->|<\/[^>]*>|<[^>]*>|[^<]+/g
const ATTRIBUTES = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Reads a well-formed document without document type declaration and CDATA sections. */
export function parse(xml: string): Element {
  const holder: Element = { name: '', attributes: [], children: [] }
  const open = [holder]
  for (const [token] of xml.matchAll(TOKENS)) {
    const parent = open.at(-1) ?? holder
    if (token.startsWith('</')) open.pop()
    else if (!token.startsWith('<') || /^<[?!]/.test(token)) parent.children.push(token)
    else {
      const name = /^<([^\s/>]+)/.exec(token)?.[1] ?? ''
      const attributes = [...token.slice(name.length + 1).matchAll(ATTRIBUTES)].map(
        ([, key = '', double, single]): [string, string] => [key, double ?? single ?? ''],
      )
      const element: Element = { name, attributes, children: [] }
      parent.children.push(element)
      if (!token.endsWith('/>')) open.push(element)
    }
  }
  const root = holder.children.find((child) => typeof child !== 'string')
  if (root === undefined) throw new Error('no element in the document')
  return root
}

export function serialise(node: Element | string): string {
  if (typeof node === 'string') return node
  const attributes = node.attributes.map(([name, value]) => ` ${name}="${value}"`).join('')
  if (node.children.length === 0) return `<${node.name}${attributes}/>`
  return `<${node.name}${attributes}>${node.children.map(serialise).join('')}</${node.name}>`
}

export function clone(element: Element): Element {
  return {
    name: element.name,
    attributes: element.attributes.map(([name, value]) => [name, value]),
    children: element.children.map((child) => (typeof child === 'string' ? child : clone(child))),
  }
}

/** The element and all elements below it, in document order, each with its parent. */
export function* walk(
  element: Element,
  parent?: Element,
): Generator<{ element: Element; parent: Element | undefined }> {
  yield { element, parent }
  for (const child of element.children) if (typeof child !== 'string') yield* walk(child, element)
}

export function isLeaf(element: Element): boolean {
  return element.children.every((child) => typeof child === 'string')
}

export function textOf(element: Element): string {
  return element.children.map(serialise).join('')
}
