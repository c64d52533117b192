import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, test } from '@playwright/test'
import { minimalInvoice } from '../../generators/invoice/invoice.ts'
import { openOnline, settleInvoice, submit } from '../../lib/flows/session.ts'
import type { OnlineSession } from '../../lib/flows/session.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import type { Profile } from '../../reference/server/server.ts'
import { crashRepeatedly } from '../programs/crash-test/run.ts'
import { clientOf } from '../programs/crash-test/world.ts'
import { commandLine, runAssay, serve } from '../served.ts'
import type { Served } from '../served.ts'
import { sampled } from '../sample.ts'
import { projectRoot } from '../sources.ts'
import { runInProcess } from '../cli/in-process.ts'

/**
 * What `--data` keeps. After `kill -9` at any moment, under load: no accepted invoice is lost, no duplicate forgotten,
 * and no answer becomes untrue. Here counts of answers determine the moments; `npm run crash-test` takes random ones,
 * and more of them. And a store that cannot be used reports why.
 */

test('no confirmed change is lost when the process is killed', async () => {
  test.setTimeout(240_000)
  const moments = [...sampled([12, 1], 2, 'moments of a kill')]
  const report = await crashRepeatedly({
    data: test.info().outputPath('store'),
    rounds: moments.length,
    moment(round) {
      let left = moments[round - 1] ?? 1
      let reach = (): void => undefined
      const reached = new Promise<void>((resolve) => (reach = resolve))
      return {
        answered: () => {
          if (--left === 0) reach()
        },
        reached,
      }
    },
    sample: () => [],
    say: (line) => test.info().annotations.push({ type: 'kill', description: line }),
  })
  expect(report.differences).toEqual([])
  expect(report.facts).toBeGreaterThanOrEqual(moments.reduce((sum, count) => sum + count))
})

test('only one process can use a store', async () => {
  const data = test.info().outputPath('store')
  const served = await serve('--data', data)
  try {
    const second = await runAssay(['serve', '--port', '0', '--data', data])
    expect(second.code).toBe(3)
    expect(second.err).toMatch(
      /is in use by process \d+: expected one process at a time; stop that/,
    )
  } finally {
    expect(await served.stop()).toBe(0)
  }
  const next = await serve('--data', data)
  expect(await next.stop()).toBe(0)
})

test.describe('an unusable store is reported with its reason and what to do', () => {
  let good: string
  test.beforeAll(async () => {
    good = path.join(test.info().project.outputDir, `good-${process.pid}`)
    const served = await serve('--data', good)
    await served.stop()
  })

  /** Starts on a copy of a good store that something happened to. */
  const startOn = async (happens: (file: string) => void, ...args: string[]) => {
    const data = test.info().outputPath('store')
    cpSync(good, data, { recursive: true })
    happens(path.join(data, 'store.mdb'))
    const serving = ['serve', '--port', '0', '--no-all-environments', '--data', data]
    // In a process of its own: a damaged store can take the process with it.
    const { code, out, err } = await runAssay([...serving, ...args])
    return { exit: code, out, err }
  }
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'another beginning': (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xa5, 0, 8192))
    },
    'another middle': (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xa5, 12_288))
    },
    'a missing end': (file) => truncateSync(file, 20_480),
    'hardly anything left': (file) => truncateSync(file, 100),
    'nothing left': (file) => truncateSync(file, 0),
    'a text': (file) => writeFileSync(file, 'no store\n'.repeat(100)),
  }
  for (const [what, happens] of Object.entries(damages)) {
    test(`damaged: ${what}`, async () => {
      const { exit, out, err } = await startOn(happens)
      expect(err).toMatch(
        /^assay: --data: the store \S+ is damaged: expected .*, received .*; put a copy/,
      )
      expect([exit, out]).toEqual([2, ''])
    })
  }

  test('of another dialect, of another environment', async () => {
    const others = [
      ['dialect', 'ksef', 'svc'],
      ['environment', 'production', 'test'],
    ] as const
    for (const [option, other, own] of sampled(others, 2, 'options of a store')) {
      const { exit, err } = await startOn(() => undefined, `--${option}`, other)
      expect(err).toContain(
        `belongs to another ${option}: expected ${other}, received ${own}; start with --${option} ${own} or name`,
      )
      expect(exit).toBe(2)
    }
  })

  test('of an older format', async () => {
    for (const [found, change] of [
      ['one from before formats had numbers', "root.removeSync(['store', 'kind'])"],
      ['0', "root.putSync(['store', 'kind'], { order: 0, value: { format: 0 } })"],
    ] as const) {
      const { exit, err } = await startOn((file) => {
        const script = `import { open } from 'lmdb'
          const root = open({ path: process.argv[1], encoding: 'msgpack', compression: false })
          ${change}
          await root.close()`
        const { stderr } = spawnSync(
          process.execPath,
          ['--input-type=module', '-e', script, file],
          { cwd: projectRoot() ?? process.cwd(), encoding: 'utf8' },
        )
        expect(stderr).toBe('')
      })
      expect(err).toContain(`has another format: expected 1, received ${found}; use the version`)
      expect(exit).toBe(2)
    }
  })

  test('in a directory that cannot be created', async () => {
    const file = test.info().outputPath('file')
    appendFileSync(file, '')
    for (const [data, says] of [
      [file, 'exists and is not a directory'],
      [path.join(file, 'below'), 'leads through a file that is not a directory'],
    ] as const) {
      const { exit, err } = await runInProcess(['serve', '--port', '0', '--data', data])
      expect(err).toContain(file)
      expect(err).toContain(says)
      expect(exit).toBe(2)
    }
  })
})

