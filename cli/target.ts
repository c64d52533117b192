import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { dialectOf, dialects } from '../contract/dialects.ts'
import { consents } from '../lib/consent.ts'
import { Unreachable } from '../lib/node/fetch.ts'
import { hasTestdata, isProductionByKeys } from '../lib/node/recognition.ts'
import { loadNeedsConsent } from '../lib/node/target-send.ts'
import { TargetError, readTarget } from '../lib/node/target.ts'
import type { TargetContext, TargetProfile } from '../lib/node/target.ts'
import type { Io } from './io.ts'
import { couldNotRun, usageError } from './io.ts'
import { environmentOf, examineTarget, preflightClient } from './preflight/preflight.ts'
import { temporaryDirectory } from './temporary.ts'

/** A profile with its secrets on disk, readable by this user alone, for the workers of the suite. */
export interface ProfileFile {
  readonly file: string
  readonly dispose: () => Promise<void>
}

const reading = (target: string, io: Io): TargetProfile => {
  try {
    return readTarget(target, io)
  } catch (error) {
    if (error instanceof TargetError) throw usageError(`--target: ${error.message}`)
    throw error
  }
}

/** Whether a target states its environment; where it does not, `resolveTarget` finds it out. */
export const declaresEnvironment = (target: string, io: Io): boolean =>
  reading(target, io).environment !== undefined

/** Reads a target and finds out what it does not declare. Exit 2 when it cannot be read. */
export const resolveTarget = async (
  given: { readonly target: string; readonly dialect?: string },
  io: Io,
): Promise<TargetProfile> => {
  const read = reading(given.target, io)
  const dialect = given.dialect ?? read.dialect ?? 'svc'
  if (dialectOf(dialect) === undefined)
    throw usageError(
      `--target: expected the dialect ${Object.keys(dialects).join(' or ')}, received ${JSON.stringify(dialect)}`,
    )
  return recognized({ ...read, dialect })
}

/** Writes a profile for the workers of the suite. */
export const writeProfile = async (profile: TargetProfile): Promise<ProfileFile> => {
  const { directory, dispose } = temporaryDirectory('target')
  try {
    const file = path.join(directory, 'target.json')
    await writeFile(file, JSON.stringify(await secretsInFiles(profile, directory)), { mode: 0o600 })
    return { file, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/**
 * What a profile leaves open, found out by reading calls. A service that does not show itself to be a test
 * environment counts as production: nothing is written there by accident.
 */
const recognized = async (profile: TargetProfile): Promise<TargetProfile> => {
  const { capabilities, environment } = profile
  if (capabilities !== undefined && environment !== undefined) return profile
  const testdata = await looksLikeTest(profile)
  return {
    ...profile,
    capabilities: capabilities ?? (testdata ? ['testdata'] : []),
    environment: environment ?? (testdata ? 'test' : 'production'),
  }
}

const looksLikeTest = async (profile: TargetProfile): Promise<boolean> => {
  const { client, close } = preflightClient(profile)
  try {
    return (await hasTestdata(client)) && (await isProductionByKeys(client)) !== true
  } catch (error) {
    // The preflight explains why nothing answers.
    if (error instanceof Unreachable) return false
    throw error
  } finally {
    close()
  }
}

/** The profile as the workers may read it: no secret stands in a profile, whatever the host. */
const secretsInFiles = async (profile: TargetProfile, directory: string): Promise<unknown> => {
  let count = 0
  const stored = async (text: string) => {
    const name = `secret-${(count += 1)}`
    await writeFile(path.join(directory, name), text, { mode: 0o600 })
    return { file: name }
  }
  const storedEach = async (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(texts).map(async ([name, text]) => [name, await stored(text)] as const),
      ),
    )
  const written = async ({ kind, value, seal, token, credentials }: TargetContext) => ({
    kind,
    value,
    ...(seal === undefined ? {} : { seal }),
    ...(await storedEach({ ...(token === undefined ? {} : { token }), ...credentials })),
  })
  const rewritten = async (one: TargetProfile): Promise<object> => {
    const { contexts, elsewhere, ca, headers, consent, ...others } = one
    return {
      ...others,
      sibling: undefined,
      ...(contexts && { contexts: await Promise.all(contexts.map(written)) }),
      ...(ca !== undefined && { ca: await stored(ca) }),
      ...(headers && { headers: await storedEach(headers) }),
      ...(consent && { consent: (await stored(JSON.stringify(consent))).file }),
      ...(elsewhere && {
        elsewhere: Object.fromEntries(
          await Promise.all(
            Object.entries(elsewhere).map(async ([id, other]) => [id, await rewritten(other)]),
          ),
        ) as unknown,
      }),
    }
  }
  return rewritten(profile)
}

/** Refuses a profile whose environment the service contradicts, before anything is written there. Exit 3. */
export const requireEnvironment = async (profile: TargetProfile): Promise<void> => {
  const { close, ...looks } = preflightClient(profile)
  try {
    const { ok, found, advice = '' } = await environmentOf(looks, profile)
    if (!ok) throw couldNotRun(`target.environment: ${found}; nothing was sent. ${advice}`)
  } finally {
    close()
  }
}

/** Looks at the target before any verdict: a wrong configuration is no conformance failure. Exit 3 when it fails. */
export const preflight = async (profile: TargetProfile): Promise<void> => {
  const faults = (await examineTarget(profile)).filter(({ ok, essential }) => essential && !ok)
  if (faults.length === 0) return
  const lines = faults.map(({ id, found, advice }) => `  ${id}: ${found}\n    -> ${advice}`)
  throw couldNotRun(
    `the target cannot be checked; nothing was run\n${lines.join('\n')}\n  assay doctor --target shows everything that was looked at`,
  )
}

/** Refuses load that the operator has not agreed to. */
export const requireConsentToLoad = (profile: TargetProfile): void => {
  if (!loadNeedsConsent(profile)) return
  if (consents(profile.consent, 'load', profile.url, Date.now())) return
  throw usageError(
    `expected a consent file that names load for ${profile.url}; ${
      profile.consent === undefined
        ? 'the profile has none'
        : `the one in the profile covers ${profile.consent.operations.join(', ')} at ${profile.consent.address} until ${profile.consent.until}`
    }. If the operator agrees, write one and name it under \`consent\`: docs/guides/test-your-service.md`,
  )
}
