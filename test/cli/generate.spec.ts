import { createDecipheriv } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { main } from '../../cli/main.ts'
import { sampled } from '../sample.ts'

/** `assay generate` from the outside: what it refuses, and that an interrupted run ends with the same files. */

let directory = ''
test.beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'assay-generate-'))
})
test.afterEach(() => rmSync(directory, { recursive: true, force: true }))

async function generate(line: string, { interactive = false, stopAt = Number.NaN } = {}) {
  const said = { out: '', err: '', drawn: '' }
  const stop = new AbortController()
  let lines = 0
  const exit = await main(['generate', ...line.split(' '), '--json'], {
    out: (text) => {
      said.out += text
      lines += 1
      if (lines === stopAt) stop.abort()
    },
    err: (text) => void (said.err += text),
    env: {},
    cwd: directory,
    interactive,
    draw: (text) => void (said.drawn += text),
    signal: stop.signal,
  })
  return { exit, ...said }
}

const at = (...parts: readonly string[]) => path.join(directory, ...parts)
const contents = (folder: string) =>
  Object.fromEntries(
    readdirSync(at(folder)).map((name) => [name, readFileSync(at(folder, name), 'hex')]),
  )

for (const [line, says] of [
  ['--lines 0', '--lines: expected an integer from 1'],
  ['--lines 10001', 'lines: 1 to 10000 are possible'],
  ['--bytes 10', 'bytes: 10 is too little'],
  ['--bytes 1200.5', '--bytes: expected an integer'],
  ['--bytes 100000000', 'at most 1000000 bytes without an attachment'],
  ['--seller 5265877636', 'the check digit of 5265877636 is wrong'],
  ['--schema fa2 --issue-date 2026-03-01', 'FA(2) ended on 2026-01-31'],
  ['--issue-date 2026-02-30', 'issueDate: a day from 2019-01-01'],
  ['--issue-date tomorrow', 'issueDate: a day from 2019-01-01'],
  ['--issue-date 2051-01-01', 'issueDate: a day from 2019-01-01'],
  ['--seller 5265877635 --buyer 5265877635', 'is the seller too'],
  ['--seller 1000000000', 'expected a NIP'],
  ['--schema fa2 --attachment', 'FA(2) has none'],
  ['--malformed nope', 'no layer, class or prefix of a class matches nope'],
  ['--malformed all --coverage', 'cannot be combined with --coverage'],
  ['--coverage --lines 5', '--lines cannot be combined with --coverage'],
  [
    '--xsd nowhere.xsd --root A --issue-date 2026-01-01',
    '--issue-date cannot be combined with --xsd',
  ],
  ['--xsd nowhere.xsd', '--xsd requires --root NAME'],
  ['--xsd nowhere.xsd --root A', 'nowhere.xsd'],
  ['--xsd . --root A', 'is a directory'],
  ['--root A', '--root requires --xsd'],
  ['--encrypted --key abc', '--key: expected 32 bytes'],
  ['--encrypted --iv AAAA', '--iv: expected 16 bytes'],
  ['--iv AAAA', 'require --encrypted'],
  ['--part-bytes 5', 'requires --archive'],
  ['--archive zip --part-bytes 0', '--part-bytes: expected an integer'],
  ['--archive zip --count 10001', 'expected at most 10000 invoices'],
] as const)
  test(`assay generate ${line}: explained`, async () => {
    const { exit, err, out } = await generate(`${line} --out made`)
    expect(err).toContain(says)
    expect(err, 'a foreseen mistake').not.toContain('internal error')
    expect(out).toBe('')
    expect(exit).toBe(2)
  })

test('an interrupted run continues with its seed and key, and ends with the same bytes', async () => {
  const line = '--count 12 --encrypted --out'
  const stopped = await generate(`${line} made`, { stopAt: 5 })
  expect(stopped.exit).toBe(130)
  expect(stopped.err).toContain('run the same command again to continue')
  expect((await generate(`${line} made`)).exit).toBe(0)
  const { seed } = JSON.parse(readFileSync(at('made', 'corpus.json'), 'utf8')) as { seed: number }
  const secret = JSON.parse(readFileSync(at('made', 'secret.json'), 'utf8')) as {
    key: string
    iv: string
  }
  const { key, iv } = secret
  expect((await generate(`${line} whole --seed ${seed} --key ${key} --iv ${iv}`)).exit).toBe(0)
  expect(contents('made')).toEqual(contents('whole'))
  for (const name of readdirSync(at('made')).filter((each) => /^fa3.*json$/.test(each))) {
    const body = JSON.parse(readFileSync(at('made', name), 'utf8')) as Record<string, string>
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
    const decipher = createDecipheriv('aes-256-cbc', bytes(key), bytes(iv))
    const plain = Buffer.concat([
      decipher.update(bytes(body['encryptedInvoiceContent']!)),
      decipher.final(),
    ])
    expect(plain.toString()).toBe(readFileSync(at('made', name.replace('json', 'xml')), 'utf8'))
  }
})

