import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { environments } from '../../contract/environments.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import type { Capability } from '../../contract/types.ts'
import { namesContexts } from '../consent.ts'
import type { Consent } from '../consent.ts'
import { consentSchema } from './consent-schema.ts'
import { JsonFileError, readJsonFile } from './json-file.ts'
import { SecretError, readBytes, readText } from './secret.ts'
import type { Secret, SecretSource } from './secret.ts'
import { CredentialsError, credentialsFromPem, credentialsFromPkcs12 } from './credentials.ts'
import type { PemPair } from './credentials.ts'
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
  /** Gap -> whether its assumption holds there. `true` for all of them. */
  readonly assumptions?: true | Readonly<Record<string, unknown>>
  readonly rateFactor?: number
  readonly addresses?: readonly string[]
  /** PEM certificates of the authorities that the target's TLS certificate is checked against, besides the usual. */
  readonly ca?: string
  /** Address of an HTTP proxy; `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` when absent. */
  readonly proxy?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for a whole exchange; 30,000 when absent. */
  readonly timeoutMs?: number
  /** Total time that a run may spend in longer waits for room within the rate limits, milliseconds; 0 when absent. */
  readonly patienceMs?: number
  /** Part of each rate limit that this run may use, above 0 and up to 1; 1 when absent. */
  readonly pacingShare?: number
  /** Path of the baseline of known failures. */
  readonly baseline?: string
  /** What the operator agreed to. */
  readonly consent?: Consent
  /** The same service in other environments. */
  readonly elsewhere?: Readonly<Partial<Record<EnvironmentId, TargetProfile>>>
  /** It is listed under `elsewhere` in another profile. */
  readonly sibling?: true
}

export interface TargetContext {
  readonly kind: 'Nip' | 'InternalId' | 'NipVatUe'
  readonly value: string
  readonly token?: string
  /** Certificate and private key, PEM. */
  readonly credentials?: PemPair
  /** The context logs in with a self-signed seal of its NIP. */
  readonly seal?: 'self-signed'
}

/** The description of the target is invalid; the message says what is wrong and what to write. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

export interface TargetSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Directory that a relative path starts from. */
  readonly cwd: string
}

/**
 * Reads what `--target` names: an address, or the path of a profile.
 * @throws {TargetError} when it cannot be read, is not valid, or a secret is missing
 */
export function readTarget(given: string, surroundings: TargetSurroundings): TargetProfile {
  if (/^https?:\/\//.test(given)) return { url: given.replace(/\/+$/, '') }
  const path = resolve(surroundings.cwd, given)
  if (!existsSync(path))
    throw new TargetError(
      `expected an address (http://...) or the path of a profile, received ${JSON.stringify(given)}; ${path} does not exist`,
    )
  return explained(() => {
    const written = readJsonFile({ path, what: 'a target profile', schema: targetSchema })
    return resolved(written as Written, { from: dirname(path), env: surroundings.env })
  })
}

/**
 * The profile that a reference of this process states, with its files read.
 * @throws {TargetError} when a file cannot be read
 */
export const ownProfile = (stated: object): TargetProfile =>
  explained(() => resolved(stated as Written, { from: '.', env: {} }))

/**
 * A context that the management port of a reference states, with its files read.
 * @throws {TargetError} when a file cannot be read
 */
export const statedContext = (stated: object): TargetContext =>
  explained(() =>
    resolveContext(stated as WrittenContext, 'http://localhost', { from: '.', env: {} }),
  )

const explained = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    const known = [JsonFileError, SecretError, CredentialsError].some(
      (kind) => error instanceof kind,
    )
    throw known ? new TargetError((error as Error).message, { cause: error }) : error
  }
}

type WrittenContext = Pick<TargetContext, 'kind' | 'value' | 'seal'> & {
  readonly token?: Secret
  readonly certificate?: Secret
  readonly key?: Secret
  readonly pkcs12?: Secret
  readonly passphrase?: Secret
}
type Written = Omit<
  TargetProfile,
  'contexts' | 'elsewhere' | 'sibling' | 'ca' | 'headers' | 'consent'
> & {
  readonly contexts?: readonly WrittenContext[]
  readonly elsewhere?: Readonly<Record<string, Written>>
  readonly ca?: Secret
  readonly headers?: Readonly<Record<string, Secret>>
  readonly consent?: string
}

