import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { commandNames } from '../../cli/commands.ts'
import { exitMeanings, exits } from '../../cli/io.ts'
import { parse } from '../../cli/parse.ts'
import { pkcs12 } from '../../lib/node/pkcs12.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { readTarget } from '../../lib/node/target.ts'
import { projectRoot } from '../sources.ts'
import { openReaderFolder } from './reader.ts'

/** What a reader pastes from the documentation works: commands, scripts, links, JSON. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...['guides', 'tutorials'].flatMap((folder) =>
    readdirSync(path.join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
]
const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8')

interface Block {
  readonly language: string
  readonly text: string
}

const blocksOf = (page: string): Block[] =>
  [...textOf(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  )

/** The lines of a page that start `assay`, without what the shell makes of their ends. */
const commandsOf = (page: string): string[] =>
  blocksOf(page).flatMap(({ text }) =>
    text
      .split('\n')
      .flatMap((line) => /^(?:npx )?assay (.*)$/.exec(line)?.[1] ?? [])
      .map((line) => line.replace(/\s+(#|\||>|&).*$/, '').replaceAll(/"?\$\(hostname\)/g, 'host')),
  )

const argumentsOf = (line: string): string[] =>
  line.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''))

/** One JSON document, or one in each line. */
const parseJson = (text: string): unknown[] =>
  (text.includes('}\n{') ? text.trim().split('\n') : [text]).map(
    (document) => JSON.parse(document) as unknown,
  )

for (const page of pages)
  test(`${page}: commands, scripts, links and JSON are right`, async () => {
    for (const line of commandsOf(page)) {
      const parsed = await parse(argumentsOf(line)).catch((error: unknown) => error)
      expect(parsed, `assay ${line}`).not.toBeInstanceOf(Error)
    }
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    for (const [, script = ''] of textOf(page).matchAll(/\bnpm run ([\w-]+)/g))
      expect(Object.keys(scripts), `npm run ${script}`).toContain(script)
    for (const [, target = ''] of textOf(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
      expect(existsSync(path.join(root, path.dirname(page), target)), target).toBe(true)
    for (const { language, text } of blocksOf(page))
      if (language === 'json') expect(() => parseJson(text), text).not.toThrow()
  })

test('README lists every command and every exit code', () => {
  const readme = textOf('README.md')
  const names = [...readme.matchAll(/^\| `assay (\w+)/gm)].map(([, name = '']) => name)
  expect(names.toSorted()).toEqual([...commandNames, 'completion'].toSorted())
  const codes = [...readme.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ])
  expect(codes).toEqual(
    Object.entries(exits).map(([name, code]) => [code, exitMeanings[name as keyof typeof exits]]),
  )
})

test('profiles in the guides are valid', () => {
  for (const page of ['docs/guides/test-your-service.md', 'docs/guides/target-profiles.md']) {
    const directory = mkdtempSync(path.join(tmpdir(), 'assay-docs-'))
    for (const { language, text } of blocksOf(page)) {
      if (language !== 'json' || !text.includes('"url"')) continue
      writeFileSync(path.join(directory, 'target.json'), text)
      const env = { SERVICE_TOKEN: 'a', DEMO_TOKEN: 'b', SEAL_PASSPHRASE: 'c' }
      expect(() => readTarget('target.json', { env, cwd: directory }), text).not.toThrow(
        /not valid|unknown|must/,
      )
    }
    rmSync(directory, { recursive: true })
  }
})

test('the example profiles are valid', () => {
  const examples = path.join(root, 'examples/profiles')
  const env = { SERVICE_TOKEN: 'a', READER_TOKEN: 'b', SEAL_PASSPHRASE: 'c' }
  const names = readdirSync(examples)
  expect(names.length).toBeGreaterThan(5)
  const directory = mkdtempSync(path.join(tmpdir(), 'assay-docs-'))
  const { privateKey, certificate } = makeCertificate({
    subject: sealSubject('5265877635'),
    now: Date.now(),
    keys: 'p256',
  })
  const seal = { password: env.SEAL_PASSPHRASE, name: 'seal' }
  writeFileSync(path.join(directory, 'seal.p12'), pkcs12(privateKey, certificate, seal))
  for (const name of names) {
    copyFileSync(path.join(examples, name), path.join(directory, name))
    expect(() => readTarget(name, { env, cwd: directory }), name).not.toThrow()
  }
  rmSync(directory, { recursive: true })
})

test('generate.md: the example for tests of your own runs', () => {
  const example = blocksOf('docs/guides/generate.md').find(({ language }) => language === 'ts')
  const directory = openReaderFolder('fast-check')
  const script = path.join(directory, 'example.mjs')
  writeFileSync(
    script,
    `${example?.text}\nfunction accepted(bytes) { return bytes.length > 0 }\nconsole.log('done')\n`,
  )
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('done\n')
  rmSync(directory, { recursive: true })
})
