import path from 'node:path'
import process from 'node:process'
import { dialects } from '../../contract/dialects.ts'
import type { Finding } from '../../reports/finding.ts'
import type { Examination } from '../../suites/client/examination.ts'
import { examine } from '../../suites/client/examination.ts'
import type { Driver } from '../../suites/client/driver.ts'
import { startsCommand } from '../../suites/client/driver.ts'
import type { OrdealId } from '../../suites/client/ordeals.ts'
import type { Io } from '../io.ts'
import { built } from '../root.ts'
import { findingsOf } from './findings.ts'

/** The examination of the model client with a handful of ordeals, as `certify` runs it: the other side of the contract. */

const handful: readonly OrdealId[] = [
  'quiet-day',
  'quiet-batch',
  'limit-on-submit',
  'submit-answer-lost-after',
  'killed-after-submit',
  'key-rotated-before-open',
  'duplicate-of-earlier-run',
  'fault-503',
]

/** Starts the model client, or a broken variant of it. */
export const modelClient = (io: Io, variant?: string): Driver =>
  startsCommand(
    [process.execPath, path.join(built, 'examples', 'client', 'main.js')],
    io.cwd,
    variant === undefined ? {} : { ASSAY_VARIANT: variant },
  )

export const examineModelClient = (seed: number, strict: boolean, io: Io): Promise<Examination> =>
  examine({
    drive: modelClient(io),
    dialect: dialects.svc,
    seed,
    signal: io.signal,
    ordeals: handful,
    strict,
  })

export const modelClientFindings = (found: Examination): Finding[] =>
  findingsOf(
    found,
    { check: 'the model client keeps the rule in a handful of ordeals', variant: 'model client' },
    () => `assay examine ${handful.join(' ')} --seed ${found.seed} -- node examples/client/main.js`,
  )
