import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { run } from './in-process.ts'
import { svc } from '../../contract/dialects/svc.ts'
import { rehearse } from '../../cli/plan/rehearse.ts'
import { planLimits } from '../../lib/plan/design.ts'
import { planSending } from '../../lib/plan/plan.ts'
import { startServer } from '../../reference/server/server.ts'

/** `assay plan`, and the proof that what it prints can be carried out. */

const plans = [
  ['online', 420, 1, 1],
  ['online', 300, 2, 2],
  ['batch', 700, 2, 1],
] as const

for (const [mode, invoices, contexts, addresses] of plans)
  test(`the reference carries out a plan: ${invoices} ${mode}, ${contexts} x ${addresses}`, async () => {
    const source = { name: 'production', dialect: svc }
    const plan = planSending({
      invoices,
      mode,
      contexts,
      addresses,
      invoiceBytes: 5000,
      limits: planLimits(source),
    })
    const rehearsal = await rehearse(plan, source, 7)
    expect(rehearsal.limited, 'calls refused with 429').toBe(0)
    expect(rehearsal.invoices).toBe(invoices)
    expect(Math.abs(rehearsal.tookMs - rehearsal.plannedMs)).toBeLessThanOrEqual(
      rehearsal.plannedMs / 100,
    )
  })

test('a rehearsal notices a plan for limits that the service does not have', async () => {
  const wide = { perSecond: 100, perMinute: 100, perHour: 100 }
  const plan = planSending({
    invoices: 60,
    mode: 'online',
    contexts: 1,
    addresses: 1,
    invoiceBytes: 5000,
    limits: planLimits({ name: 'wide', dialect: svc, rates: { invoiceSubmit: wide } }),
  })
  const rehearsal = await rehearse(plan, { name: 'production', dialect: svc }, 7)
  expect(rehearsal.limited).toBeGreaterThan(0)
})

test('prints the plan, writes the chart, and exits 5 when it misses the deadline', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-plan-'))
  try {
    const line = 'plan --invoices 40000 --mode online --deadline 1d --chart plan.html'
    const { out, exit } = await run(line, { cwd: folder })
    expect(out).toContain('time at best   9 d 6 h 1 min (222:01:00)')
    expect(out).toContain('222 rounds of 180 calls, one every 1 h  [180 an hour]')
    expect(exit).toBe(5)
    const html = readFileSync(path.join(folder, 'plan.html'), 'utf8')
    expect(html.match(/<svg /g)).toHaveLength(2)
    expect(html).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/)
    await run('plan --invoices 40 --mode online --chart plan.svg', { cwd: folder })
    expect(readFileSync(path.join(folder, 'plan.svg'), 'utf8')).toMatch(/^<svg /)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('plans by the limits that a target reports', async () => {
  const server = await startServer({ port: 0, managementPort: 0, seed: 5, limits: 'test' })
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-plan-'))
  try {
    writeFileSync(path.join(folder, 'target.json'), JSON.stringify(server.profile))
    const line = 'plan --invoices 40000 --mode online --limits target.json --json'
    const { out, err, exit } = await run(line, { cwd: folder })
    expect(err).toBe('')
    const plan = JSON.parse(out) as { ms: number; design: { limits: string } }
    expect(plan.design.limits).toBe(server.url)
    const ten = planLimits({ name: 'test', dialect: svc, factor: 10 })
    const expected = planSending({
      invoices: 40_000,
      mode: 'online',
      contexts: 1,
      addresses: 1,
      invoiceBytes: 5000,
      limits: ten,
    })
    expect(plan.ms).toBe(expected.schedule?.ends)
    expect(exit).toBe(0)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})

for (const [line, says] of [
  ['plan', 'Missing required argument: invoices'],
  ['plan --invoices 0', '--invoices: expected an integer from 1'],
  ['plan --invoices 5 --deadline soon', '--deadline: expected a duration such as 90s'],
  ['plan --invoices 5 --chart plan.png', 'ends in .svg or .html'],
  ['plan --invoices 5 --limits nowhere.json', '--limits: expected production, test, off'],
] as const)
  test(`assay ${line}: exit 2`, async () => {
    const { err, exit } = await run(line)
    expect(err).toContain(says)
    expect(exit).toBe(2)
  })
