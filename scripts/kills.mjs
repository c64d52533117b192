// `node scripts/kills.mjs`: the reference with `--data`, killed at random moments under load, and compared after each.
// Minutes, not seconds: `npm test` kills a few times, at moments that follow from counts of answers.

import process from 'node:process'
import { runBuilt } from './built.mjs'
import { runJob } from './process.mjs'

await runJob(() => runBuilt('suites/meta/kills/main.js', process.argv.slice(2)))
