// `node scripts/response-fuzzing.mjs [--seed N] [selectors..]`: the suite against the reference behind a front that gives every
// answer otherwise, as far as the contract leaves it free. `npm test` runs a part of it.

import process from 'node:process'
import { runBuilt } from './built.mjs'
import { runJob } from './process.mjs'

await runJob(() => runBuilt('test/programs/response-fuzzing/main.js', process.argv.slice(2)))
