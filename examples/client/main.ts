import process from 'node:process'
import { sound } from './conduct.ts'
import { run } from './run.ts'
import { readTask } from './task.ts'
import { variantOf } from './variants.ts'

/**
 * The model client: issues and receives as `ASSAY_TASK` says, against the service at `ASSAY_URL`. It may be killed at
 * any time; started again with the same task, it goes on where it was. `ASSAY_VARIANT` names a broken variant.
 */
try {
  const variant = process.env['ASSAY_VARIANT']
  const conduct = variant === undefined ? sound : { ...sound, ...variantOf(variant).conduct }
  await run(readTask(process.env), conduct)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
