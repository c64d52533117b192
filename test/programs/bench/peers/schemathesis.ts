import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runProgram } from '../../run-program.ts'

/** What Schemathesis says of a service. */

export interface Target {
  readonly url: string
  /** An access token. */
  readonly bearer: string
  /** The OpenAPI description, a file. */
  readonly description: string
}

export interface Effort {
  readonly seed: number
  /** Test cases of an operation in its fuzzing phase. */
  readonly examples: number
}

/** Operations that end the login of the run, or set limits that would refuse everything after them. */
const left = '^(/testdata/(rate-limits|limits)|/auth/sessions/|/testdata/context/)'

interface Report {
  readonly complete: boolean
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[]
}

/** Runs all its checks. @returns what it reports: kind of failure and operation, and how many calls that took. */
export const fuzz = async (
  command: string,
  { url, bearer, description }: Target,
  { seed, examples }: Effort,
  folder: string,
): Promise<{ readonly failures: readonly string[]; readonly calls: number }> => {
  const report = path.join(folder, 'report.json')
  const options: Readonly<Record<string, string>> = {
    '--url': url,
    '--header': `Authorization: Bearer ${bearer}`,
    '--checks': 'all',
    '--max-examples': String(examples),
    '--seed': String(seed),
    '--exclude-path-regex': left,
    '--suppress-health-check': 'all',
    '--report': 'json',
    '--report-json-path': report,
  }
  const { code, err } = await runProgram(
    command,
    ['run', description, '--continue-on-failure', '--no-shrink', ...Object.entries(options).flat()],
    { cwd: folder },
  )
  if (code > 1 || !existsSync(report)) throw new Error(`Schemathesis ended with ${code}: ${err}`)
  const { failures, test_cases: cases } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return {
    failures: failures.flatMap(({ title, operations }) =>
      operations.map((operation) => `${title}: ${operation}`),
    ),
    calls: cases.generated,
  }
}