function resolved(written: Written, place: SecretSource): TargetProfile {
  const { contexts, elsewhere, ca, headers, consent, baseline, ...others } = written
  const url = others.url.replace(/\/+$/, '')
  const agreed = consent === undefined ? undefined : readConsent(consent, place)
  return {
    ...others,
    url,
    ...(contexts && { contexts: contexts.map((context) => resolveContext(context, url, place)) }),
    ...(ca !== undefined && { ca: readText('ca', ca, 'path', place) }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name.toLowerCase(),
          readText(`headers.${name}`, value, 'text', place),
        ]),
      ),
    }),
    ...(baseline !== undefined && { baseline: resolve(place.from, baseline) }),
    ...(agreed && { consent: coveringContexts(agreed, contexts ?? []) }),
    ...(elsewhere && {
      elsewhere: Object.fromEntries(
        Object.entries(elsewhere).map(([environment, sibling]) => [
          environment,
          // The target's dialect and connection settings apply to its siblings too, unless they have their own.
          { ...inherited(others), ...resolved(sibling, place), environment, sibling: true },
        ]),
      ),
    }),
  }
}

const inherited = ({ dialect, proxy, timeoutMs }: Partial<TargetProfile>) => ({
  ...(dialect === undefined ? {} : { dialect }),
  ...(proxy === undefined ? {} : { proxy }),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
})

const loopback = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/

type Opening = Pick<TargetProfile, 'environment' | 'management' | 'consent'>

/** Whether a run takes contexts of its own, by self-signed seals. It writes for no other where a consent names some. */
export const takesOwnContexts = ({ environment = 'test', consent }: Opening): boolean =>
  environments[environment].selfSigned && !namesContexts(consent)

/** Whether a run can open any number of contexts at a target: by self-signed seals, or through its management port. */
export const opensContexts = (profile: Opening): boolean =>
  takesOwnContexts(profile) || (profile.management !== undefined && !namesContexts(profile.consent))

/** The part of the rate limits of production that a run keeps to. */
export const keptFactor = ({
  rateFactor = 1,
  pacingShare = 1,
}: Pick<TargetProfile, 'rateFactor' | 'pacingShare'>): number => rateFactor * pacingShare

/** Whether an address is one of this machine alone. */
export const isLoopback = (url: string): boolean => loopback.test(url)

const readConsent = (written: string, { from }: SecretSource): Consent =>
  readJsonFile({
    path: resolve(from, written),
    what: 'a consent file',
    schema: consentSchema,
  }) as Consent

/** @throws {TargetError} when the profile has contexts that the consent does not name */
const coveringContexts = (consent: Consent, contexts: readonly WrittenContext[]): Consent => {
  const missing = contexts
    .map(({ kind, value }) => `${kind} ${value}`)
    .filter((context) => !consent.contexts.includes('*') && !consent.contexts.includes(context))
  if (missing.length === 0) return consent
  throw new TargetError(
    `consent: it covers ${consent.contexts.join(', ')}; the profile also has ${missing.join(', ')}. Remove these contexts or extend the consent`,
  )
}

function resolveContext(written: WrittenContext, url: string, place: SecretSource): TargetContext {
  const { kind, value, seal, token, certificate, key, pkcs12 } = written
  const name = `${kind} ${value}`
  for (const [field, secret] of Object.entries({ token, passphrase: written.passphrase }))
    if (typeof secret === 'string' && !isLoopback(url))
      throw new TargetError(
        `the ${field} of ${name} is written in the profile: write { "env": "NAME" } or { "file": "path" } instead`,
      )
  const passphrase =
    written.passphrase === undefined
      ? undefined
      : readText(`passphrase of ${name}`, written.passphrase, 'text', place)
  const credentials =
    pkcs12 !== undefined
      ? credentialsFromPkcs12(name, readBytes(`pkcs12 of ${name}`, pkcs12, place), passphrase)
      : certificate !== undefined && key !== undefined
        ? credentialsFromPem(
            name,
            {
              certificate: readText(`certificate of ${name}`, certificate, 'path', place),
              key: readText(`key of ${name}`, key, 'path', place),
            },
            passphrase,
          )
        : undefined
  return {
    kind,
    value,
    ...(token === undefined ? {} : { token: readText(`token of ${name}`, token, 'text', place) }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(seal === undefined ? {} : { seal }),
  }
}
