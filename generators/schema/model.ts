/** What a schema says, resolved: no names left to look up, ready to be compiled. */

/** The built-in types that a generator knows how to fill; every other built-in is one of these with facets. */
export type Primitive =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'double'
  | 'date'
  | 'dateTime'
  | 'time'
  | 'gYear'
  | 'gYearMonth'
  | 'gMonthDay'
  | 'gDay'
  | 'gMonth'
  | 'duration'
  | 'anyURI'
  | 'hexBinary'
  | 'base64Binary'
  | 'QName'

export type WhiteSpace = 'preserve' | 'replace' | 'collapse'

/** The facets in force, those of all derivation steps together. */
export interface Facets {
  readonly whiteSpace: WhiteSpace
  /** One entry a derivation step; within a step any one pattern suffices. */
  readonly patterns: readonly (readonly string[])[]
  readonly enumeration?: readonly string[]
  readonly length?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minInclusive?: string
  readonly maxInclusive?: string
  readonly minExclusive?: string
  readonly maxExclusive?: string
  readonly totalDigits?: number
  readonly fractionDigits?: number
}

/** What all types have. */
interface Derived {
  /** The type that this one is derived from. */
  readonly base?: Type
}

export interface AtomicType extends Derived {
  readonly kind: 'atomic'
  /** A value that identifies an element of the document, or refers to such a value. */
  readonly id?: 'ID' | 'IDREF'
  /** Of a named type; absent for an anonymous one. */
  readonly name?: string
  readonly primitive: Primitive
  readonly facets: Facets
}

interface UnionType extends Derived {
  readonly kind: 'union'
  readonly name?: string
  readonly members: readonly SimpleType[]
  readonly facets: Facets
}

export interface ListType extends Derived {
  readonly kind: 'list'
  readonly name?: string
  readonly item: SimpleType
  readonly facets: Facets
}

export type SimpleType = AtomicType | UnionType | ListType

export interface AttributeUse {
  readonly name: string
  readonly namespace: string
  readonly type: SimpleType
  readonly required: boolean
  readonly fixed?: string
  /** Takes the attribute of a base away; not among those of a finished type. */
  readonly prohibited?: true
  readonly line: number
  readonly file: string
}

export interface ComplexType extends Derived {
  readonly kind: 'complex'
  readonly name?: string
  readonly attributes: readonly AttributeUse[]
  /** A simple type, a model group, or nothing. */
  readonly content: SimpleType | Group | undefined
  /** Text may stand between the elements. */
  readonly mixed?: true
  /** Other attributes that are allowed. */
  readonly anyAttribute?: Wildcard
}

/** xsd:any and xsd:anyAttribute. */
export interface Wildcard {
  readonly allowed: '##any' | '##other' | readonly string[]
  readonly targetNamespace: string
  readonly process: 'lax' | 'skip' | 'strict'
}

export type Type = SimpleType | ComplexType

/** Whether content or a type is simple. */
export function isSimple(content: SimpleType | Group | ComplexType): content is SimpleType {
  return content.kind === 'atomic' || content.kind === 'union' || content.kind === 'list'
}

export interface Occurs {
  readonly min: number
  /** `Infinity` where unbounded. */
  readonly max: number
}

/** One step of a path: `*` is any name; without a namespace, any namespace. */
export interface IdentityStep {
  readonly name: string
  readonly namespace?: string
}

/** A path of a selector or field, such as `.//a:Line/@id`. */
export interface IdentityPath {
  readonly anywhere: boolean
  readonly steps: readonly IdentityStep[]
  readonly attribute?: IdentityStep
}

/** xsd:unique, xsd:key or xsd:keyref; the alternatives of each path. */
export interface IdentityConstraint {
  readonly kind: 'unique' | 'key' | 'keyref'
  readonly name: string
  /** The key that a keyref refers to. */
  readonly refer?: string
  readonly selector: readonly IdentityPath[]
  readonly fields: readonly (readonly IdentityPath[])[]
  readonly line: number
  readonly file: string
}

export interface ElementParticle extends Occurs {
  readonly kind: 'element'
  readonly name: string
  readonly namespace: string
  readonly fixed?: string
  readonly identities: readonly IdentityConstraint[]
  /** The element is what a wildcard takes; its own name is one that a generator may write there. */
  readonly wildcard?: Wildcard
  readonly nillable?: true
  readonly line: number
  readonly file: string
  /** Resolved late, so that types may refer to each other. */
  readonly type: () => Type
}

export interface Group extends Occurs {
  readonly kind: 'sequence' | 'choice' | 'all'
  readonly particles: readonly Particle[]
  readonly line: number
  readonly column: number
}

export type Particle = ElementParticle | Group

export interface Schema {
  readonly targetNamespace: string
  /** The global elements, by name. */
  readonly roots: ReadonlyMap<string, ElementParticle>
  /** The named simple types, by name. */
  readonly simpleTypes: ReadonlyMap<string, () => SimpleType>
  /** A named type, as xsi:type refers to it. */
  readonly typeNamed: (namespace: string, name: string) => Type | undefined
  /** A global element, as a wildcard finds it. */
  readonly elementNamed: (namespace: string, name: string) => ElementParticle | undefined
}

/** Whether a type is another one, or derived from it. */
export function isDerivedFrom(type: Type, from: Type): boolean {
  return (
    type === from ||
    (type.name !== undefined && type.name === from.name && type.kind === from.kind) ||
    (type.base !== undefined && isDerivedFrom(type.base, from)) ||
    (from.kind === 'union' && from.members.some((member) => isDerivedFrom(type, member)))
  )
}

/** A construct outside the supported subset, or a schema that contradicts itself. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly line: number
  readonly file: string

  constructor(message: string, file: string, line: number) {
    super(`${file}:${line}: ${message}`)
    this.line = line
    this.file = file
  }
}
