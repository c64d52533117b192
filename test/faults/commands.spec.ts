import { expect, test } from '@playwright/test'
import { sampleNote, sampled } from '../sample.ts'
import { openBench } from './checked.ts'
import { faults } from './faults.ts'

/** At a target with a fault, the other commands end as `check` does: with 3, one message, and within two minutes. */

const maxMs = 120_000

/** Faults that a target has before its first answer can be used. */
const unusable = [
  'never answers',
  'resets every connection',
  'an HTML page with 200',
  'a byte a second',
  'a challenge with 100 MB of blanks',
  'a TLS certificate that has expired',
  'a TLS certificate for another host',
]

const commands: readonly (readonly string[])[] = [
  ['doctor'],
  ['load', '--seed', '7', '--out', 'o'],
  ['certify', '--seed', '7', '--out', 'o'],
]

test('doctor, load and certify end with 3 at a target that cannot be used', async () => {
  const chosen = [...sampled(unusable, 4, 'unusable')]
  test.setTimeout(chosen.length * commands.length * maxMs)
  const bench = await openBench()
  try {
    for (const name of chosen)
      for (const command of commands)
        await test.step(`${command[0]}: ${name} (${sampleNote})`, async () => {
          const fault = faults.find((one) => one.name === name)
          if (fault === undefined) throw new Error(`no such fault: ${name}`)
          const { behaviour, profile, tls, maxCalls = 1 } = fault
          const ran = await bench.run(command, behaviour(), {
            ...(profile === undefined ? {} : { profile }),
            ...(tls === undefined ? {} : { tls: tls() }),
          })
          const said = `${command[0]} at "${name}": ${ran.out}${ran.err}`
          expect(ran.code, said).toBe(3)
          expect(said).toContain('target.')
          expect(said, 'a message, not a stack trace').not.toMatch(/\n\s+at \S+ \(/)
          expect(ran.calls, said).toBeLessThanOrEqual(maxCalls)
          expect(ran.ms, said).toBeLessThan(maxMs)
        })
  } finally {
    await bench.close()
  }
})
