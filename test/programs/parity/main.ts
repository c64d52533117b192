import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseFindings } from '../../../reports/finding.ts'
import type { Finding } from '../../../reports/finding.ts'
import { runAssay, serve } from '../../served.ts'
import { readCommandLine } from '../command-line.ts'

/** Runs the suite and reads its findings: `rule / variant` -> finding. */
const check = async (
  out: string,
  args: readonly string[],
): Promise<ReadonlyMap<string, Finding>> => {
  const { code, err } = await runAssay(['check', '--seed', '1', '--out', out, ...args])
  const findings = parseFindings(readFileSync(path.join(out, 'findings.ndjson'), 'utf8'))
  process.stderr.write(`${path.basename(out)}: exit ${code}, ${findings.length} findings\n`)
  if (findings.length === 0) process.stderr.write(err)
  return new Map(findings.map((finding) => [`${finding.rule} / ${finding.variant ?? ''}`, finding]))
}

const compare = async (selectors: readonly string[]): Promise<number> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-parity-'))
  // The limits of production, as an embedded run has them.
  const served = await serve(
    '--limits',
    'production',
    '--seed',
    '1',
    '--start-at',
    '2026-06-15T08:00:00Z',
  )
  try {
    const target = path.join(folder, 'target.json')
    writeFileSync(target, JSON.stringify(served.profile))
    const there = await check(path.join(folder, 'served'), [...selectors, '--target', target])
    const here = await check(path.join(folder, 'embedded'), selectors)
    let different = 0
    for (const id of new Set([...here.keys(), ...there.keys()])) {
      const [one, other] = [here.get(id), there.get(id)]
      if (one?.verdict === other?.verdict) continue
      different += 1
      process.stdout.write(
        `${id}: ${one?.verdict ?? 'absent'} embedded, ${other?.verdict ?? 'absent'} served${other?.reason ? ` (${other.reason})` : ''}\n`,
      )
    }
    process.stdout.write(`${here.size} findings, ${different} different\n`)
    return different === 0 && here.size > 0 ? 0 : 1
  } finally {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = await readCommandLine({
  command: 'npm run parity --',
  shows:
    'Shows that a served reference gets the verdicts of an embedded one: runs the suite against both and compares the findings one by one. About four minutes for every rule.',
  takes: { name: 'selectors', describe: 'areas, prefixes or rule ids; every rule when absent' },
  options: {},
})
if (asked !== undefined) process.exitCode = await compare(asked.arguments)
