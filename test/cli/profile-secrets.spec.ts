import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { secretDiagnoses } from '../../cli/preflight/secrets.ts'
import { toPem } from '../../lib/node/certificate.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { readTarget } from '../../lib/node/target.ts'
import { serve } from '../served.ts'
import { run } from './in-process.ts'

/** `doctor` warns of secrets that lie where they should not. */

const env = { TOKEN: 'a', PROD_TOKEN: 'b' }
const nip = { kind: 'Nip', value: '5265877635' }
const url = 'https://test.example/api/v2'

const diagnose = (profile: object, files: Readonly<Record<string, string>> = {}, mode = 0o600) => {
  const folder = test.info().outputPath('profile')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text)
    chmodSync(path.join(folder, name), mode)
  }
  writeFileSync(path.join(folder, 'target.json'), JSON.stringify({ url, ...profile }))
  const read = readTarget('target.json', { env, cwd: folder })
  return secretDiagnoses('target.json', { environment: 'test', ...read }, { cwd: folder })
}

const sound = { contexts: [{ ...nip, token: { env: 'TOKEN' } }], environment: 'test' }

test('a profile that names its secrets has no remarks', () => {
  expect(diagnose(sound)).toEqual([
    { id: 'secrets', ok: true, found: 'none in the profile, none readable by others' },
  ])
})

const jwt = `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(20)}.b`
const inside: readonly (readonly [what: string, profile: object, member: string])[] = [
  ['a header that authenticates', { headers: { 'x-api-key': 'abc' } }, 'headers.x-api-key'],
  ['a JSON Web Token', { headers: { 'x-note': jwt } }, 'headers.x-note'],
  ['a password of a proxy', { proxy: 'http://me:secret@proxy:3128' }, 'proxy'],
]
for (const [what, more, member] of inside)
  test(`warns of ${what} in the profile, without showing it`, () => {
    const [remark, ...rest] = diagnose({ ...sound, ...more })
    expect(rest).toEqual([])
    expect(remark).toMatchObject({ id: `secret.inside ${member}`, ok: false, warning: true })
    expect(JSON.stringify(remark)).not.toMatch(/abc|eyJ|me:secret/)
  })

test('warns of a token file that every user can read, and of no other', () => {
  test.skip(process.platform === 'win32', 'files have no modes on Windows')
  const profile = { contexts: [{ ...nip, token: { file: 'token' } }], environment: 'test' }
  expect(diagnose(profile, { token: 'x' }, 0o644)).toMatchObject([
    { id: 'secret.readable contexts.0.token.file', found: expect.stringContaining('mode 644') },
  ])
  expect(diagnose(profile, { token: 'x' }, 0o640)[0]?.ok).toBe(true)
})

const filesOf = (issuer?: string) => {
  const { privateKey, certificate } = makeCertificate({
    subject: sealSubject(nip.value),
    now: Date.now(),
    keys: 'p256',
    ...(issuer === undefined ? {} : { issuer: { commonName: issuer } }),
  })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { 'seal.pem': toPem(certificate), 'seal.key': key }
}

test('warns of a certificate of a public authority in the test environment', () => {
  const contexts = [{ ...nip, certificate: 'seal.pem', key: 'seal.key' }]
  const profile = { contexts, environment: 'test' }
  expect(diagnose(profile, filesOf('Authority of everything'))).toMatchObject([
    {
      id: 'secret.production Nip 5265877635',
      found: expect.stringContaining('CN=Authority of everything'),
    },
  ])
  for (const harmless of [undefined, 'Test authority'])
    expect(diagnose(profile, filesOf(harmless))[0]?.ok).toBe(true)
  expect(diagnose({ ...profile, environment: 'demo' }, filesOf('Authority'))[0]?.ok).toBe(true)
})

test('warns of a credential of production in a test profile', () => {
  const named = { contexts: [{ ...nip, token: { env: 'PROD_TOKEN' } }], environment: 'test' }
  expect(diagnose(named)).toMatchObject([{ id: 'secret.production contexts.0.token.env' }])
  const shared = {
    ...sound,
    elsewhere: {
      production: {
        url: 'https://example/api/v2',
        contexts: [{ ...nip, token: { env: 'TOKEN' } }],
      },
    },
  }
  expect(diagnose(shared)).toMatchObject([{ found: 'TOKEN is the credential of production too' }])
  expect(diagnose({ ...named, environment: 'production' })[0]?.ok).toBe(true)
})

test('doctor prints the remarks as warnings, and ends with 0', async ({}, info) => {
  const served = await serve()
  try {
    const folder = info.outputPath('served')
    mkdirSync(folder, { recursive: true })
    const [context] = served.profile.contexts
    writeFileSync(path.join(folder, 'token'), context?.token ?? '', { mode: 0o644 })
    chmodSync(path.join(folder, 'token'), 0o644)
    const { url: at, dialect, environment, management, capabilities } = served.profile
    const contexts = [{ kind: 'Nip', value: context?.value, token: { file: 'token' } }]
    writeFileSync(
      path.join(folder, 'target.json'),
      JSON.stringify({ url: at, dialect, environment, management, capabilities, contexts }),
    )
    const { exit, out } = await run('doctor --target target.json', { cwd: folder })
    expect(out).toMatch(/^warning secret\.readable contexts\.0\.token\.file token can be read/m)
    expect(exit).toBe(0)
  } finally {
    await served.stop()
  }
})
