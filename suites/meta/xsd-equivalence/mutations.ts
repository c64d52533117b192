import type { Random } from './random.ts'
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

type Mutation = (root: Element, random: Random, material: Material) => string

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const BUILT_IN =
  'string token normalizedString decimal integer byte int date dateTime boolean anyType'

/** The name decides first, so that a repeated element is not chosen more often than others. */
function pickElement(
  root: Element,
  random: Random,
  wanted: (element: Element) => boolean = () => true,
): Element {
  const all = [...walk(root)].map(({ element }) => element)
  const found = all.some(wanted) ? all.filter(wanted) : all
  const name = random.pick([...new Set(found.map((element) => element.name))])
  return random.pick(found.filter((element) => element.name === name))
}

function pickPlace(root: Element, random: Random): Place {
  const element = pickElement(root, random, (candidate) => candidate !== root)
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
function pickName(parent: string, random: Random, { donors }: Material): string {
  const known = donors.filter(({ name }) => name === parent).flatMap(childElements)
  const source = known.length > 0 && random.below(4) > 0 ? known : donors
  return random.pick([...new Set(source.map(({ name }) => name))])
}

function pickDonor(parent: string, random: Random, material: Material): Element {
  const name = pickName(parent, random, material)
  return clone(random.pick(material.donors.filter((donor) => donor.name === name)))
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
  function remove(root, random) {
    const { element, parent, index } = pickPlace(root, random)
    parent.children.splice(index, 1)
    return `${element.name} removed`
  },
  function repeat(root, random) {
    const { element, parent, index } = pickPlace(root, random)
    const copies = random.pick([1, 1, 1, 2, 3, 9, 10, 19, 20, 30, 31, 99, 100, 101])
    parent.children.splice(index, 0, ...Array.from({ length: copies }, () => clone(element)))
    return `${element.name} repeated ${copies} times`
  },
  function swapNeighbours(root, random) {
    const { element, parent } = pickPlace(root, random)
    const siblings = childElements(parent)
    const other = random.pick(siblings)
    const [here, there] = [parent.children.indexOf(element), parent.children.indexOf(other)]
    parent.children[here] = other
    parent.children[there] = element
    return `${element.name} and ${other.name} swapped`
  },
  function rename(root, random, material) {
    const { element, parent } = pickPlace(root, random)
    const name = pickName(parent.name, random, material)
    const before = element.name
    element.name = random.below(20) === 0 ? before.toLowerCase() : name
    return `${before} renamed to ${element.name}`
  },
  function insert(root, random, material) {
    const parent = pickElement(root, random, (element) => !isLeaf(element) || random.below(9) === 0)
    const donor = pickDonor(parent.name, random, material)
    const at = random.below(parent.children.length + 1)
    parent.children.splice(at, 0, donor)
    return `${donor.name} inserted into ${parent.name} at ${at}`
  },
  function replace(root, random, material) {
    const { element, parent, index } = pickPlace(root, random)
    const donor = pickDonor(parent.name, random, material)
    parent.children[index] = donor
    return `${element.name} replaced by ${donor.name}`
  },
  function move(root, random) {
    const { element, parent, index } = pickPlace(root, random)
    parent.children.splice(index, 1)
    const target = pickElement(root, random)
    target.children.splice(random.below(target.children.length + 1), 0, element)
    return `${element.name} moved from ${parent.name} to ${target.name}`
  },
  function empty(root, random) {
    const element = pickElement(root, random)
    element.children = []
    return `${element.name} emptied`
  },
  function keepOneChild(root, random) {
    const element = pickElement(root, random, (candidate) => !isLeaf(candidate))
    const children = childElements(element)
    if (children.length > 0) element.children = [random.pick(children)]
    return `${element.name} reduced to one child`
  },
  function unwrap(root, random) {
    const { element, parent, index } = pickPlace(root, random)
    parent.children.splice(index, 1, ...element.children)
    return `${element.name} unwrapped`
  },
  function addText(root, random) {
    const element = pickElement(root, random, (candidate) => !isLeaf(candidate))
    const text = random.pick([
      'text',
      ' ',
      '&#160;',
      '<![CDATA[ ]]>',
      '<!-- note -->',
      '<?target?>',
    ])
    element.children.splice(random.below(element.children.length + 1), 0, text)
    return `${text} among the children of ${element.name}`
  },
]

const CONTENT: Mutation[] = [
  function value(root, random) {
    return setText(pickElement(root, random, isLeaf), random.pick(VALUES))
  },
  function code(root, random, { codes }) {
    return setText(pickElement(root, random, isLeaf), random.pick(codes))
  },
  function disguise(root, random) {
    const element = pickElement(root, random, isLeaf)
    return setText(element, random.pick(DISGUISES)(textOf(element)))
  },
  function valueOfAnother(root, random, { donors }) {
    const element = pickElement(root, random, isLeaf)
    return setText(element, textOf(random.pick(donors.filter(isLeaf))))
  },
]

const ATTRIBUTES: Mutation[] = [
  function type(root, random, { types }) {
    const element = pickElement(root, random)
    if (random.below(4) > 0) {
      element.attributes.push([
        'xmlns:doc',
        root.attributes.find(([name]) => name === 'xmlns')?.[1] ?? '',
      ])
      return setInstanceAttribute(element, 'type', `doc:${random.pick(types)}`)
    }
    element.attributes.push(['xmlns:xsd', 'http://www.w3.org/2001/XMLSchema'])
    return setInstanceAttribute(element, 'type', `xsd:${random.pick(BUILT_IN.split(' '))}`)
  },
  function nil(root, random) {
    const element = pickElement(root, random)
    if (random.below(2) === 0) element.children = []
    return setInstanceAttribute(element, 'nil', random.pick(['true', 'false', '1', 'maybe']))
  },
  function add(root, random) {
    const element = pickElement(root, random)
    const name = random.pick([
      'Typ',
      'kodSystemowy',
      'wersjaSchemy',
      'id',
      'xml:lang',
      'xml:space',
      'class',
    ])
    if (element.attributes.some(([present]) => present === name)) return `${element.name} kept`
    element.attributes.push([name, random.pick(['', 'txt', 'pl', 'preserve', '4-3', 'FA (3)'])])
    return `${element.name} ${name} added`
  },
  function change(root, random, { codes }) {
    const element = pickElement(root, random, ({ attributes }) => attributes.length > 0)
    if (element.attributes.length === 0) return `${element.name} kept`
    const attribute = random.pick(element.attributes)
    attribute[1] = random.below(2) === 0 ? random.pick(DISGUISES)(attribute[1]) : random.pick(codes)
    if (/[<>]/.test(attribute[1])) attribute[1] = ''
    return `${element.name} ${attribute[0]} = ${JSON.stringify(attribute[1])}`
  },
  function drop(root, random) {
    const element = pickElement(root, random, ({ attributes }) => attributes.length > 0)
    const [name] = element.attributes.splice(random.below(element.attributes.length), 1)[0] ?? ['']
    return `${element.name} ${name} dropped`
  },
  function otherNamespace(root, random) {
    const element = pickElement(root, random)
    const namespace = random.pick([
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

/** Changes the document in one random way and tells what was done. */
export function mutate(root: Element, random: Random, material: Material): string {
  if (isLeaf(root)) return 'nothing left to change'
  return random.pick(random.pick(KINDS))(root, random, material)
}
