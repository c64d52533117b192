import type { Broken } from './check.ts'
import { checkSimple } from './check.ts'
import { brokenIdentities } from './identity.ts'
import { applyWhiteSpace } from './lexical.ts'
import { matchChildren, namesIn } from './matching.ts'
import type { Matched } from './matching.ts'
import type { ComplexType, ElementParticle, Schema, SimpleType, Type } from './model.ts'
import { isDerivedFrom, isSimple } from './model.ts'
import { listed, objectionTo, quoted } from './objection.ts'
import type { Place, ReadAttribute, ReadElement } from './read-document.ts'
import { allowsNamespace } from './wildcard.ts'

/** One objection to a document. */
export interface Problem extends Place {
  /** Such as `Faktura/Fa/FaWiersz[2]/P_11` or `…/KodFormularza/@kodSystemowy`. */
  readonly path: string
  readonly kind:
    | 'root'
    | 'unexpected'
    | 'missing'
    | 'value'
    | 'fixed'
    | 'text'
    | 'attribute-missing'
    | 'attribute-unknown'
    | 'type'
    | 'repeated'
  readonly message: string
  /** What could stand there. */
  readonly expected?: readonly string[]
  readonly facet?: Broken
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

/** A document under validation. */
interface Validation {
  readonly schema: Schema
  readonly problems: Problem[]
}

function add(
  { problems }: Validation,
  { line, column }: Place,
  path: string,
  kind: Problem['kind'],
  message: string,
  more: Pick<Problem, 'expected' | 'facet'> = {},
): void {
  problems.push({ line, column, path, kind, message, ...more })
}

/** Text against a simple type and a fixed value. */
function value(
  run: Validation,
  node: ReadElement,
  path: string,
  type: SimpleType,
  fixed: string | undefined,
): void {
  const [inner] = node.children
  if (inner) {
    const message = `${node.name} has text and no elements, but ${inner.name} is inside`
    add(run, inner, `${path}/${inner.name}`, 'unexpected', message)
    return
  }
  // An empty element takes the fixed value.
  if (fixed !== undefined && node.text === '') return
  simpleText(run, node, path, type, node.text, fixed)
}

function simpleText(
  run: Validation,
  place: Place,
  path: string,
  type: SimpleType,
  text: string,
  fixed: string | undefined,
): void {
  const facet = checkSimple(type, text)
  if (facet) add(run, place, path, 'value', objectionTo(type, facet, text), { facet })
  else if (fixed !== undefined && text !== fixed) {
    const message = `${quoted(text)} is not "${fixed}", the only value that the schema allows`
    add(run, place, path, 'fixed', message, { expected: [fixed] })
  }
}

const schemaLocations = new Set(['schemaLocation', 'noNamespaceSchemaLocation'])

function attributes(run: Validation, node: ReadElement, path: string, type: Type): void {
  const declaring = type.kind === 'complex' ? type : undefined
  const uses = declaring?.attributes ?? []
  const same = (a: ReadAttribute, b: { name: string; namespace: string }) =>
    a.name === b.name && a.namespace === b.namespace
  for (const each of node.attributes) {
    if (each.namespace === instanceNamespace && schemaLocations.has(each.name)) continue
    // xsi:type and xsi:nil are read where the type of the element is decided.
    if (each.namespace === instanceNamespace && ['type', 'nil'].includes(each.name)) continue
    const at = `${path}/@${each.name}`
    const use = uses.find((candidate) => same(each, candidate))
    if (use) simpleText(run, node, at, use.type, each.value, use.fixed)
    else if (!declaring?.anyAttribute || !allowsNamespace(declaring.anyAttribute, each.namespace)) {
      add(run, node, at, 'attribute-unknown', `attribute ${each.name} is not declared here`)
    }
  }
  for (const use of uses) {
    if (use.required && !node.attributes.some((each) => same(each, use))) {
      add(
        run,
        node,
        `${path}/@${use.name}`,
        'attribute-missing',
        `attribute ${use.name} is missing`,
      )
    }
  }
}

/** The expected elements after which the element that was found would be allowed. */
const between = (
  content: ComplexType['content'],
  children: readonly ReadElement[],
  { expected, count }: Matched,
): string[] => {
  const rest = children[count]
  if (rest === undefined || !content || isSimple(content)) return []
  const before = children.slice(0, count)
  return expected.filter(
    (name) => matchChildren(content, [...before, { ...rest, name }, rest]).count === count + 2,
  )
}

/** What is wrong with the first child that the content model does not take, or with the end of the children. */
function misplaced(
  run: Validation,
  node: ReadElement,
  path: string,
  matched: Matched,
  content: ComplexType['content'],
  paths: ReadonlyMap<ReadElement, string>,
): void {
  const { required, expected, count, declarations } = matched
  const rest = node.children[count]
  const likely = between(content, node.children, matched)
  const wanted = likely.length > 0 ? likely : required
  const missing = `${listed(wanted, ' or ')} is missing`
  if (!rest) {
    const where = count > 0 ? `after ${node.children[count - 1]!.name}` : `in ${node.name}`
    add(run, node, path, 'missing', `${missing} ${where}`, { expected })
    return
  }
  const known = content && !isSimple(content) && namesIn(content).has(rest.name)
  const before = node.children[count - 1]
  const could = expected.length > 0 ? `; expected ${listed(expected, ' or ')}` : ''
  // What comes later is not missing: what stands here came too early.
  const comesLater = node.children.slice(count + 1).some(({ name }) => wanted.includes(name))
  const [kind, message] = !known
    ? (['unexpected', `${rest.name} is not declared in ${node.name}${could}`] as const)
    : expected.includes(rest.name)
      ? ([
          'unexpected',
          `${rest.name} has the namespace "${rest.namespace}"; ${node.name} has "${node.namespace}"`,
        ] as const)
      : required.length > 0 && !comesLater
        ? (['missing', `${missing} before ${rest.name}`] as const)
        : before?.name === rest.name
          ? ([
              'unexpected',
              `${rest.name} occurs too often; at most ${declarations.get(before)?.max} ${declarations.get(before)?.max === 1 ? 'is' : 'are'} allowed`,
            ] as const)
          : ([
              'unexpected',
              `${rest.name} is out of order${before ? ` after ${before.name}` : ''}${could}`,
            ] as const)
  add(run, rest, paths.get(rest)!, kind, message, { expected })
}

function complex(
  run: Validation,
  node: ReadElement,
  path: string,
  type: ComplexType,
  fixed: string | undefined,
): void {
  attributes(run, node, path, type)
  const { content } = type
  if (content && isSimple(content)) {
    value(run, node, path, content, fixed)
    return
  }
  if (!type.mixed && /[^ \t\r\n]/.test(node.text)) {
    add(run, node, path, 'text', `${node.name} has elements and no text, but text is inside`)
  }
  const matched = matchChildren(content, node.children)
  const paths = childPaths(node, path)
  if (!matched.complete || matched.count < node.children.length) {
    misplaced(run, node, path, matched, content, paths)
  }
  for (const [inner, particle] of matched.declarations) {
    element(run, inner, paths.get(inner)!, particle)
  }
}

/** The type that a name such as `tns:TKwotowy` refers to at a node. */
function typeNamed({ schema }: Validation, { scope }: ReadElement, name: string): Type | undefined {
  const [, prefix = '', local = ''] =
    /^(?:([^:]*):)?([^:]*)$/.exec(applyWhiteSpace(name, 'collapse')) ?? []
  return schema.typeNamed(scope[prefix] ?? '', local)
}

/** The type of an element: the declared one, or one derived from it that xsi:type names. */
function typeOf(
  run: Validation,
  node: ReadElement,
  path: string,
  declared: Type,
): Type | undefined {
  const named = node.attributes.find(
    ({ name, namespace }) => name === 'type' && namespace === instanceNamespace,
  )
  if (!named) return declared
  const type = typeNamed(run, node, named.value)
  if (type && isDerivedFrom(type, declared)) return type
  const what =
    declared.name === undefined ? 'the declared type' : `the declared type ${declared.name}`
  const message = type
    ? `xsi:type ${quoted(named.value)} is not derived from ${what}`
    : `xsi:type ${quoted(named.value)} names no type of the schema`
  add(run, node, `${path}/@type`, 'type', message)
  return undefined
}

function element(
  run: Validation,
  node: ReadElement,
  path: string,
  particle: ElementParticle,
): void {
  if (particle.wildcard) {
    const found = run.schema.elementNamed(node.namespace, node.name)
    if (found && particle.wildcard.process !== 'skip') element(run, node, path, found)
    else if (particle.wildcard.process === 'strict') {
      add(run, node, path, 'unexpected', `${node.name} is not declared in any schema that is known`)
    }
    return
  }
  const nil = node.attributes.find(
    ({ name, namespace }) => name === 'nil' && namespace === instanceNamespace,
  )
  if (nil && !particle.nillable) {
    add(run, node, `${path}/@nil`, 'attribute-unknown', `xsi:nil is not allowed on ${node.name}`)
    return
  }
  if (nil && /^\s*(?:true|1)\s*$/.test(nil.value) && node.children.length === 0) return
  const type = typeOf(run, node, path, particle.type())
  if (type === undefined) return
  if (type.kind === 'complex') complex(run, node, path, type, particle.fixed)
  else {
    attributes(run, node, path, type)
    value(run, node, path, type, particle.fixed)
  }
  for (const { target, message } of brokenIdentities(node, particle.identities)) {
    add(run, target, `${path}/${target.name}`, 'repeated', message)
  }
}

/** Validates a document that was read. Deterministic content models only, as XML Schema demands. */
export function validate(schema: Schema, root: ReadElement): Problem[] {
  const run: Validation = { schema, problems: [] }
  const declared = schema.roots.get(root.name)
  if (!declared || root.namespace !== declared.namespace) {
    const expected = [...schema.roots.values()].map(
      ({ name, namespace }) => `{${namespace}}${name}`,
    )
    const message = `{${root.namespace}}${root.name} is not a root element of the schema; expected ${listed(expected, ' or ')}`
    add(run, root, root.name, 'root', message, { expected })
  } else element(run, root, root.name, declared)
  return run.problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function childPaths(node: ReadElement, path: string): Map<ReadElement, string> {
  const seen = new Map<string, number>()
  return new Map(
    node.children.map((each) => {
      const nth = (seen.get(each.name) ?? 0) + 1
      seen.set(each.name, nth)
      return [each, `${path}/${each.name}${nth > 1 ? `[${nth}]` : ''}`]
    }),
  )
}
