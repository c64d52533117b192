import { checkSimple } from './check.ts'
import { applyWhiteSpace, meaningOf } from './lexical.ts'
import type { IdentityConstraint, IdentityPath, IdentityStep, SimpleType } from './model.ts'

/** xsd:unique, xsd:key and xsd:keyref over a tree of elements. */

interface Named {
  readonly name: string
  readonly namespace?: string
}

/** The part of a tree that the constraints look at; documents that are read and documents that are made have it. */
export interface IdentityNode extends Named {
  readonly attributes: readonly (Named & { readonly value: string })[]
  readonly children?: readonly IdentityNode[]
  readonly content?: string | readonly IdentityNode[]
  readonly text?: string
}

/** A value that a field selects: of an element, or of an attribute. */
export type IdentityValue = IdentityNode | IdentityNode['attributes'][number]

const isAttribute = (value: IdentityValue): value is IdentityNode['attributes'][number] =>
  'value' in value

const childrenOf = ({ children, content }: IdentityNode): readonly IdentityNode[] =>
  children ?? (typeof content === 'string' ? [] : (content ?? []))

const textOf = (value: IdentityValue): string =>
  isAttribute(value)
    ? value.value
    : (value.text ?? (typeof value.content === 'string' ? value.content : ''))

const takes = ({ name, namespace }: IdentityStep, node: Named) =>
  (name === '*' || name === node.name) &&
  (namespace === undefined || namespace === (node.namespace ?? ''))

const andBelow = (node: IdentityNode): IdentityNode[] => [
  node,
  ...childrenOf(node).flatMap(andBelow),
]

/** What the alternatives of a path select from a node, each thing once. */
function select(from: IdentityNode, paths: readonly IdentityPath[]): IdentityValue[] {
  const found = new Set<IdentityValue>()
  for (const { anywhere, steps, attribute } of paths) {
    let nodes: readonly IdentityNode[] = anywhere ? andBelow(from) : [from]
    for (const step of steps) {
      nodes = nodes.flatMap((node) => childrenOf(node).filter((each) => takes(step, each)))
    }
    for (const node of nodes) {
      if (attribute === undefined) found.add(node)
      else for (const each of node.attributes) if (takes(attribute, each)) found.add(each)
    }
  }
  return [...found]
}

/** What a constraint selects: each target with the values of its fields, undefined where one is not there. */
export function tuplesOf<N extends IdentityNode>(
  node: N,
  { selector, fields }: IdentityConstraint,
): { readonly target: N; readonly values: readonly (IdentityValue | undefined)[] }[] {
  return select(node, selector)
    .filter((target): target is N => !isAttribute(target))
    .map((target) => ({ target, values: fields.map((field) => select(target, field)[0]) }))
}

/** What equal values of a type have in common. */
function sameOf(type: SimpleType | undefined, text: string): string {
  if (type === undefined) return text
  if (type.kind === 'atomic') return meaningOf(type.primitive, text)?.same ?? text
  if (type.kind === 'list') {
    return text
      .split(' ')
      .map((item) => sameOf(type.item, item))
      .join(' ')
  }
  const member = type.members.find((each) => checkSimple(each, text) === undefined)
  return sameOf(member, text)
}

/** The key of a tuple: equal where all values are, by their types where these are known. */
export function keyOf(
  values: readonly IdentityValue[],
  typeOf: (value: IdentityValue) => SimpleType | undefined = () => undefined,
): string {
  return JSON.stringify(
    values.map((value) => {
      const type = typeOf(value)
      const text = applyWhiteSpace(textOf(value), type?.facets.whiteSpace ?? 'collapse')
      return sameOf(type, text)
    }),
  )
}

const isComplete = (
  values: readonly (IdentityValue | undefined)[],
): values is readonly IdentityValue[] => !values.includes(undefined)

/** References after the keys that they refer to. */
export const inOrder = (constraints: readonly IdentityConstraint[]): IdentityConstraint[] => [
  ...constraints.filter(({ kind }) => kind !== 'keyref'),
  ...constraints.filter(({ kind }) => kind === 'keyref'),
]

/** Where constraints do not hold below a node. */
export function brokenIdentities<N extends IdentityNode>(
  node: N,
  constraints: readonly IdentityConstraint[],
  typeOf?: (value: IdentityValue) => SimpleType | undefined,
): { readonly target: N; readonly message: string; readonly constraint: IdentityConstraint }[] {
  const broken: { target: N; message: string; constraint: IdentityConstraint }[] = []
  const keys = new Map<string, Set<string>>()
  for (const constraint of inOrder(constraints)) {
    const { kind, name, refer } = constraint
    const seen = new Set<string>()
    keys.set(name, seen)
    for (const { target, values } of tuplesOf(node, constraint)) {
      const say = (message: string) => broken.push({ target, message, constraint })
      if (!isComplete(values)) {
        if (kind === 'key') say(`xsd:key ${name}: ${target.name} has no value for it`)
        continue
      }
      const key = keyOf(values, typeOf)
      const shown = values.map(textOf).join(', ')
      if (kind === 'keyref') {
        if (!keys.get(refer ?? '')?.has(key)) {
          say(`xsd:keyref ${name}: "${shown}" is not among the values of ${refer}`)
        }
      } else if (seen.has(key)) say(`xsd:${kind} ${name}: "${shown}" occurs twice`)
      seen.add(key)
    }
  }
  return broken
}
