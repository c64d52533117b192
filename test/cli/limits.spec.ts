import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { limitsOf } from '../../cli/limits.ts'
import { rowsOf } from '../../cli/limits/edge.ts'
import { main } from '../../cli/main.ts'

const run = async (...args: string[]): Promise<readonly [exit: number, said: string]> => {
  let said = ''
  const exit = await main(args, {
    out: (text) => void (said += text),
    err: (text) => void (said += text),
    env: {},
    cwd: tmpdir(),
    interactive: false,
    signal: new AbortController().signal,
  })
  return [exit, said]
}

test('probes need a target that declares that its limits may be exceeded', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-limits-'))
  try {
    const target = path.join(folder, 'target.json')
    writeFileSync(
      target,
      JSON.stringify({ url: 'http://192.0.2.1/api/v2', environment: 'test', capabilities: [] }),
    )
    for (const command of [
      ['load', 'limit-edge'],
      ['limits', 'identify'],
      ['limits', 'tune'],
    ]) {
      const [exit, said] = await run(...command, '--target', target)
      expect(said).toContain('expected a consent file that names load')
      expect(exit).toBe(2)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an unknown rule or window is reported with the known ones', async () => {
  expect(() => rowsOf(['invoiceSubmitt'])).toThrow(/no rate rule "invoiceSubmitt".*invoiceSubmit/)
  expect(rowsOf(['default', 'batch'])).toEqual(['batch', 'default'])
  const [exit, said] = await run('limits', 'identify', '--windows', 'day')
  expect(said).toContain('--windows: expected some of second, minute, hour, received "day"')
  expect(exit).toBe(2)
})

test('--limits reads the pace that limits tune wrote', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-pace-'))
  try {
    const file = path.join(folder, 'pace.json')
    const batch = { perSecond: 3, perMinute: 6, perHour: 9 }
    writeFileSync(file, JSON.stringify({ marginMs: 100, limits: { batch } }))
    expect(limitsOf(file)).toEqual({ batch })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
