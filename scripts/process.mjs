// Runs other programs and reports their progress on stderr: stdout belongs to the program that runs.

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const started = performance.now()

/** A failure with a known cause: the user sees its message only. */
export class Explained extends Error {}

/** Prints one line of progress with the seconds since the start. */
export function say(message) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`[${seconds.padStart(6)}s] ${message}`)
}

/**
 * Runs a program with its output in a log file, and reports every ten seconds that it runs.
 * @returns {Promise<{ code: number, log: string }>}
 */
export async function runLogged(command, args, { label, logFile, ...options }) {
  mkdirSync(dirname(logFile), { recursive: true })
  const descriptor = openSync(logFile, 'w')
  const begun = performance.now()
  const timer = setInterval(() => {
    say(`${label}: running for ${Math.round((performance.now() - begun) / 1000)} s`)
  }, 10_000)
  try {
    const code = await run(command, args, { ...options, stdio: ['ignore', descriptor, descriptor] })
    return { code, log: readFileSync(logFile, 'utf8') }
  } finally {
    clearInterval(timer)
    closeSync(descriptor)
  }
}

/**
 * Runs a program on the user's terminal; with `outputFile`, its stdout goes there instead.
 * @returns {Promise<number>} the exit code
 * @throws {Interrupted} after Ctrl-C or SIGTERM, when the program has ended
 */
export async function runShown(command, args, { outputFile, ...options } = {}) {
  if (!outputFile) return run(command, args, { ...options, stdio: 'inherit' })
  mkdirSync(dirname(outputFile), { recursive: true })
  const descriptor = openSync(outputFile, 'w')
  try {
    return await run(command, args, { ...options, stdio: ['inherit', descriptor, 'inherit'] })
  } finally {
    closeSync(descriptor)
  }
}

/** The last lines of a text, indented. */
export function tail(text, count = 20) {
  return text
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => `    ${line}`)
    .join('\n')
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    let exitCode
    // Ctrl-C reaches the whole process group; this process waits for the child to end.
    const onInterrupt = () => {
      exitCode = 130
    }
    // SIGTERM is passed on as SIGINT, upon which test runners still write their reports.
    const onTerminate = () => {
      exitCode = 143
      child.kill('SIGINT')
    }
    process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate)
    const settle = () => process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate)
    child.on('error', (error) => {
      settle()
      const missing = error.code === 'ENOENT'
      reject(missing ? new Explained(`${command} is not installed or not on PATH.`) : error)
    })
    child.on('close', (code, signal) => {
      settle()
      if (exitCode) reject(new Interrupted(exitCode))
      else if (signal) reject(new Explained(`${command} was ended by ${signal}.`))
      else resolve(code)
    })
  })
}

/** The user or the system ended a program: the next steps must not start. */
class Interrupted extends Error {
  constructor(exitCode) {
    super('Interrupted.')
    this.exitCode = exitCode
  }
}

/**
 * Runs the job of a script and makes its outcome the exit code: what it returns, that of an interruption, or what
 * `explained` makes of a failure with a known cause, 3 (could not run) where there is none.
 */
export async function runJob(job, explained = () => 3) {
  try {
    process.exitCode = await job()
  } catch (error) {
    if (error instanceof Interrupted) {
      process.exitCode = error.exitCode
    } else if (error instanceof Explained) {
      say(error.message)
      process.exitCode = explained()
    } else {
      throw error
    }
  }
}
