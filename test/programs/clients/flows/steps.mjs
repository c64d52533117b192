// What every flow in JavaScript needs: the service, and a report of steps.
import { readFileSync } from 'node:fs'
import process from 'node:process'

const { ASSAY_ORIGIN, ASSAY_NIP, ASSAY_TOKEN, ASSAY_CERTIFICATE, ASSAY_KEY, ASSAY_INVOICES } =
  process.env

export const origin = ASSAY_ORIGIN
export const nip = ASSAY_NIP
export const token = ASSAY_TOKEN
export const certificate = readFileSync(ASSAY_CERTIFICATE, 'utf8')
export const key = readFileSync(ASSAY_KEY, 'utf8')
/** Two valid invoices, never sent before. */
export const invoices = ASSAY_INVOICES.split(',').map((path) => readFileSync(path))
export const attempts = { pollIntervalMs: 100, intervalMs: 100, maxAttempts: 300 }

/** @throws {Error} when an outcome is not the expected one */
export const expectEqual = (found, expected, what) => {
  if (found !== expected) throw new Error(`${what}: expected ${expected}, received ${found}`)
}

/** The step that reads the limits: both clients name these calls alike. */
export const limitsOf = (client) => async () => {
  await client.limits.getContextLimits()
  await client.limits.getRateLimits()
}

/** Runs the steps in order and prints a line for each; a step that fails does not end the others. */
export const run = async (steps) => {
  for (const [step, perform] of Object.entries(steps))
    try {
      await perform()
      console.log(`ok ${step}`)
    } catch (error) {
      console.log(`failed ${step}: ${String(error?.message ?? error).split('\n')[0]}`)
    }
}
