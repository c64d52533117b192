import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { findK6 } from '../../load/engine.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, printJson } from '../io.ts'
import type { Io } from '../io.ts'
import { registeredChecks } from '../registered.ts'
import { built } from '../root.ts'
import { capabilitiesOf } from '../../suites/support/service/capabilities.ts'
import { capabilityGains, gainSentence } from '../capability-gain.ts'
import type { Diagnosis } from '../preflight/diagnosis.ts'
import { examineTarget } from '../preflight/preflight.ts'
import { secretDiagnoses } from '../preflight/secrets.ts'
import { resolveTarget } from '../target.ts'

interface Args {
  target: string | undefined
  json: boolean
}

const nodeVersion = (): Diagnosis => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  return {
    id: 'node',
    ok,
    essential: true,
    found: process.versions.node,
    ...(ok ? {} : { advice: 'install Node 20.19 or later' }),
  }
}

const suiteBuilt = (): Diagnosis => {
  const config = path.join(built, 'playwright.config.js')
  const ok = existsSync(config)
  return {
    id: 'suite',
    ok,
    essential: true,
    found: ok ? config : 'not built',
    ...(ok ? {} : { advice: 'run `npm run build`' }),
  }
}

const program = (id: string, args: string[], advice: string): Diagnosis => {
  const { status, stdout, stderr, error } = spawnSync(id, args, { encoding: 'utf8' })
  const ok = error === undefined && status === 0
  return {
    id,
    ok,
    found: ok ? (`${stdout}${stderr}`.trim().split('\n')[0] ?? '') : 'not found',
    ...(ok ? {} : { advice }),
  }
}

const loadEngine = async (io: Io): Promise<Diagnosis> => {
  const found = await findK6({ build: false, env: { ...process.env, ...io.env } })
  const [, go, minor] =
    /go(1\.(\d+)\S*)/.exec(spawnSync('go', ['version']).stdout?.toString()) ?? []
  if ('missing' in found && found.buildable === true && Number(minor) >= 25)
    return {
      id: 'k6',
      ok: true,
      found: `not built yet; the first load run builds it with Go ${go}`,
    }
  return 'missing' in found
    ? { id: 'k6', ok: false, found: found.missing, advice: found.advice }
    : {
        id: 'k6',
        ok: true,
        found: `${found.version} from ${found.source} (${found.path})${found.streams ? '' : '; it holds the invoices of a load in memory, the k6 that assay builds does not'}`,
      }
}

const xmlValidator = (): Diagnosis => {
  try {
    // By `require`, since its types are absent where it is.
    createRequire(import.meta.url)('libxmljs2')
    return { id: 'libxmljs2', ok: true, found: 'installed' }
  } catch {
    return {
      id: 'libxmljs2',
      ok: false,
      found: 'not installed',
      advice:
        'optional: install a C++ compiler, make and Python 3, then run `npm ci`; it compiles then',
    }
  }
}

const targetDiagnoses = async (target: string, io: Io): Promise<Diagnosis[]> => {
  const profile = await resolveTarget({ target }, io)
  const seen = await examineTarget(profile)
  const held = capabilitiesOf(profile, false)
  const gains = capabilityGains(held, await registeredChecks())
  return [
    ...seen,
    ...secretDiagnoses(target, profile, io),
    ...gains.map((gain) => ({
      id: `adds ${gain.capability}`,
      ok: true,
      found: gainSentence(gain),
    })),
  ]
}

/** What this machine and target can do, before any verdict: most failures of a first run are set-up. */
export const doctor: Command<Args> = {
  usage: 'doctor',
  summary: 'Report what this machine and the target can do, and how to fix what is missing',
  options: { target: shared.target, json: shared.json },
  run: async (args, io) => {
    const checks: Diagnosis[] = [
      nodeVersion(),
      suiteBuilt(),
      await loadEngine(io),
      program(
        'java',
        ['-version'],
        'optional: install a Java runtime (17 or later) to get the Allure HTML report',
      ),
      program('xmlsec1', ['--version'], 'optional: a third opinion on signatures; install xmlsec1'),
      xmlValidator(),
      ...(args.target === undefined ? [] : await targetDiagnoses(args.target, io)),
    ]
    const exit = checks.some(({ ok, essential }) => essential && !ok)
      ? exits.couldNotRun
      : exits.conformant
    if (args.json)
      printJson(io, {
        checks: checks.map(({ id, ok, found, advice }) => ({
          id,
          ok,
          found,
          ...(advice === undefined ? {} : { advice }),
        })),
        exit,
      })
    else
      for (const { id, ok, found, advice, warning } of checks)
        io.out(
          `${ok ? 'ok     ' : warning === true ? 'warning' : 'missing'} ${id.padEnd(10)} ${found}${advice ? `\n                   -> ${advice}` : ''}\n`,
        )
    return exit
  },
}
