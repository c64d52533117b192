import type { XsdValidator } from 'libxml2-wasm'
import type { Pair } from './schemas.ts'
import type { Trial } from './tally.ts'
import { clone, isLeaf, parse, serialise, textOf, walk } from './tree.ts'
import type { Element } from './tree.ts'
import { DISGUISES, VALUES } from './values.ts'
import { compare } from './verdict.ts'

interface Place {
  path: string
  element: Element
  parent: Element
}

/** One place for each path of names. */
function distinctPlaces(root: Element): Place[] {
  const paths = new Map<Element, string>([[root, root.name]])
  const places = new Map<string, Place>()
  for (const { element, parent } of walk(root)) {
    if (parent === undefined) continue
    const path = `${paths.get(parent)}/${element.name}`
    paths.set(element, path)
    if (!places.has(path)) places.set(path, { path, element, parent })
  }
  return [...places.values()]
}

function distinctLeaves(root: Element): Place[] {
  return distinctPlaces(root).filter(({ element }) => isLeaf(element))
}

/** Values of enumerations and fixed values of both schemas. */
export function codesOf({ own, published }: Pair): string[] {
  const codes = (own + published).matchAll(/(?:<xsd:enumeration value|fixed)="([^"]*)"/g)
  return [...new Set([...codes].map(([, code = '']) => code))]
}

/** Takes out elements behind others of their name, unless something wanted is in them. */
function dropCopies(parent: Element, wanted: ReadonlySet<Element>): void {
  const names = new Set<string>()
  parent.children = parent.children.filter((child) => {
    if (typeof child === 'string') return true
    dropCopies(child, wanted)
    const first = !names.has(child.name) && names.add(child.name)
    return first || [...walk(child)].some(({ element }) => wanted.has(element))
  })
}

/** Every value, in one place of each simple type at once. */
export function* valuesOfTypes(pair: Pair): Generator<Trial> {
  const typeOf = new Map<string, string>()
  for (const [, attributes = ''] of pair.own.matchAll(/<xsd:element\s([^>]*)>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(attributes) ?? []
    const [, type] = / type="([^"]*)"/.exec(` ${attributes}`) ?? []
    // A fixed value hides what its type allows.
    if (type !== undefined && !attributes.includes('fixed=')) typeOf.set(name, type)
  }
  const seen = new Set<string>()
  for (const seed of pair.seeds) {
    const wanted = distinctLeaves(parse(seed)).filter(({ path, element }) => {
      const type = typeOf.get(element.name) ?? path
      return !seen.has(type) && seen.add(type)
    })
    const paths = new Set(wanted.map(({ path }) => path))
    if (paths.size === 0) continue
    const root = parse(seed)
    const places = new Set(
      distinctLeaves(root)
        .filter(({ path }) => paths.has(path))
        .map(({ element }) => element),
    )
    dropCopies(root, places)
    for (const value of [...VALUES, ...codesOf(pair)]) {
      for (const element of places) element.children = [value]
      yield {
        made: `one place of each type = ${JSON.stringify(value.slice(0, 60))}`,
        xml: serialise(root),
      }
    }
  }
}

/** Few values, but in all places, to tell the types apart. */
const PROBES = `
  1 2 3 5 9 11 100.5 0.123456 0.12345678 2006-01-01 1990-01-01 2016-07-01 2026-06-15T00:00:00Z PL EL XI XCG 5265877635
  5265877635-12346 VAT 23 GTU_01 IED I_42 B_SPV 123456785 0000123456 BREXPLPW a@b 9999999999999999.99
  5265877635-20260615-0100001AF629-AF
`
  .trim()
  .split(/\s+/)
  .concat([0, 10, 14, 17, 21, 34, 51, 257, 513].map((length) => 'X'.repeat(length)))

/** A few values and disguises of the present value, in all places at once. */
export function* valuesOfPlaces(pair: Pair): Generator<Trial> {
  const changes = [...PROBES.map((probe) => () => probe), ...DISGUISES]
  for (const seed of pair.seeds) {
    for (const [index, change] of changes.entries()) {
      const root = parse(seed)
      for (const { element } of distinctLeaves(root)) element.children = [change(textOf(element))]
      yield { made: `change ${index} in all places`, xml: serialise(root) }
    }
  }
}

