// Runs a program of dist/ from a fresh clone: `node scripts/program.mjs NAME [args...]`. These programs are for people
// who work on the project; each states in its `--help` what it shows.

import process from 'node:process'
import { runBuilt } from './built.mjs'
import { runJob } from './process.mjs'

const programs = {
  bench: 'test/programs/bench/main.js',
  'bench:peers': 'test/programs/bench/peers/main.js',
  clients: 'test/programs/clients/main.js',
  'crash-test': 'test/programs/crash-test/main.js',
  fuzz: 'test/programs/fuzz/main.js',
  'malformation-soak': 'test/programs/malformation-soak/main.js',
  'package-test': 'test/programs/package-test/main.js',
  parity: 'test/programs/parity/main.js',
  'template-test': 'test/programs/template-test/main.js',
  'response-fuzzing': 'test/programs/response-fuzzing/main.js',
}

const [name = '', ...args] = process.argv.slice(2)
await runJob(() => {
  if (Object.hasOwn(programs, name)) return runBuilt(programs[name], args)
  console.error(`usage: node scripts/program.mjs ${Object.keys(programs).join('|')} [args...]`)
  return 2
})
