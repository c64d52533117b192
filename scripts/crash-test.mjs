// `node scripts/crash-test.mjs`: the reference with `--data`, killed at random moments under load, and compared after each.
// Minutes, not seconds: `npm test` kills a few times, at moments that follow from counts of answers.

import process from 'node:process'
import { runBuilt } from './built.mjs'
import { runJob } from './process.mjs'

await runJob(() => runBuilt('test/programs/crash-test/main.js', process.argv.slice(2)))
