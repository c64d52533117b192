// `npm run malformation-soak`: many documents of every class of malformation against the reference, and many valid ones.
// Minutes, not seconds: `npm test` tries a few of each class, this tries fifty.

import process from 'node:process'
import { runBuilt } from './built.mjs'
import { runJob } from './process.mjs'

await runJob(() => runBuilt('test/programs/malformation-soak/main.js', process.argv.slice(2)))
