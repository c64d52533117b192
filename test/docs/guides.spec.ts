import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { findK6 } from '../../load/engine.ts'
import { sampleNote } from '../sample.ts'
import { serve } from '../served.ts'
import { projectRoot } from '../sources.ts'
import { openReaderFolder, shellCommands } from './reader.ts'

/**
 * The commands of README and the guides, run unchanged and in order, except for those that would take minutes or need a
 * certain port. The guides whose blocks are scripts have tests of their own.
 */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')
test.skip(process.platform === 'win32', 'the guides are for a POSIX shell')

/** Replacements, applied in order, that make a command smaller or redirect it. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/--file target\.json/, '--file written.json'],
  [/head -1 > target\.json/, 'head -1 | tee written.json'],
  [/check --target http:\S+/, 'check keys --target $URL'],
  [/check auth --target/, 'check auth.challenge --target'],
  [/check --target target.json/, 'check keys --target target.json'],
  [/http:\/\/127\.0\.0\.1:8080\/api\/v2/, '$URL'],
  [/--target https:\S+ --dialect ksef/, '--target $URL'],
  [/--(port|management-port) 8\d+/g, '--$1 0'],
  [/--count 10000 --sessions/, '--count 40 --sessions'],
  [/--count \d{5}/, '--count 20'],
  [/--profile (?:full|average)/, '--profile smoke --count 40'],
  [/load limit-edge +#/, 'load limit-edge --rules queryMetadata #'],
  [/load --target target.json/, 'load --target target.json --count 5'],
  [/load mixed-day/, 'load mixed-day --profile smoke'],
  [/limits tune --rules .* --out/, 'limits tune --rules queryMetadata --out'],
  [/--wait 60/, '--wait 20'],
  [/--manual --for 60s/, '--manual --for 1s'],
  [/--manual --dialect ksef/, '--manual --for 1s --dialect ksef quiet-day'],
  [/examine client\.limits submit-answer-lost-after/, 'examine submit-answer-lost-after'],
  [/examine (--evidence .*)?-- /, 'examine $1quiet-day -- '],
]

/** What cannot be run here, and why. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/mf\.gov\.pl|\$\(hostname\)/, 'a host of its own'],
  [/--k6-out/, 'a receiver of metrics: test/load/outputs.spec.ts has them'],
  [/dafcd9dbf6|ASSAY_SEQUENCE/, 'the output of a run'],
  [/--dialect yours/, 'a dialect that the reader writes'],
  [/cosign/, 'a tool that is not part of the project'],
]

/** Exit codes other than 0 that an unchanged command may have; the reader still sees the right output. */
const otherExits: readonly (readonly [RegExp, readonly number[]])[] = [
  // The recording exercised no rule, and a service without a client exercises none.
  [/examine --(?:history|har|manual)/, [3]],
]

interface Line {
  readonly text: string
  readonly server: boolean
  /** Why it is not run here. */
  readonly reason: string | undefined
}

/** The commands of a page that start the tool, each on one line. */
const commandsOf = (page: string): readonly Line[] =>
  [...page.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.replace(/^\$ /, '').trim())
    .filter((line) =>
      /^(?:npx )?assay |^openssl (?:genpkey|pkey) |^[A-Z_0-9]+=\S+ .*npx assay /.test(line),
    )
    .map((line) => replaced.reduce((text, [from, to]) => text.replace(from, to), line))
    .map((text) => ({
      text,
      server: /assay (?:serve|record) /.test(`${text} `),
      reason: elsewhere.find(([pattern]) => pattern.test(text))?.[1],
    }))

const needsK6 = /assay (?:load|limits) /

