import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import { readJsonFile } from './json-file.ts'
import { targetSchema } from './target-schema.ts'
import { isLoopback } from './target.ts'

/** What is careless about the secrets of a profile, seen from the file alone: no secret is read. */

export interface SecretRemark {
  /** `inside`: it is in the profile; `readable`: others can read its file; `production`: it is production's. */
  readonly kind: 'inside' | 'readable' | 'production'
  /** Path of the member, for example `contexts.0.key`. */
  readonly member: string
  readonly found: string
  readonly advice: string
}

type Place = { readonly member: string; readonly value: unknown }

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Every member of a document with its path. */
const membersOf = function* (value: unknown, path: readonly string[] = []): Generator<Place> {
  if (path.length > 0) yield { member: path.join('.'), value }
  if (!isNode(value)) return
  for (const [name, inner] of Object.entries(value)) yield* membersOf(inner, [...path, name])
}

/** Texts that are secrets, wherever they stand. */
const secretTexts: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['a JSON Web Token', /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/],
  ['a service token', /^\d{8}-EC-[0-9A-F]{10}-[0-9A-F]{10}-[0-9A-F]{2}\|/],
  ['an address with a password', /^https?:\/\/[^/@\s]*:[^/@\s]+@/],
]

/** Headers whose values authenticate. */
const secretHeader =
  /^headers\.(?:authorization|proxy-authorization|cookie|.*(?:token|secret|api-?key|password).*)$/i

const inside = ({ member, value }: Place): SecretRemark[] => {
  if (typeof value !== 'string') return []
  const what = secretHeader.test(member)
    ? 'the value of a header that authenticates'
    : secretTexts.find(([, pattern]) => pattern.test(value))?.[0]
  if (what === undefined) return []
  const found = `${what} is written in the profile`
  const advice =
    'write { "env": "NAME" } or { "file": "path" } in its place, and replace the secret: who has the profile has it'
  return [{ kind: 'inside', member, found, advice }]
}

/** Members whose files are secrets, written as `{ "file": ... }` or, for keys, as a path. */
const secretFile =
  /(?:^|\.)(?:(?:key|pkcs12)(?:\.file)?|(?:token|passphrase)\.file|headers\.[^.]+\.file)$/

const readableByOthers = 0o004

const readable = ({ member, value }: Place, from: string): SecretRemark[] => {
  if (typeof value !== 'string' || !secretFile.test(member) || process.platform === 'win32')
    return []
  const file = resolve(from, value)
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & readableByOthers) === 0) return []
  const found = `${value} can be read by every user of this machine (mode ${(mode & 0o777).toString(8)})`
  return [{ kind: 'readable', member, found, advice: `chmod 600 ${file}` }]
}

const ofProduction = /(?:^|[^a-z])(?:prod|production|prd)(?:[^a-z]|$)/i

/** Names of variables and files, by which secrets can be told apart. */
const nameOf = ({ member, value }: Place): string | undefined =>
  typeof value === 'string' && /\.(?:env|file|key|pkcs12|certificate)$/.test(member)
    ? value
    : undefined

/** Names that the production part of the profile uses. */
const productionNames = (profile: Readonly<Record<string, unknown>>): ReadonlySet<string> => {
  const elsewhere = isNode(profile['elsewhere']) ? profile['elsewhere'] : {}
  return new Set([...membersOf(elsewhere['production'])].flatMap((place) => nameOf(place) ?? []))
}

const misplaced = (
  place: Place,
  environment: string,
  used: ReadonlySet<string>,
): SecretRemark[] => {
  const name = nameOf(place)
  if (name === undefined || !place.member.startsWith('contexts.')) return []
  const both = used.has(name)
  if (!both && !ofProduction.test(name.split('/').at(-1) ?? '')) return []
  const found = both
    ? `${name} is the credential of production too`
    : `${name} is named like a credential of production`
  const advice = `use a separate credential for ${environment}: one that leaks there opens production`
  return [{ kind: 'production', member: place.member, found, advice }]
}

/**
 * Remarks on the secrets of a profile.
 * @param environment of the service, as stated or recognized
 * @throws {JsonFileError} when it cannot be read or is not a profile
 */
export const secretRemarks = (path: string, environment: string): SecretRemark[] => {
  const profile = readJsonFile({
    path,
    what: 'a target profile',
    schema: targetSchema,
  }) as Readonly<Record<string, unknown>>
  const places = [...membersOf(profile)]
  const files = places.flatMap((place) => readable(place, dirname(path)))
  // The credentials of a reference on this machine open nothing else.
  if (isLoopback(String(profile['url']))) return files
  const used = productionNames(profile)
  return [
    ...places.flatMap(inside),
    ...files,
    ...(environment === 'production'
      ? []
      : places.flatMap((place) => misplaced(place, environment, used))),
  ]
}
