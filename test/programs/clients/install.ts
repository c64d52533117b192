import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { ClientRow } from './rows.ts'
import type { Ended } from '../run-program.ts'
import { runProgram } from '../run-program.ts'

/** Installs a public client from its registry, into a folder that holds the flows as well. */

export interface Installed {
  /** Runs the flow. */
  readonly command: readonly string[]
  readonly version: string
}

export interface Folders {
  /** Where the client is installed; the flows are below it. */
  readonly client: string
  /** Keeps what is compiled for the next run. */
  readonly cache: string
}

class Failed extends Error {}

const succeed = ({ code, out, err }: Ended): string => {
  if (code !== 0) throw new Failed(err.trim().split('\n').at(-1))
  return out
}

const fromNpm = async (row: ClientRow, { client: cwd }: Folders): Promise<Installed> => {
  const { package: name, version, beside = [] } = row
  writeFileSync(path.join(cwd, 'package.json'), '{ "private": true }')
  const wanted = version === undefined ? name : `${name}@${version}`
  const args = ['install', '--no-audit', '--no-fund', wanted, ...beside]
  succeed(await runProgram('npm', args, { cwd }))
  const manifest = path.join(cwd, 'node_modules', name, 'package.json')
  const found = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return { command: [process.execPath, path.join('flows', row.flow)], version: found.version }
}

const fromPyPI = async (row: ClientRow, { client: cwd }: Folders): Promise<Installed> => {
  const { package: name, version, beside = [] } = row
  succeed(await runProgram('python3', ['-m', 'venv', '.venv'], { cwd }))
  const python = path.join(cwd, '.venv', 'bin', 'python')
  const wanted = version === undefined ? name : `${name}==${version}`
  const args = ['-m', 'pip', 'install', '--quiet', wanted, ...beside]
  succeed(await runProgram(python, args, { cwd }))
  const show = `from importlib.metadata import version; print(version(${JSON.stringify(name)}))`
  const out = succeed(await runProgram(python, ['-c', show], { cwd }))
  return { command: [python, path.join('flows', row.flow)], version: out.trim() }
}

const fromCrates = async (row: ClientRow, { client: cwd, cache }: Folders): Promise<Installed> => {
  const { package: name, version, beside = [] } = row
  const target = path.join(cache, 'clients')
  mkdirSync(target, { recursive: true })
  const binary = `${name}-flow`
  const source = JSON.stringify(path.join('flows', row.flow))
  writeFileSync(
    path.join(cwd, 'Cargo.toml'),
    `[package]\nname = "${binary}"\nedition = "2021"\n\n[[bin]]\nname = "${binary}"\npath = ${source}\n`,
  )
  const cargo = async (...args: string[]) =>
    succeed(await runProgram('cargo', args, { cwd, env: { CARGO_TARGET_DIR: target } }))
  for (const wanted of [version === undefined ? name : `${name}@=${version}`, ...beside]) {
    const [crate = '', features] = wanted.split('/')
    await cargo('add', crate, ...(features === undefined ? [] : ['--features', features]))
  }
  await cargo('build')
  const found = (await cargo('pkgid', name)).trim().split(/[#@]/).at(-1) ?? ''
  return { command: [path.join(target, 'debug', binary)], version: found }
}

const registries = { npm: fromNpm, PyPI: fromPyPI, 'crates.io': fromCrates } as const

/** @returns what runs the flow, or why the client cannot be installed */
export const install = async (row: ClientRow, folders: Folders): Promise<Installed | string> => {
  try {
    return await registries[row.registry](row, folders)
  } catch (error) {
    if (error instanceof Failed) return error.message
    throw error
  }
}
