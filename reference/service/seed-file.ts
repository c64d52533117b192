import { schemas } from '../../contract/schemas.ts'
import type { Permission } from '../../contract/types.ts'
import { permissions } from '../../contract/types.ts'
import { contextFits } from '../model/context-form.ts'
import type { ContextIdentifier, SubjectIdentifier } from '../model/entities.ts'
import { createValidator } from '../http/validate.ts'

/** A context to be created. */
export interface Seed {
  /** NIP of the context; drawn from the seed when absent. */
  readonly value?: string
  readonly algorithm?: 'RSA' | 'P-256'
  /** What the token carries; everything that an owner may when absent. */
  readonly permissions?: readonly Permission[]
}

/** What a file preloads into a service at its start. */
export interface SeedFile {
  /** Contexts with an owner, a token and a certificate, as the one that is made without a file. */
  readonly contexts?: readonly Seed[]
  /** Who may do what in which context. */
  readonly permissions?: readonly {
    readonly context: ContextIdentifier
    readonly subject: SubjectIdentifier
    readonly permissions: readonly Permission[]
    readonly description?: string
  }[]
  /** Service tokens; the string is chosen by the service unless the file says it. */
  readonly tokens?: readonly {
    readonly context: ContextIdentifier
    readonly author?: SubjectIdentifier
    readonly permissions: readonly Permission[]
    readonly description?: string
    readonly token?: string
  }[]
}

const permissionList = {
  type: 'array',
  minItems: 1,
  uniqueItems: true,
  items: { enum: permissions },
} as const
const description = { type: 'string', minLength: 1, maxLength: 256 } as const
const context = { $ref: 'ContextIdentifier' } as const
const subject = { $ref: 'SubjectIdentifier' } as const

const entries = {
  contexts: {
    type: 'object',
    properties: {
      value: { $ref: 'Nip' },
      algorithm: { enum: ['RSA', 'P-256'] },
      permissions: permissionList,
    },
  },
  permissions: {
    type: 'object',
    required: ['context', 'subject', 'permissions'],
    properties: { context, subject, permissions: permissionList, description },
  },
  tokens: {
    type: 'object',
    required: ['context', 'permissions'],
    properties: {
      context,
      author: subject,
      permissions: permissionList,
      description,
      token: { type: 'string', minLength: 16, maxLength: 160, pattern: '^[!-~]+$' },
    },
  },
} as const

const validate = createValidator(schemas).compile({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(entries).map(([name, items]) => [name, { type: 'array', items }]),
  ),
})

/** Unknown names in the file, and identifiers without the form of their kind. */
const faults = (file: Readonly<Record<string, unknown>>): string[] => {
  const found = Object.keys(file)
    .filter((name) => name !== '$schema' && !(name in entries))
    .map((name) => `'${name}' is not known; known are ${Object.keys(entries).join(', ')}`)
  for (const [name, { properties }] of Object.entries(entries)) {
    const list = (file[name] ?? []) as Readonly<Record<string, unknown>>[]
    list.forEach((entry, at) => {
      for (const [field, value] of Object.entries(entry)) {
        const where = `${name}[${at}].${field}`
        if (!(field in properties)) found.push(`'${where}' is not known`)
        const identifier = value as ContextIdentifier
        if (['context', 'subject', 'author'].includes(field) && !contextFits(identifier))
          found.push(`'${where}.value' is no ${identifier.type}`)
      }
    })
  }
  return found
}

/** Everything that is wrong with what should be the content of a seed file. */
const faultsOf = (file: unknown): string[] => {
  const violations = validate(file).map(({ message }) => message)
  return violations.length > 0 ? violations : faults(file as Readonly<Record<string, unknown>>)
}

/** What is wrong with a context that is to be made, as an entry of a seed file would be. */
export const contextFaults = (entry: unknown): string[] =>
  faultsOf({ contexts: [entry] }).map((fault) => fault.replace(/contexts\[0\]\.?/, ''))

/**
 * Reads a seed file.
 * @param text JSON
 * @throws {Error} which says everything that is wrong with it
 */
export const readSeedFile = (text: string): SeedFile => {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (cause) {
    throw new Error(`it is not JSON: ${(cause as Error).message}`, { cause })
  }
  const wrong = faultsOf(file)
  if (wrong.length > 0) throw new Error(wrong.slice(0, 10).join('; '))
  return file as SeedFile
}
