import process from 'node:process'
import { spawn } from 'node:child_process'

const minutes = 60_000

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a program to its end, and returns what it printed. */
export const runProgram = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 10 * minutes,
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.on('error', (error) => resolve({ code: 127, out, err: error.message }))
    child.on('close', (code, signal) => {
      if (signal !== null) err += `\nended by ${signal}; ten minutes are the limit`
      resolve({ code: code ?? 1, out, err })
    })
  })