/** Each place on its own: taken out, doubled, moved behind its neighbour, emptied. */
export function* eachPlace(pair: Pair): Generator<Trial> {
  const seen = new Set<string>()
  for (const seed of pair.seeds) {
    const root = parse(seed)
    for (const { path, element, parent } of distinctPlaces(root)) {
      const siblings = parent.children
      const names = siblings.map((child) => (typeof child === 'string' ? '' : child.name))
      const situation = [path, ...names.filter((name) => name !== '')].join(' ')
      if (seen.has(situation)) continue
      seen.add(situation)
      const at = siblings.indexOf(element)
      const next = siblings.findIndex((child, index) => index > at && typeof child !== 'string')
      const arrangements: [string, (Element | string)[]][] = [
        ['removed', siblings.toSpliced(at, 1)],
        ['doubled', siblings.toSpliced(at, 0, element)],
        ['last', [...siblings.toSpliced(at, 1), element]],
        ['emptied', siblings.with(at, { ...element, children: [] })],
      ]
      if (element.attributes.length > 0) {
        const bare = { ...element, attributes: [] }
        arrangements.push(['without attributes', siblings.with(at, bare)])
      }
      if (next > 0) {
        const neighbour = siblings[next] ?? ''
        arrangements.push(['moved', siblings.with(at, neighbour).with(next, element)])
      }
      for (const [what, children] of arrangements) {
        parent.children = children
        yield { made: `${path} ${what}`, xml: serialise(root) }
      }
      parent.children = siblings
    }
  }
}

/** Bounds of repetition that either schema declares, by the name of the element. */
function boundsOf({ own, published }: Pair): Map<string, Set<number>> {
  const bounds = new Map<string, Set<number>>()
  const declarations = (own + published).matchAll(/<xsd:element\s([^>]*?)maxOccurs="(\d+)"/g)
  for (const [, attributes = '', bound] of declarations) {
    const name = /name="([^"]*)"/.exec(attributes)?.[1] ?? ''
    bounds.set(name, (bounds.get(name) ?? new Set()).add(Number(bound)))
  }
  return bounds
}

/** Removes what the schema does not require, so that many copies make a small document. */
function shrink(root: Element, element: Element, schema: XsdValidator): void {
  for (const child of element.children) {
    const before = element.children
    element.children = before.filter((other) => other !== child)
    const left = compare(serialise(root), schema, schema)
    if (left === undefined || left.own.length > 0) element.children = before
  }
}

/** As many of each repeatable element as allowed, and one more. */
export function* repetitions(pair: Pair, schema: XsdValidator): Generator<Trial> {
  const limits = boundsOf(pair)
  const seen = new Set<string>()
  for (const seed of pair.seeds) {
    for (const { path } of distinctPlaces(parse(seed))) {
      const root = parse(seed)
      const place = distinctPlaces(root).find((candidate) => candidate.path === path)
      const declared = limits.get(place?.element.name ?? '')
      if (place === undefined || declared === undefined || seen.has(path)) continue
      seen.add(path)
      const { element, parent } = place
      parent.children = parent.children.filter(
        (child) => child === element || typeof child === 'string' || child.name !== element.name,
      )
      shrink(root, element, schema)
      const at = parent.children.indexOf(element)
      const alone = parent.children
      for (const count of [...declared].flatMap((bound) => [bound, bound + 1])) {
        parent.children = alone.toSpliced(at, 1, ...Array.from({ length: count }, () => element))
        yield { made: `${count} times ${path}`, xml: numberApart(serialise(root)) }
      }
    }
  }
}

/** Gives every copy a number of its own where receipts ask for that. */
function numberApart(xml: string): string {
  let number = 0
  return xml.replaceAll('0100001AF629', () => {
    number += 1
    return number.toString(16).toUpperCase().padStart(12, '0')
  })
}

/** Whole documents as they are. */
export function* untouched({ seeds, samples }: Pair): Generator<Trial> {
  for (const [index, xml] of [...seeds, ...samples].entries()) {
    yield { made: `document ${index}`, xml }
  }
}

/** A copy of every element of the documents, to be put in elsewhere. */
export function donorsOf(documents: readonly Element[]): Element[] {
  return documents.flatMap((root) => [...walk(root)].map(({ element }) => clone(element)))
}
