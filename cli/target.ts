import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dialectOf, dialects } from '../contract/dialects.ts'
import { createClient } from '../lib/client.ts'
import { nodeCodec } from '../lib/node/codec.ts'
import { Unreachable, createSend } from '../lib/node/fetch.ts'
import { TargetError, probeTarget, readTarget } from '../lib/node/target.ts'
import type { TargetProfile } from '../lib/node/target.ts'
import type { Io } from './io.ts'
import { couldNotRun, usageError } from './io.ts'

export interface ResolvedTarget {
  readonly profile: TargetProfile
  /** The profile with its secrets, readable by this user alone, for the workers of the suite. */
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

/** Reads a target and probes for what a bare URL does not declare. Exit 2: unreadable; 3: unreachable. */
export const resolveTarget = async (
  given: { readonly target: string; readonly dialect?: string },
  io: Io,
): Promise<ResolvedTarget> => {
  const read = reading(given.target, io)
  const dialect = given.dialect ?? read.dialect ?? 'svc'
  if (dialectOf(dialect) === undefined)
    throw usageError(
      `--target: the profile names the dialect ${JSON.stringify(dialect)}: expected one of ${Object.keys(dialects).join(', ')}`,
    )
  const profile: TargetProfile = {
    ...read,
    dialect,
    capabilities: read.capabilities ?? (await probed({ ...read, dialect })),
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'assay-target-'))
  const file = path.join(directory, 'target.json')
  await writeFile(file, JSON.stringify(await secretsInFiles(profile, directory)), { mode: 0o600 })
  return { profile, file, dispose: () => rm(directory, { recursive: true, force: true }) }
}

/** The profile for the workers: a profile never contains a secret, so each goes into a file of its own. */
const secretsInFiles = async (profile: TargetProfile, directory: string): Promise<unknown> => {
  let count = 0
  const stored = async (token: string) => {
    const name = `token-${(count += 1)}`
    await writeFile(path.join(directory, name), token, { mode: 0o600 })
    return { file: name }
  }
  const rewritten = async ({ contexts, elsewhere, ...others }: TargetProfile): Promise<object> => ({
    ...others,
    ...(contexts && {
      contexts: await Promise.all(
        contexts.map(async ({ token, ...context }) =>
          token === undefined ? context : { ...context, token: await stored(token) },
        ),
      ),
    }),
    ...(elsewhere && {
      elsewhere: Object.fromEntries(
        await Promise.all(
          Object.entries(elsewhere).map(async ([id, sibling]) => [id, await rewritten(sibling)]),
        ),
      ) as unknown,
    }),
  })
  return rewritten(profile)
}

const probed = async (profile: TargetProfile) => {
  const sender = createSend({ timeoutMs: 10_000 })
  const client = createClient({
    send: sender.send,
    codec: nodeCodec,
    baseUrl: profile.url,
    dialect: dialectOf(profile.dialect ?? 'svc') ?? dialects.svc,
  })
  try {
    const found = await probeTarget(client)
    return found.filter((look) => look.found).map(({ capability }) => capability)
  } catch (error) {
    if (error instanceof Unreachable) throw couldNotRun(unreachable(profile.url, error))
    throw error
  } finally {
    sender.close()
  }
}

const unreachable = (url: string, error: Unreachable): string =>
  `the target ${url} cannot be reached: ${error.message}. Check that the service runs, and that the URL has the version prefix (for example http://127.0.0.1:8080/api/v2).`

/** One public call before any verdict: a wrong URL is not a conformance failure. Exit 3 when it fails. */
export const preflight = async ({ profile }: ResolvedTarget): Promise<void> => {
  const sender = createSend({ timeoutMs: 10_000 })
  try {
    const client = createClient({
      send: sender.send,
      codec: nodeCodec,
      baseUrl: profile.url,
      dialect: dialectOf(profile.dialect ?? 'svc') ?? dialects.svc,
    })
    const { status } = await client.call('auth.challenge')
    if (status === 404)
      throw couldNotRun(
        `the target ${profile.url} answers, but not to a challenge (404). Check the version prefix in the URL, and the dialect (${profile.dialect ?? 'svc'}).`,
      )
    if (status >= 500)
      throw couldNotRun(
        `the target ${profile.url} is failing: it answers a challenge with HTTP ${status}`,
      )
  } catch (error) {
    if (error instanceof Unreachable) throw couldNotRun(unreachable(profile.url, error))
    throw error
  } finally {
    sender.close()
  }
}
