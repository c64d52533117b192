import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory } from '../../../lib/node/make-directory.ts'
import type { Secrets } from '../../../load/assignment.ts'
import { k6Version } from '../../../load/engine.ts'
import type { PlannedInvoice } from '../../../load/trace/account.ts'
import type { Io } from '../../io.ts'
import { usageError } from '../../io.ts'
import { built } from '../../root.ts'
import { authoritiesWith } from '../network.ts'
import { prepare } from '../prepare.ts'
import { withLoadSetup } from '../setup.ts'
import type { RunIdentity } from '../setup.ts'
import { shapeOf } from '../shape.ts'
import type { InvoiceLoadArgs, Shape } from '../shape.ts'
import { commands, mount, secretsFile, testRun, volume, volumeFiles } from './manifests.ts'
import { scriptFiles } from './script-files.ts'

/** A load that is prepared here and carried out by k6-operator. */

/** What the verdict needs later: `run.json` of the directory. */
export interface EmittedRun {
  readonly identity: RunIdentity
  readonly shape: Omit<Shape, 'count' | 'due' | 'users'>
  readonly segments: number
  readonly dialect: string | null
  readonly maximumP95: number | null
  readonly sellers: readonly string[]
  readonly planned: readonly PlannedInvoice[]
}

export interface Emitted {
  readonly name: string
  readonly directory: string
  readonly segments: number
  readonly invoices: number
  readonly sessions: number
  /** Commands that carry the load out. */
  readonly next: readonly string[]
}

const image = `grafana/k6:${k6Version.slice(1)}`

const bytesOf = async (folder: string): Promise<number> => {
  const files = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(folder, file))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const writeJson = (file: string, value: unknown, mode = 0o644): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`, { mode })

/** The prepared paths, as they are in the pods. */
const inPods = (text: string, files: string): string =>
  text.replaceAll(JSON.stringify(files).slice(1, -1), mount)

/**
 * Prepares a load and writes what a cluster needs to carry it out: `testrun.json` and `volume.json`, `files/` for the
 * volume, `secrets.json` for a Secret, and `run.json` for the verdict.
 */
export const emitForCluster = (args: InvoiceLoadArgs, io: Io): Promise<Emitted> => {
  if (args.target === undefined)
    throw usageError(
      '--emit: expected --target, because a cluster cannot reach the embedded reference; received none',
    )
  return withLoadSetup(args.scenario, args, io, async (setup) => {
    const { target, segments } = setup
    const shape = shapeOf(args, setup)
    const { identity, places } = setup.begin()
    const { folder } = places
    const files = path.join(folder, 'files')
    const corpus = path.join(files, path.dirname(volumeFiles.assignment))
    makeDirectory(corpus)
    const { planned, assignment } = await prepare(args, shape, { ...setup, directory: corpus }, io)
    const { refreshTokens, headers, ...open } = assignment
    await writeFile(path.join(files, volumeFiles.assignment), inPods(JSON.stringify(open), files))
    const { ca } = target.profile
    if (ca !== undefined)
      await writeFile(path.join(files, volumeFiles.authorities), await authoritiesWith(ca))
    for (const file of scriptFiles(built, volumeFiles.script)) {
      await mkdir(path.join(files, path.dirname(file)), { recursive: true })
      const source = await readFile(path.join(built, file), 'utf8')
      // The maps stay here, and k6 warns of each that it misses.
      await writeFile(path.join(files, file), source.replace(/^\/\/# sourceMappingURL=.*$/m, ''))
    }
    const name = `assay-${setup.namespace.toLowerCase()}`.replace(/-+$/, '')
    const bytes = await bytesOf(files)
    const run = { name, segments, image, outputs: args.k6Out ?? [], bytes, ownCa: ca !== undefined }
    const { sessions, limited, window, abortAboveMs } = shape
    const secrets: Secrets = { refreshTokens, ...(headers && { headers }) }
    const emitted: EmittedRun = {
      identity,
      shape: { sessions, limited, window, abortAboveMs },
      segments,
      dialect: args.dialect ?? null,
      maximumP95: args.maxP95 ?? null,
      sellers: target.contexts.map(({ seller }) => seller),
      planned,
    }
    await writeJson(path.join(folder, 'testrun.json'), testRun(run))
    await writeJson(path.join(folder, 'volume.json'), volume(run))
    await writeJson(path.join(folder, secretsFile), secrets, 0o600)
    await writeJson(path.join(folder, 'run.json'), emitted)
    const directory = path.relative(io.cwd, folder) || '.'
    const next = [
      ...commands(name, directory),
      `assay load collect ${directory} ${directory}/pods.log --target ${args.target}`,
    ]
    return { name, directory, segments, invoices: shape.count, sessions, next }
  })
}

export const emittedText = ({ directory, segments, invoices, sessions, next }: Emitted): string =>
  [
    `${invoices} invoices for ${sessions} sessions, ${segments} pods: ${directory}`,
    ...next.map((command) => `  ${command}`),
    '',
  ].join('\n')