/** A folder that has what the commands name. */
const openFolder = (profile: unknown): string => {
  const folder = openReaderFolder()
  mkdirSync(path.join(folder, 'dist'))
  for (const name of readdirSync(path.join(root, 'contract/xsd')))
    copyFileSync(path.join(root, 'contract/xsd', name), path.join(folder, name))
  copyFileSync(path.join(root, 'contract/xsd/fa3.xsd'), path.join(folder, 'next-year.xsd'))
  const client = path.join(root, 'dist/examples/client/main.js')
  writeFileSync(path.join(folder, 'my-client.js'), `import ${JSON.stringify(client)}\n`)
  writeFileSync(
    path.join(folder, 'my-client'),
    `#!/bin/sh\nexec '${process.execPath}' '${client}'\n`,
    { mode: 0o755 },
  )
  writeFileSync(path.join(folder, 'dist/client.tgz'), 'a build of the client')
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'seed.json'), '{ "contexts": [{ "value": "5265877635" }] }')
  writeFileSync(path.join(folder, 'target.json'), JSON.stringify(profile))
  return folder
}

/** What earlier commands of a page would have left. */
const prepare = (folder: string, text: string): void => {
  const invoices = path.join(folder, 'invoices')
  if (text.includes('lint invoice.xml') && existsSync(invoices)) {
    const first = readdirSync(invoices).find((name) => name.endsWith('.xml')) ?? 'none'
    copyFileSync(path.join(invoices, first), path.join(folder, 'invoice.xml'))
  }
  if (text.includes('recording.har')) {
    const script = `${shellCommands()}assay check keys --har --out har`
    spawnSync('sh', ['-c', script], { cwd: folder })
    const har = readdirSync(path.join(folder, 'har'), { recursive: true, encoding: 'utf8' })
    const one = har.find((name) => name.endsWith('.har')) ?? 'none'
    copyFileSync(path.join(folder, 'har', one), path.join(folder, 'recording.har'))
  }
}

interface Ended {
  readonly exit: number | null
  readonly printed: string
}

/** Runs a command to its end, or, of one that serves, until it has said where. */
const runLine = async (
  folder: string,
  { text, server }: Line,
  env: NodeJS.ProcessEnv,
): Promise<Ended> => {
  const child = spawn('sh', ['-c', shellCommands() + text], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let stopped = false
  const endsItself = !server || / --wait /.test(text)
  const look = (chunk: Buffer): void => {
    printed += chunk.toString('utf8')
    if (endsItself || stopped || !/127\.0\.0\.1:\d+/.test(printed)) return
    stopped = true
    process.kill(-(child.pid ?? 0), 'SIGTERM')
  }
  child.stdout.on('data', look)
  child.stderr.on('data', look)
  const [exit] = (await once(child, 'close')) as [number | null]
  const inBackground = /^stop +kill (\d+)/m.exec(printed)?.[1]
  if (inBackground !== undefined) process.kill(Number(inBackground))
  return { exit: stopped ? 0 : exit, printed }
}

const pages = [
  'README.md',
  ...readdirSync(path.join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
].filter((page) =>
  commandsOf(readFileSync(path.join(root, page), 'utf8')).some(
    ({ reason }) => reason === undefined,
  ),
)

for (const page of pages)
  test(`${page}: its commands run`, async () => {
    test.setTimeout(600_000)
    const served = await serve('--limits', 'production')
    const folder = openFolder(served.profile)
    const env = { ...process.env, FORCE_COLOR: '0', URL: served.profile.url }
    const noK6 = 'missing' in (await findK6({ build: false }))
    try {
      for (const line of commandsOf(readFileSync(path.join(root, page), 'utf8'))) {
        const reason =
          line.reason ?? (noK6 && needsK6.test(line.text) ? 'k6 is not here' : undefined)
        if (reason !== undefined) {
          console.log(`not run: ${line.text} (${reason})`)
          continue
        }
        prepare(folder, line.text)
        const { exit, printed } = await runLine(folder, line, env)
        const [, others = []] = otherExits.find(([pattern]) => pattern.test(line.text)) ?? []
        const message = `${line.text}\n${printed}\n(${sampleNote})`
        expect([0, ...others], message).toContain(exit)
        expect(printed, message).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
      }
    } finally {
      await served.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
