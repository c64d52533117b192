import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dialect } from '../../contract/dialect.ts'
import { dialectOf as knownDialect, withoutAdditions } from '../../contract/dialects.ts'
import { parseInstant } from '../../reference/base/instants.ts'
import { readPublishedWords } from '../../reference/base/published-words.ts'
import type { SeedFile } from '../../reference/service/seed-file.ts'
import { readSeedFile } from '../../reference/service/seed-file.ts'
import { usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { didYouMean } from '../nearest.ts'
import { systemError } from '../system-error.ts'

/** Values of the options of `assay serve`, each checked. */

export const instantOf = (startAt: string | undefined): number | undefined => {
  if (startAt === undefined) return undefined
  const instant = parseInstant(startAt)
  if (instant === undefined)
    throw usageError(
      `--start-at: expected a time from 2000 to 2199 with its offset, such as 2026-06-15T08:00:00Z, received ${JSON.stringify(startAt)}`,
    )
  return instant
}

export const knownMutants = async (asked: readonly string[]): Promise<string[]> => {
  if (asked.length === 0) return []
  const { mutants } = await import('../../reference/mutants/mutants.ts')
  for (const id of asked)
    if (!(id in mutants))
      throw usageError(
        `--mutant: there is no mutant ${JSON.stringify(id)}.${didYouMean(id, Object.keys(mutants))} \`assay list --json\` names the mutants of each rule.`,
      )
  return [...asked]
}

/** `/v2`: one slash before each part, none at the end. */
export const basePathOf = (basePath: string | undefined): string | undefined => {
  if (basePath !== undefined && !/^(\/[\w.~-]+)+$/.test(basePath))
    throw usageError(
      `--base-path: expected a path such as /clearing/v2, received ${JSON.stringify(basePath)}`,
    )
  return basePath
}

export const portOf = (name: string, port: number): number => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw usageError(`--${name}: expected an integer from 0 to 65535, received ${port}`)
  return port
}

/** Scheme, host and port under which clients reach the service behind a proxy. */
export const publicUrlOf = (publicUrl: string | undefined): string | undefined => {
  if (
    publicUrl !== undefined &&
    !(/^https?:\/\/[^/?#\s]+\/?$/.test(publicUrl) && URL.canParse(publicUrl))
  )
    throw usageError(
      `--public-url: expected an origin such as https://invoices.example, without the path, received ${JSON.stringify(publicUrl)}`,
    )
  return publicUrl?.replace(/\/$/, '')
}

export const seedFileOf = (file: string | undefined, io: Io): SeedFile | undefined => {
  if (file === undefined) return undefined
  try {
    return readSeedFile(readFileSync(path.resolve(io.cwd, file), 'utf8'))
  } catch (error) {
    throw usageError(
      `--seed-file: ${systemError(error)?.message ?? `${file}: ${(error as Error).message}`}`,
    )
  }
}

export const threadsOf = (threads: number): number => {
  if (!Number.isInteger(threads) || threads < 0 || threads > 64)
    throw usageError(`--threads: expected an integer from 0 to 64, received ${threads}`)
  return threads
}

/** A published description, read; that it has words is checked here, so that a start does not fail late. */
export const wordingOf = (file: string | undefined, io: Io): string | undefined => {
  if (file === undefined) return undefined
  try {
    const wording = readFileSync(path.resolve(io.cwd, file), 'utf8')
    readPublishedWords(wording)
    return wording
  } catch (error) {
    throw usageError(
      `--wording: ${systemError(error)?.message ?? `${file}: ${(error as Error).message}; name an OpenAPI description as JSON, with tables of codes`}`,
    )
  }
}

/** A dialect, without what later versions of its description added where one version is asked for. */
export const versionOf = (
  id: string | undefined,
  version: string | undefined,
): string | Dialect | undefined => {
  if (version === undefined) return id
  const dialect = knownDialect(id ?? 'svc')
  if (dialect?.version === version) return withoutAdditions(dialect)
  const [expected, next] =
    dialect?.version === undefined
      ? ['no version for this dialect', 'Add --dialect ksef.']
      : [dialect.version, 'Leave it out for the fields of later versions too.']
  throw usageError(`--contract-version: expected ${expected}, received ${version}. ${next}`)
}
