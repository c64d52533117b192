import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import { lintInvoice } from '../../lint/lint.ts'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { sha256Hex } from '../../generators/corpus/corpus.ts'
import type { CorpusLine } from '../../generators/corpus/corpus.ts'
import type { BatchFile } from '../../generators/requests/package.ts'
import { decrypted, hash64 } from '../../generators/requests/payload.ts'
import {
  coverageDocuments,
  malformedDocuments,
  schemaDocuments,
  selectMalformations,
  validDocuments,
  withBodies,
} from '../../generators/corpus/streams.ts'
import { CorpusMismatchError, writeCorpus } from '../../generators/corpus/write.ts'
import { writePackage } from '../../generators/corpus/package.ts'
import { readZip } from '../../lib/node/archive.ts'
import { xsdPath } from '../../lib/node/xsd.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

/** What `assay generate` writes: files and an index that agree, continued where a run broke off. */

const { seed } = runOptions
const options = { schema: 'fa3', seed, count: 30, profile: 'services' } as const
const secret = { key: new Uint8Array(32).fill(7), iv: new Uint8Array(16).fill(9) }
const read = (file: string) => new Uint8Array(readFileSync(file))
const linesOf = (directory: string) =>
  readFileSync(path.join(directory, 'index.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CorpusLine)

let directory = ''
test.beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'assay-corpus-'))
})
test.afterEach(() => rmSync(directory, { recursive: true, force: true }))
test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

const write = (count: number, signal?: AbortSignal, stopAt?: AbortController) =>
  writeCorpus((from) => validDocuments({ ...options, count }, from), {
    directory,
    description: { ...options },
    ...(signal && { signal }),
    onProgress: (written) => {
      if (written === 10) stopAt?.abort()
    },
  })

test('an interrupted run continues where it stopped and ends with the same files', async () => {
  const stop = new AbortController()
  expect(await write(30, stop.signal, stop)).toEqual({ resumedAt: 0, written: 10, repaired: 0 })
  // As if the power had gone: half a line, and a file without a line.
  appendFileSync(path.join(directory, 'index.ndjson'), '{"file":"fa3-0000')
  writeFileSync(path.join(directory, 'fa3-000010.xml'), 'half')
  expect(await write(30)).toEqual({ resumedAt: 10, written: 30, repaired: 0 })
  const wanted = [...validDocuments(options)]
  expect(linesOf(directory)).toEqual(wanted.map(({ line }) => line))
  for (const { file, bytes, sha256 } of linesOf(directory)) {
    const content = read(path.join(directory, file))
    expect(content.length, file).toBe(bytes)
    expect(sha256Hex(content), file).toBe(sha256)
  }
  expect(await write(30), 'nothing is left to do').toEqual({
    resumedAt: 30,
    written: 30,
    repaired: 0,
  })
})

test('rejects other options for the same directory', async () => {
  await write(2)
  const other = writeCorpus(() => [], { directory, description: { ...options, seed: seed + 1 } })
  await expect(other).rejects.toThrow(CorpusMismatchError)
})

const schemas = invoiceSchemasByNamespace()
const findFaults = (bytes: Uint8Array) => lintInvoice(bytes, { schemas, today: '2026-06-15' })

test('malformed documents: one of each class, or as many as asked for, with rule and refusal', () => {
  const classes = selectMalformations('fa3', ['missing'])
  const each = [...malformedDocuments({ schema: 'fa3', seed }, ['missing'], findFaults)].map(
    ({ line }) => line,
  )
  expect(each.map(({ malformation }) => malformation)).toEqual(classes.map(({ id }) => id))
  expect(new Set(each.map(({ expect: refusal }) => refusal))).toEqual(new Set(['invoice-invalid']))
  const some = [
    ...malformedDocuments({ schema: 'fa3', seed, count: 12 }, ['value:TKwotowy/'], findFaults),
  ]
  expect(some).toHaveLength(12)
  expect(some.every(({ line }) => line.malformation?.startsWith('value:TKwotowy/'))).toBe(true)
  expect(() => [
    ...malformedDocuments({ schema: 'fa3', seed }, ['no such class'], findFaults),
  ]).toThrow('no such class')
})

test('writes request bodies that are ready to send', () => {
  for (const { bytes, beside } of withBodies(validDocuments({ ...options, count: 3 }), secret)) {
    const body = JSON.parse(new TextDecoder().decode(beside![0]!.bytes)) as Record<string, string>
    const content = Buffer.from(body['encryptedInvoiceContent']!, 'base64')
    expect(Buffer.from(decrypted(content, secret)!).equals(bytes)).toBe(true)
    expect(body['invoiceHash']).toBe(hash64(bytes))
  }
})

test('a package contains all documents, and its parts decrypt to it', () => {
  const documents = [...validDocuments({ ...options, count: 5 })].map(({ line, bytes }) => ({
    name: line.file,
    content: bytes,
  }))
  const names = writePackage(directory, documents, secret, { partBytes: 4_000, maxParts: 50 })
  const parts = names.filter((name) => name.startsWith('package.part-'))
  const inside = (name: string) => read(path.join(directory, name))
  const archive = Buffer.concat(parts.map((name) => decrypted(inside(name), secret)!))
  expect(archive.equals(inside('package.zip'))).toBe(true)
  const { batchFile } = JSON.parse(new TextDecoder().decode(inside('batch.json'))) as {
    batchFile: BatchFile
  }
  expect(batchFile.fileHash).toBe(hash64(archive))
  expect(batchFile.fileParts.map(({ fileHash }) => fileHash)).toEqual(
    parts.map((name) => hash64(inside(name))),
  )
  expect(Object.keys(readZip(archive))).toEqual(documents.map(({ name }) => name))
})

test('coverage and foreign schemas come as streams that continue', () => {
  const first = (documents: Iterable<{ readonly line: CorpusLine }>, count: number) => {
    const lines: CorpusLine[] = []
    for (const { line } of documents) if (lines.push(line) === count) break
    return lines
  }
  const whole = first(coverageDocuments('fa3', seed).documents(), 60)
  expect(first(coverageDocuments('fa3', seed).documents(50), 10)).toEqual(whole.slice(50))
  const xsd = fileURLToPath(xsdPath('upo'))
  const receipts = schemaDocuments({ xsd, root: 'Potwierdzenie', seed, count: 6 })
  const lines = [...receipts.documents()].map(({ line }) => line)
  expect(lines).toHaveLength(6)
  expect([...receipts.documents(4)].map(({ line }) => line)).toEqual(lines.slice(4))
  expect(lines[0]).toMatchObject({ schema: 'upo-4-3.xsd', kind: 'Potwierdzenie' })
  expect(readdirSync(directory)).toEqual([])
})
