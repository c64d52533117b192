import type { Draw } from '../../../generators/draw/draw.ts'
import { clone, isLeaf, textOf, walk } from './tree.ts'
import type { Element } from './tree.ts'
import { DISGUISES, VALUES } from './values.ts'

/** What a mutation can draw from besides the document itself. */
export interface Material {
  /** Elements of all seed documents of the schema. */
  donors: readonly Element[]
  /** Values that a schema enumerates or fixes. */
  codes: readonly string[]
  /** Local names of types that a document can name in xsi:type. */
  types: readonly string[]
}

interface Place {
  element: Element
  parent: Element
  index: number
}

type Mutation = (root: Element, draw: Draw, material: Material) => string

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const BUILT_IN =
  'string token normalizedString decimal integer byte int date dateTime boolean anyType'

/** The name decides first, so that a repeated element is not chosen more often than others. */
function pickElement(
  root: Element,
  draw: Draw,
  wanted: (element: Element) => boolean = () => true,
): Element {
  const all = [...walk(root)].map(({ element }) => element)
  const found = all.some(wanted) ? all.filter(wanted) : all
  const name = draw.pick([...new Set(found.map((element) => element.name))])
  return draw.pick(found.filter((element) => element.name === name))
}

function pickPlace(root: Element, draw: Draw): Place {
  const element = pickElement(root, draw, (candidate) => candidate !== root)
  for (const { element: found, parent } of walk(root)) {
    if (found === element && parent)
      return { element, parent, index: parent.children.indexOf(found) }
  }
  throw new Error('the element has left the document')
}

function childElements(parent: Element): Element[] {
  return parent.children.filter((child) => typeof child !== 'string')
}

/** Names that the donors have under an element of this name, or any name now and then. */
function pickName(parent: string, draw: Draw, { donors }: Material): string {
  const known = donors.filter(({ name }) => name === parent).flatMap(childElements)
  const source = known.length > 0 && draw.chance(75) ? known : donors
  return draw.pick([...new Set(source.map(({ name }) => name))])
}

function pickDonor(parent: string, draw: Draw, material: Material): Element {
  const name = pickName(parent, draw, material)
  return clone(draw.pick(material.donors.filter((donor) => donor.name === name)))
}

function setText(element: Element, markup: string): string {
  element.children = markup === '' ? [] : [markup]
  return `${element.name} = ${JSON.stringify(markup.slice(0, 60))} (${markup.length})`
}

/** Declares the schema-instance namespace where it is used, under a prefix of its own. */
function setInstanceAttribute(element: Element, name: string, value: string): string {
  element.attributes.push(['xmlns:inst', XSI], [`inst:${name}`, value])
  return `${element.name} inst:${name}=${value}`
}

const STRUCTURE: Mutation[] = [
  function remove(root, draw) {
    const { element, parent, index } = pickPlace(root, draw)
    parent.children.splice(index, 1)
    return `${element.name} removed`
  },
  function repeat(root, draw) {
    const { element, parent, index } = pickPlace(root, draw)
    const copies = draw.pick([1, 1, 1, 2, 3, 9, 10, 19, 20, 30, 31, 99, 100, 101])
    parent.children.splice(index, 0, ...Array.from({ length: copies }, () => clone(element)))
    return `${element.name} repeated ${copies} times`
  },
  function swapNeighbours(root, draw) {
    const { element, parent } = pickPlace(root, draw)
    const siblings = childElements(parent)
    const other = draw.pick(siblings)
    const [here, there] = [parent.children.indexOf(element), parent.children.indexOf(other)]
    parent.children[here] = other
    parent.children[there] = element
    return `${element.name} and ${other.name} swapped`
  },
  function rename(root, draw, material) {
    const { element, parent } = pickPlace(root, draw)
    const name = pickName(parent.name, draw, material)
    const before = element.name
    element.name = draw.chance(5) ? before.toLowerCase() : name
    return `${before} renamed to ${element.name}`
  },
  function insert(root, draw, material) {
    const parent = pickElement(root, draw, (element) => !isLeaf(element) || draw.chance(10))
    const donor = pickDonor(parent.name, draw, material)
    const at = draw.int(0, parent.children.length)
    parent.children.splice(at, 0, donor)
    return `${donor.name} inserted into ${parent.name} at ${at}`
  },
  function replace(root, draw, material) {
    const { element, parent, index } = pickPlace(root, draw)
    const donor = pickDonor(parent.name, draw, material)
    parent.children[index] = donor
    return `${element.name} replaced by ${donor.name}`
  },
  function move(root, draw) {
    const { element, parent, index } = pickPlace(root, draw)
    parent.children.splice(index, 1)
    const target = pickElement(root, draw)
    target.children.splice(draw.int(0, target.children.length), 0, element)
    return `${element.name} moved from ${parent.name} to ${target.name}`
  },
  function empty(root, draw) {
    const element = pickElement(root, draw)
    element.children = []
    return `${element.name} emptied`
  },
  function keepOneChild(root, draw) {
    const element = pickElement(root, draw, (candidate) => !isLeaf(candidate))
    const children = childElements(element)
    if (children.length > 0) element.children = [draw.pick(children)]
    return `${element.name} reduced to one child`
  },
  function unwrap(root, draw) {
    const { element, parent, index } = pickPlace(root, draw)
    parent.children.splice(index, 1, ...element.children)
    return `${element.name} unwrapped`
  },
  function addText(root, draw) {
    const element = pickElement(root, draw, (candidate) => !isLeaf(candidate))
    const text = draw.pick(['text', ' ', '&#160;', '<![CDATA[ ]]>', '<!-- note -->', '<?target?>'])
    element.children.splice(draw.int(0, element.children.length), 0, text)
    return `${text} among the children of ${element.name}`
  },
]

