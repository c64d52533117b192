import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import type { Emitted } from '../../cli/load/k8s/emit.ts'
import { mount, testRun } from '../../cli/load/k8s/manifests.ts'
import type { LoadResult } from '../../cli/load/result.ts'
import { findK6 } from '../../load/engine.ts'
import { optionsOf } from '../../load/segment.ts'
import { startServer } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import type { Said } from '../cli/in-process.ts'
import { testRunValidator } from './operator.ts'

/** A load that is exported for k6-operator: valid there, and executed here as the operator executes it. */

const run = { name: 'assay-a', segments: 3, image: 'grafana/k6:2.2.0', outputs: [], bytes: 1 }

test('the custom resource of k6-operator accepts the manifest, and rejects what it does not know', async () => {
  test.setTimeout(90_000)
  const validate = await testRunValidator()
  if ('missing' in validate) {
    test.skip(true, validate.missing)
    return
  }
  const manifest = testRun({ ...run, outputs: ['opentelemetry'] })
  validate(manifest)
  expect(validate.errors).toBeNull()
  const { spec } = manifest
  for (const wrong of [
    { ...spec, parallelism: '3' },
    { ...spec, paralelism: 3 },
    { ...spec, script: { volume: 'assay-a' } },
    { ...spec, runner: { ...spec.runner, env: [{ value: 'without a name' }] } },
  ])
    expect(validate({ ...manifest, spec: wrong }), JSON.stringify(wrong)).toBe(false)
})

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-cluster-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const assay = (...args: string[]): Promise<Said> =>
  runInProcess(['load', ...args], { env: process.env, cwd: folder })

/** Paths below the mount of the volume, as paths of this machine. */
const here = (text: string): string =>
  text.replaceAll(`${mount}/`, `${path.join(folder, 'out/files')}/`)

/** Runs one pod: its command as the operator builds it. */
const runPod = async (
  k6: string,
  { spec }: ReturnType<typeof testRun>,
  index: number,
): Promise<string> => {
  const { executionSegment, executionSegmentSequence } = optionsOf({
    index,
    count: spec.parallelism,
  })
  const secrets = readFileSync(path.join(folder, 'out/secrets.json'), 'utf8')
  const env = Object.fromEntries(
    spec.runner.env.map((one) => [one.name, 'value' in one ? (one.value ?? '') : secrets]),
  )
  const child = spawn(
    k6,
    [
      'run',
      '--quiet',
      `--execution-segment=${executionSegment}`,
      `--execution-segment-sequence=${executionSegmentSequence}`,
      ...here(spec.arguments).split(' '),
      here(`${mount}/${spec.script.volumeClaim.file}`),
      '--address=',
      '--tag',
      `instance_id=${index + 1}`,
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void said.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const log = Buffer.concat(said).toString('utf8')
  expect(code, log).toBe(0)
  return log
}

test('pods run the emitted load, and their logs yield the verdict', async () => {
  test.setTimeout(120_000)
  const k6 = await findK6({ build: false })
  if ('missing' in k6) {
    test.skip(true, 'k6 is not installed')
    return
  }
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
  try {
    const { contexts } = server.profile
    writeFileSync(
      path.join(folder, 'target.json'),
      JSON.stringify({ url: server.url, environment: 'test', contexts }),
    )
    const target = ['--target', 'target.json', '--limits', 'off']
    const size = ['--count', '60', '--rate', '30', '--segments', '2', '--namespace', 'Pods-']
    const emitted = await assay('--emit', 'k8s', '--out', 'out', '--json', ...size, ...target)
    expect(emitted.exit, emitted.err).toBe(0)
    const { name, next } = JSON.parse(emitted.out) as Emitted
    expect(name).toBe('assay-pods')
    expect(next.at(-1)).toBe('assay load collect out out/pods.log --target target.json')
    const inFolder = (file: string) => path.join(folder, 'out', file)
    const manifest = JSON.parse(readFileSync(inFolder('testrun.json'), 'utf8')) as ReturnType<
      typeof testRun
    >
    expect(manifest).toMatchObject({ metadata: { name }, spec: { parallelism: 2 } })
    const { refreshTokens } = JSON.parse(readFileSync(inFolder('secrets.json'), 'utf8')) as {
      refreshTokens: string[]
    }
    expect(refreshTokens).toHaveLength(2)
    expect(statSync(inFolder('secrets.json')).mode & 0o777).toBe(0o600)
    for (const file of readdirSync(inFolder('files'), { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(
          readFileSync(path.join(file.parentPath, file.name), 'utf8').includes(
            refreshTokens[0] ?? '',
          ),
          file.name,
        ).toBe(false)

    const assignment = inFolder('files/corpus/assignment.json')
    writeFileSync(assignment, here(readFileSync(assignment, 'utf8')))
    const logs = await Promise.all([0, 1].map((index) => runPod(k6.path, manifest, index)))
    writeFileSync(inFolder('pods.log'), logs.join(''))
    const collected = await assay('collect', 'out', 'out/pods.log', '--json', ...target)
    expect(collected.exit, collected.err).toBe(0)
    const result = JSON.parse(collected.out) as LoadResult
    expect(result.reasons).toEqual([])
    expect(result).toMatchObject({ accepted: 60, segments: 2, contexts: 2, sessions: 2 })

    // The log of one pod alone is not the whole run.
    writeFileSync(inFolder('half.log'), logs[0] ?? '')
    const half = await assay('collect', 'out', 'out/half.log', '--json', ...target)
    expect(half.exit).toBe(3)
    expect((JSON.parse(half.out) as LoadResult).reasons.join()).toContain(
      '1 of 2 sessions did not reach their end',
    )
  } finally {
    await server.close()
  }
})

test('a load is not emitted for the embedded reference, nor collected from nothing', async () => {
  expect(await assay('--emit', 'k8s')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('--emit: expected --target'),
  })
  expect(await assay('collect')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('expected a directory and logs, received nothing'),
  })
  expect(await assay('collect', '.', 'a.log', '--target', 'http://127.0.0.1:1')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('expected a directory that `assay load --emit k8s` wrote'),
  })
})
