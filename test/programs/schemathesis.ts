import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { runProgram } from './run-program.ts'

/** Pinned: another version draws other requests from the same seed. */
const version = '4.32.5'

const [scripts, ending] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', '']

/** @throws {Error} when there is no Python 3 */
const python = (): string => {
  const found = ['python3', 'python'].find((name) => {
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' })
    return status === 0 && stdout.startsWith('Python 3.')
  })
  if (found !== undefined) return found
  throw new Error('Python 3 is not installed or not on PATH; Schemathesis needs it.')
}

/**
 * Installs the pinned Schemathesis from the Python registry into `.cache`, where it stays for the next run.
 * @returns the path of its command
 * @throws {Error} when there is no Python 3, or when Python could not install it
 */
export const installSchemathesis = async (): Promise<string> => {
  const cache = path.resolve('.cache', 'schemathesis')
  const folder = path.join(cache, version)
  const command = path.join(folder, scripts, `schemathesis${ending}`)
  if (existsSync(command)) return command
  mkdirSync(cache, { recursive: true })
  process.stderr.write(`installing Schemathesis ${version} into ${cache}\n`)
  const steps: readonly (readonly [string, ...string[]])[] = [
    [python(), '-m', 'venv', '--clear', folder],
    [
      path.join(folder, scripts, `python${ending}`),
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `schemathesis==${version}`,
    ],
  ]
  for (const [program, ...args] of steps) {
    const { code, err } = await runProgram(program, args, { cwd: cache })
    if (code !== 0)
      throw new Error(`Schemathesis ${version} could not be installed: ${program}: ${err.trim()}`)
  }
  return command
}