const CONTENT: Mutation[] = [
  function value(root, draw) {
    return setText(pickElement(root, draw, isLeaf), draw.pick(VALUES))
  },
  function code(root, draw, { codes }) {
    return setText(pickElement(root, draw, isLeaf), draw.pick(codes))
  },
  function disguise(root, draw) {
    const element = pickElement(root, draw, isLeaf)
    return setText(element, draw.pick(DISGUISES)(textOf(element)))
  },
  function valueOfAnother(root, draw, { donors }) {
    const element = pickElement(root, draw, isLeaf)
    return setText(element, textOf(draw.pick(donors.filter(isLeaf))))
  },
]

const ATTRIBUTES: Mutation[] = [
  function type(root, draw, { types }) {
    const element = pickElement(root, draw)
    if (draw.chance(75)) {
      element.attributes.push([
        'xmlns:doc',
        root.attributes.find(([name]) => name === 'xmlns')?.[1] ?? '',
      ])
      return setInstanceAttribute(element, 'type', `doc:${draw.pick(types)}`)
    }
    element.attributes.push(['xmlns:xsd', 'http://www.w3.org/2001/XMLSchema'])
    return setInstanceAttribute(element, 'type', `xsd:${draw.pick(BUILT_IN.split(' '))}`)
  },
  function nil(root, draw) {
    const element = pickElement(root, draw)
    if (draw.chance(50)) element.children = []
    return setInstanceAttribute(element, 'nil', draw.pick(['true', 'false', '1', 'maybe']))
  },
  function add(root, draw) {
    const element = pickElement(root, draw)
    const name = draw.pick([
      'Typ',
      'kodSystemowy',
      'wersjaSchemy',
      'id',
      'xml:lang',
      'xml:space',
      'class',
    ])
    if (element.attributes.some(([present]) => present === name)) return `${element.name} kept`
    element.attributes.push([name, draw.pick(['', 'txt', 'pl', 'preserve', '4-3', 'FA (3)'])])
    return `${element.name} ${name} added`
  },
  function change(root, draw, { codes }) {
    const element = pickElement(root, draw, ({ attributes }) => attributes.length > 0)
    if (element.attributes.length === 0) return `${element.name} kept`
    const attribute = draw.pick(element.attributes)
    attribute[1] = draw.chance(50) ? draw.pick(DISGUISES)(attribute[1]) : draw.pick(codes)
    if (/[<>]/.test(attribute[1])) attribute[1] = ''
    return `${element.name} ${attribute[0]} = ${JSON.stringify(attribute[1])}`
  },
  function drop(root, draw) {
    const element = pickElement(root, draw, ({ attributes }) => attributes.length > 0)
    const [name] = element.attributes.splice(draw.int(0, element.attributes.length - 1), 1)[0] ?? [
      '',
    ]
    return `${element.name} ${name} dropped`
  },
  function otherNamespace(root, draw) {
    const element = pickElement(root, draw)
    const namespace = draw.pick([
      '',
      'urn:example:other',
      'http://crd.gov.pl/wzor/2025/02/14/02141/',
    ])
    element.attributes = [
      ...element.attributes.filter(([name]) => name !== 'xmlns'),
      ['xmlns', namespace],
    ]
    return `${element.name} in ${namespace || 'no namespace'}`
  },
  function prefixes(root) {
    const namespace = root.attributes.find(([name]) => name === 'xmlns')
    if (namespace === undefined) return 'kept without a prefix'
    namespace[0] = 'xmlns:own'
    for (const { element } of walk(root)) element.name = `own:${element.name}`
    return 'all elements with a prefix'
  },
]

/** Half of all changes are in values, since there are more ways to be wrong. */
const KINDS = [STRUCTURE, STRUCTURE, CONTENT, CONTENT, CONTENT, ATTRIBUTES]

/** Changes the document in one random way and describes the change. */
export function mutate(root: Element, draw: Draw, material: Material): string {
  if (isLeaf(root)) return 'nothing left to change'
  return draw.pick(draw.pick(KINDS))(root, draw, material)
}
