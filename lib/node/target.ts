import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EnvironmentId } from '../../contract/environments.ts'
import type { Capability } from '../../contract/types.ts'
import type { Client } from '../client.ts'
import { standaloneCheck } from './schema.ts'
import { targetSchema } from './target-schema.ts'

/** The service under test, its secrets read and its paths made absolute. */
export interface TargetProfile {
  /** With the version prefix, no slash at the end. */
  readonly url: string
  readonly name?: string
  readonly dialect?: string
  readonly environment?: EnvironmentId
  readonly management?: string
  readonly contexts?: readonly TargetContext[]
  readonly capabilities?: readonly Capability[]
  /** Gap -> whether its assumption holds there. `true` for all of them at once. */
  readonly assumptions?: true | Readonly<Record<string, unknown>>
  readonly rateFactor?: number
  readonly addresses?: readonly string[]
  /** The same service in other environments. */
  readonly elsewhere?: Readonly<Partial<Record<EnvironmentId, TargetProfile>>>
}

export interface TargetContext {
  readonly kind: 'Nip' | 'InternalId' | 'NipVatUe'
  readonly value: string
  readonly token?: string
  /** Paths of PEM files. */
  readonly certificate?: string
  readonly key?: string
}

/** The target is not described as it must be; the message says what is wrong and what to write. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

export interface TargetSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Directory that a relative path starts from. */
  readonly cwd: string
}

const check = standaloneCheck(targetSchema)

/**
 * Reads what `--target` names: an address, or the path of a profile.
 * @throws {TargetError} when it cannot be read, is not valid, or a secret is missing
 */
export function readTarget(given: string, surroundings: TargetSurroundings): TargetProfile {
  if (/^https?:\/\//.test(given)) return { url: given.replace(/\/+$/, '') }
  const path = resolve(surroundings.cwd, given)
  if (!existsSync(path)) {
    throw new TargetError(`${given} is neither an address (http://...) nor a file that exists`)
  }
  let profile: unknown
  try {
    profile = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new TargetError(`${path} is no JSON: ${(cause as Error).message}`, { cause })
  }
  return resolveProfile(profile, path, surroundings.env)
}

/**
 * A profile with its secrets read and its paths made absolute. `path` is where it was found.
 * @throws {TargetError} when it is not valid, or a secret is missing
 */
export function resolveProfile(
  profile: unknown,
  path: string,
  env: TargetSurroundings['env'],
): TargetProfile {
  const problems = check(profile)
  if (problems.length > 0) {
    throw new TargetError(
      `${path} is no target profile:\n${problems.map((p) => `  ${p}`).join('\n')}`,
    )
  }
  return resolved(profile as Written, { from: dirname(path), env })
}

interface Place {
  /** Directory that a relative path starts from. */
  readonly from: string
  readonly env: TargetSurroundings['env']
}

function resolved({ contexts, elsewhere, ...others }: Written, place: Place): TargetProfile {
  const { url } = others
  return {
    ...others,
    url: url.replace(/\/+$/, ''),
    ...(contexts && {
      contexts: contexts.map((context) => resolveContext(context, url, place)),
    }),
    ...(elsewhere && {
      elsewhere: Object.fromEntries(
        Object.entries(elsewhere).map(([environment, sibling]) => [
          environment,
          // What is said of the target holds for its siblings too, unless they say otherwise.
          { dialect: others.dialect, ...resolved(sibling, place), environment },
        ]),
      ),
    }),
  }
}

type Secret = string | { readonly env: string } | { readonly file: string }
type WrittenContext = Omit<TargetContext, 'token'> & { readonly token?: Secret }
type Written = Omit<TargetProfile, 'contexts' | 'elsewhere'> & {
  readonly contexts?: readonly WrittenContext[]
  readonly elsewhere?: Readonly<Record<string, Written>>
}

const loopback = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/

function resolveContext(
  { token, certificate, key, kind, value }: WrittenContext,
  url: string,
  { from, env }: Place,
): TargetContext {
  if (typeof token === 'string' && !loopback.test(url)) {
    throw new TargetError(
      `the token of ${kind} ${value} stands in the profile: write { "env": "NAME" } or { "file": "path" } instead`,
    )
  }
  return {
    kind,
    value,
    ...(token === undefined ? {} : { token: readSecret(token, from, env) }),
    ...(certificate === undefined ? {} : { certificate: existing(certificate, from) }),
    ...(key === undefined ? {} : { key: existing(key, from) }),
  }
}

function readSecret(secret: Secret, from: string, env: TargetSurroundings['env']): string {
  if (typeof secret === 'string') return secret
  if ('env' in secret) {
    const value = env[secret.env]
    if (value === undefined || value === '') {
      throw new TargetError(`the environment variable ${secret.env} is not set`)
    }
    return value
  }
  return readFileSync(existing(secret.file, from), 'utf8').trim()
}

function existing(file: string, from: string): string {
  const path = resolve(from, file)
  if (!existsSync(path)) throw new TargetError(`the profile names ${path}, which does not exist`)
  return path
}

/** What a look at a target found. */
export interface Probed {
  readonly capability: Capability
  readonly found: boolean
  /** What was asked and answered. */
  readonly because: string
}

/**
 * Looks for what a bare address does not declare. Only calls that change nothing: the bodies are empty.
 * Rejects when the target cannot be reached.
 */
export async function probeTarget(client: Client): Promise<Probed[]> {
  const { status } = await client.call('testdata.createSubject', { body: {} })
  const found = status !== 404 && status !== 405 && status < 500
  return [{ capability: 'testdata', found, because: `POST /testdata/subject answered ${status}` }]
}
