/** A document as it was read: every element with its line and column. */

export interface Place {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
}

export interface ReadAttribute {
  readonly name: string
  readonly namespace: string
  readonly value: string
}

export interface ReadElement extends Place {
  /** Local name. */
  readonly name: string
  readonly prefix: string
  readonly namespace: string
  readonly attributes: readonly ReadAttribute[]
  readonly children: readonly ReadElement[]
  /** All character data directly inside, entities and CDATA resolved. */
  readonly text: string
  /** Prefix -> namespace, `''` for the default one. */
  readonly scope: Readonly<Record<string, string>>
}

export interface ReadDocument {
  readonly root: ReadElement
  /** Encoding named by the declaration, as written. */
  readonly encoding?: string
  readonly version?: string
  readonly instructions: readonly (Place & { readonly target: string })[]
  /** Names of namespaces that are no URI. */
  readonly oddNamespaces: readonly (Place & { readonly namespace: string })[]
}

/** The text is not well-formed, or has a document type declaration. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
  readonly line: number
  readonly column: number

  constructor(message: string, { line, column }: Place) {
    super(`${message} (line ${line}, column ${column})`)
    this.line = line
    this.column = column
  }
}
