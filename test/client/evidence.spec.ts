import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Evidence } from '../../reports/evidence/pack.ts'
import { writePack } from '../../reports/evidence/pack.ts'
import { verifyPack } from '../../reports/evidence/verify-pack.ts'
import { sampleSize } from '../sample.ts'

const evidence: Evidence = {
  title: 'Examination of a client',
  tool: 'assay 0',
  started: '2026-06-15T08:00:00Z',
  finished: '2026-06-15T08:01:00Z',
  seed: 1,
  examined: 'node client.js <script>',
  contract: { dialect: 'svc', sha256: 'c'.repeat(64) },
  rules: [
    { rule: 'client.keys.chosen', level: 'MUST', verdict: 'pass', sentence: 's', reason: 'r' },
    { rule: 'client.sync.interval', level: 'SHOULD', verdict: 'warn', sentence: 's', reason: 'r' },
  ],
  gaps: [],
  measures: [],
  advice: [],
  verdict: 'No rule was broken',
  isComplete: true,
  tested: { name: 'client.js', bytes: Buffer.from('build') },
  files: { 'findings.ndjson': '{"rule":"client.keys.chosen"}\n' },
}

const keys = {
  'ECDSA P-256': () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
}

let folder = ''
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-pack-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

for (const [name, pair] of Object.entries(keys)) {
  test(`${name}: a pack is valid for its signer and its build, and for no other`, () => {
    const { privateKey, publicKey } = pair()
    writePack(folder, evidence, privateKey)
    expect(verifyPack(folder, publicKey).words).toContain('valid: WARNED, 1 rule passed')
    expect(verifyPack(folder, pair().publicKey).words).toContain('not valid: signed by the key')
    const build = { name: 'client.js', bytes: Buffer.from('build') }
    expect(verifyPack(folder, publicKey, build).valid).toBe(true)
    expect(verifyPack(folder, publicKey, { ...build, bytes: Buffer.from('b') }).valid).toBe(false)
  })
}

test('a changed byte of any file is found, and its file named', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writePack(folder, evidence, privateKey)
  for (const file of readdirSync(folder)) {
    const whole = readFileSync(path.join(folder, file))
    const step = Math.max(1, Math.floor(whole.length / sampleSize(400, 8)))
    for (let place = 0; place < whole.length; place += step) {
      const changed = Buffer.from(whole)
      changed[place] = changed[place]! ^ 1
      writeFileSync(path.join(folder, file), changed)
      const { valid, words } = verifyPack(folder, publicKey)
      expect(valid, `${file}, byte ${place}`).toBe(false)
      expect(words).toContain(file)
    }
    writeFileSync(path.join(folder, file), whole)
  }
  expect(verifyPack(folder, publicKey).valid).toBe(true)
})

test('a pack that is not signed, has a file too many or lacks one is not valid', () => {
  writePack(folder, evidence)
  expect(verifyPack(folder).words).toContain('is not signed')
  const { privateKey } = generateKeyPairSync('ed25519')
  writePack(folder, evidence, privateKey)
  writeFileSync(path.join(folder, 'more.txt'), '')
  expect(verifyPack(folder).words).toContain('more.txt is not part of the pack')
  rmSync(path.join(folder, 'more.txt'))
  rmSync(path.join(folder, 'findings.ndjson'))
  expect(verifyPack(folder).words).toContain('findings.ndjson is missing')
})

test('the certificate escapes what it shows', () => {
  writePack(folder, evidence)
  const page = readFileSync(path.join(folder, 'certificate.html'), 'utf8')
  expect(page).toContain('node client.js &lt;script&gt;')
  expect(page).not.toContain('<script')
})