test('a directory of other documents, or of another key, is not changed', async () => {
  expect((await generate('--count 2 --seed 1 --out made')).exit).toBe(0)
  const before = contents('made')
  for (const other of [
    '--count 3 --seed 1',
    '--count 2 --seed 1 --encrypted',
    '--count 2 --seed 2',
  ])
    expect(await generate(`${other} --out made`)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('describes other documents'),
    })
  expect((await generate('--count 2 --seed 1 --archive zip --out made')).exit).toBe(0)
  const key = Buffer.alloc(32).toString('base64')
  expect(await generate(`--count 2 --seed 1 --archive zip --key ${key} --out made`)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('holds another key'),
  })
  expect(contents('made')).toMatchObject(before)
})

test('reports a directory that cannot be written', async () => {
  writeFileSync(at('file'), 'in the way')
  const { exit, err } = await generate('--count 1 --out file/made')
  expect(err).toContain('ENOTDIR')
  expect(err).not.toContain('internal error')
  expect(exit).toBe(2)
})

test('shows a progress bar on a terminal', async () => {
  const shown = await generate('--count 600 --profile retail --seed 1 --out a', {
    interactive: true,
  })
  expect(shown.drawn).toMatch(/\r\[#+\.*\] generate: \d+ of 600 done, about \d+ s left/)
  expect(shown.err).not.toContain('\r')
})

test('verifies an earlier run, and rewrites missing or damaged files', async () => {
  await generate('--count 4 --seed 1 --out a')
  const whole = contents('a')
  rmSync(at('a', 'fa3-000001.xml'))
  writeFileSync(at('a', 'fa3-000002.xml'), 'damaged')
  const { err, exit } = await generate('--count 4 --seed 1 --out a')
  expect(exit).toBe(0)
  expect(err).toContain('4 from an earlier run, of which 2 missing or damaged and written again')
  expect(contents('a')).toEqual(whole)
})

test('rewrites a damaged index from its first damaged line', async () => {
  await generate('--count 4 --seed 1 --out a')
  const whole = contents('a')
  const [first, ...others] = readFileSync(at('a', 'index.ndjson'), 'utf8').split('\n')
  writeFileSync(at('a', 'index.ndjson'), [first, 'no JSON', ...others].join('\n'))
  const { err, exit } = await generate('--count 4 --seed 1 --out a')
  expect(exit, err).toBe(0)
  expect(contents('a')).toEqual(whole)
})

for (const [file, damaged] of [
  ['corpus.json', '{'],
  ['secret.json', '{"key": "AAAA"}'],
] as const)
  test(`a damaged ${file} is named`, async () => {
    await generate('--count 1 --seed 1 --encrypted --out a')
    writeFileSync(at('a', file), damaged)
    const { err, exit } = await generate('--count 1 --encrypted --out a')
    expect(err).toContain(`${file} is damaged`)
    expect(exit).toBe(2)
  })

test('another profile yields other numbers with the same seed and namespace', async () => {
  const numbersOf = async (profile: string) => {
    await generate(`--count 5 --seed 1 --profile ${profile} --out ${profile}`)
    return readdirSync(at(profile))
      .filter((name) => name.endsWith('.xml'))
      .map((name) => /<P_2>([^<]*)</.exec(readFileSync(at(profile, name), 'utf8'))?.[1])
  }
  const [retail, services] = [await numbersOf('retail'), await numbersOf('services')]
  expect(retail).toHaveLength(5)
  expect(retail.filter((number) => services.includes(number))).toEqual([])
})

test('lists and generates every layer, and states the place of the fault in the index', async () => {
  const { out } = await generate('--malformed list')
  const layers = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { layer: string }).layer)
  expect(new Set(layers)).toEqual(new Set([...layers, 'values', 'json', 'headers', 'signature']))
  for (const layer of sampled(['headers', 'metadata', 'auth-request', 'values'], 3, 'layers')) {
    const made = await generate(`--malformed ${layer} --count 2 --seed 1 --out ${layer}`)
    expect(made.exit, layer).toBe(0)
    for (const line of made.out.trim().split('\n'))
      expect(JSON.parse(line), layer).toMatchObject({ fault: { path: expect.stringMatching(/./) } })
  }
})