/** A service whose files may not grow beyond so many blocks of 512 bytes, as on a disk that gets full. */
const serveInLittleRoom = async (data: string, blocks: number) => {
  const child = spawn(
    'sh',
    ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, commandLine()].concat([
      'serve',
      '--port',
      '0',
      '--no-all-environments',
      '--limits',
      'off',
      '--json',
      '--data',
      data,
    ]),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
  const ended = once(child, 'close') as Promise<[number | null]>
  const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  return {
    profile: JSON.parse(String(first.value)) as Profile,
    ended: async () => ({ code: (await ended)[0], err }),
  }
}

test('a full disk ends the service, and confirmed changes are kept', async () => {
  test.skip(process.platform === 'win32', 'needs a shell with ulimit')
  test.setTimeout(120_000)
  const data = test.info().outputPath('store')
  mkdirSync(data, { recursive: true })
  const full = await serveInLittleRoom(data, 2_000)
  const [context] = full.profile.contexts
  const { client, close } = clientOf(full.profile)
  const login = { context: { type: 'Nip', value: context!.value }, token: context!.token } as const
  const answered: string[] = []
  let session: OnlineSession | undefined
  const sending = async (): Promise<void> => {
    const api = client.with({ bearer: (await loginWithToken(client, login)).accessToken })
    session = await openOnline(api, { formCode: 'FA (3)' })
    for (;;) {
      const plain = minimalInvoice({
        seller: context!.value,
        number: `F/${answered.length}`,
        issueDate: '2026-03-02',
      })
      const xml = Buffer.concat([plain, Buffer.from(`<!--${'x'.repeat(20_000)}-->`)])
      answered.push((await submit(api, session, xml)).referenceNumber)
    }
  }
  await expect(sending()).rejects.toThrow()
  close()
  const { code, err } = await full.ended()
  expect(err).toMatch(/^assay: --data: the store \S+ cannot be written any more: .*make room/m)
  expect(code).toBe(3)
  expect(answered.length).toBeGreaterThan(0)

  const served: Served = await serve('--data', data)
  const later = clientOf(served.profile)
  try {
    const { accessToken } = await loginWithToken(later.client, login)
    const api = later.client.with({ bearer: accessToken })
    for (const reference of answered) {
      const { status } = await settleInvoice(api, session!, reference)
      expect(status.code, reference).toBe(200)
    }
  } finally {
    later.close()
    expect(await served.stop()).toBe(0)
  }
})
