// Running other programs, and telling the user about it. Progress goes to stderr: stdout belongs
// to the program that is run.

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const started = performance.now()

/** A failure with a known cause: its message is all that the user needs to see. */
export class Explained extends Error {}

/** Prints one line of progress with the seconds since the start. */
export function say(message) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`[${seconds.padStart(6)}s] ${message}`)
}

/**
 * Runs a program with its output in a log file, and a sign of life every ten seconds.
 * @returns {Promise<{ code: number, log: string }>}
 */
export async function runLogged(command, args, { label, logFile, ...options }) {
  mkdirSync(dirname(logFile), { recursive: true })
  const descriptor = openSync(logFile, 'w')
  const begun = performance.now()
  const timer = setInterval(() => {
    say(`${label}: still at it (${Math.round((performance.now() - begun) / 1000)} s)`)
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
 * @returns {Promise<number>} the exit code; 128 + signal number when a signal ended it
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

const signalNumbers = { SIGINT: 2, SIGTERM: 15 }

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    // Ctrl-C reaches the whole process group; this process only waits for the child to tidy up.
    // SIGTERM is passed on as SIGINT, upon which test runners still write their reports.
    const ignore = () => {}
    const forward = () => child.kill('SIGINT')
    process.on('SIGINT', ignore).on('SIGTERM', forward)
    const settle = () => process.off('SIGINT', ignore).off('SIGTERM', forward)
    child.on('error', (error) => {
      settle()
      reject(
        error.code === 'ENOENT'
          ? new Explained(`${command} is not installed or not on PATH.`)
          : error,
      )
    })
    child.on('close', (code, signal) => {
      settle()
      if (signal && signal in signalNumbers) {
        reject(new Interrupted(128 + signalNumbers[signal]))
      } else {
        resolve(code ?? 1)
      }
    })
  })
}

/** The user, or the system, ended a program: what follows it must not start. */
export class Interrupted extends Error {
  constructor(exitCode) {
    super('Interrupted.')
    this.exitCode = exitCode
  }
}
