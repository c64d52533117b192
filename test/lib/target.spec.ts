import { createPrivateKey, X509Certificate } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { toPem } from '../../lib/node/certificate.ts'
import { freshKey, makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import type { KeyKind } from '../../lib/node/pki.ts'
import { consentSchema } from '../../lib/node/consent-schema.ts'
import { targetSchema } from '../../lib/node/target-schema.ts'
import { readTarget, TargetError } from '../../lib/node/target.ts'
import { projectRoot } from '../sources.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'assay-profiles-'))
test.afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: unknown): string => {
  const file = path.join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const read = (profile: unknown, env: Record<string, string> = {}) =>
  readTarget(write('target.json', profile), { env, cwd: '/' })

const problemOf = (profile: unknown, env: Record<string, string> = {}): string => {
  try {
    read(profile, env)
  } catch (error) {
    if (error instanceof TargetError) return error.message
  }
  return 'no error'
}

const nip = '5265877635'
const context = { kind: 'Nip', value: nip }

test('accepts a URL as a target', () => {
  const target = readTarget('http://127.0.0.1:8080/api/v2/', { env: {}, cwd: folder })
  expect(target).toEqual({ url: 'http://127.0.0.1:8080/api/v2' })
})

test('a profile reads its secrets from variables and files', () => {
  write('token.txt', 'of-the-file\n')
  const { contexts, headers } = read(
    {
      url: 'https://host/api/v2',
      contexts: [
        { ...context, token: { env: 'TOKEN' } },
        { ...context, value: '7980332920', token: { file: 'token.txt' } },
      ],
      headers: { 'X-Gateway-Key': { env: 'GATEWAY' } },
    },
    { TOKEN: 'abc', GATEWAY: 'open' },
  )
  expect(contexts?.map(({ token }) => token)).toEqual(['abc', 'of-the-file'])
  expect(headers).toEqual({ 'x-gateway-key': 'open' })
})

test('a profile may have comments and trailing commas', () => {
  expect(read('{ // the test host\n "url": "http://x/api/v2", }')).toEqual({
    url: 'http://x/api/v2',
  })
})

test('a sibling inherits the dialect and is marked as one', () => {
  const { elsewhere } = read(
    {
      url: 'https://host/api/v2',
      dialect: 'ksef',
      elsewhere: {
        demo: { url: 'https://demo/api/v2/', contexts: [{ ...context, token: { env: 'TOKEN' } }] },
        production: { url: 'https://production/api/v2', dialect: 'svc' },
      },
    },
    { TOKEN: 'abc' },
  )
  expect(elsewhere).toEqual({
    demo: {
      url: 'https://demo/api/v2',
      environment: 'demo',
      dialect: 'ksef',
      sibling: true,
      contexts: [{ ...context, token: 'abc' }],
    },
    production: {
      url: 'https://production/api/v2',
      environment: 'production',
      dialect: 'svc',
      sibling: true,
    },
  })
})

const openssl = (...args: string[]): void => {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
const noOpenssl = spawnSync('openssl', ['version']).status !== 0

for (const keys of ['rsa', 'p256'] as KeyKind[])
  test.describe(`credentials with a key of the kind ${keys}`, () => {
    const privateKey = freshKey(keys)
    const made = makeCertificate({ subject: sealSubject(nip), now: Date.now(), privateKey })
    const certificate = toPem(made.certificate)
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const encrypted = privateKey
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'sesame' })
      .toString()

    const credentialsOf = (more: object, env: Record<string, string> = {}) =>
      read({ url: 'https://x/', contexts: [{ ...context, ...more }] }, env).contexts?.[0]
        ?.credentials

    test('come from PEM files, from variables, and from an encrypted key', () => {
      const files = {
        certificate: write(`${keys}.crt.pem`, certificate),
        key: write(`${keys}.key.pem`, key),
      }
      const variables = { certificate: { env: 'CERT' }, key: { env: 'KEY' } }
      const passphrase = { env: 'PASS' }
      const all = [
        credentialsOf(files),
        credentialsOf(variables, { CERT: certificate, KEY: key }),
        credentialsOf(
          { ...variables, passphrase },
          { CERT: certificate, KEY: encrypted, PASS: 'sesame' },
        ),
      ]
      expect(all).toEqual(all.map(() => ({ certificate, key })))
    })

    test('come from a PKCS#12 file as openssl writes it', () => {
      test.skip(noOpenssl, 'openssl is not installed')
      write('c.pem', certificate)
      write('k.pem', key)
      openssl(
        ...'pkcs12 -export -in c.pem -inkey k.pem -out id.p12 -passout pass:sesame'.split(' '),
      )
      const found = credentialsOf(
        { pkcs12: path.join(folder, 'id.p12'), passphrase: { env: 'PASS' } },
        { PASS: 'sesame' },
      )
      expect(found?.certificate).toBe(certificate)
      const loaded = createPrivateKey(found?.key ?? '')
      expect(new X509Certificate(certificate).checkPrivateKey(loaded)).toBe(true)
    })

    test('are reported in one sentence when they cannot be opened', () => {
      const variables = { certificate: { env: 'CERT' }, key: { env: 'KEY' } }
      const given = (more: object, env: Record<string, string>) =>
        problemOf(
          { url: 'https://x/', contexts: [{ ...context, ...variables, ...more }] },
          { CERT: certificate, KEY: encrypted, ...env },
        )
      expect(given({}, {})).toContain('is encrypted; add "passphrase"')
      expect(given({ passphrase: { env: 'PASS' } }, { PASS: 'x' })).toContain('passphrase right?')
      const stranger = freshKey(keys).export({ type: 'pkcs8', format: 'pem' }).toString()
      expect(given({}, { KEY: stranger })).toContain('does not belong to the certificate')
      expect(given({}, { CERT: 'text', KEY: key })).toContain('expected a PEM certificate')
    })
  })

test('a problem names the line and the key', () => {
  expect(problemOf('{\n  "url": "http://x/"\n  "name": "y" }')).toMatch(/target\.json:3: expected/)
  const problem = problemOf(
    '{\n  "url": "http://x/",\n  "contexts": [\n    { "kind": "Nipp",\n"value": "5265877635" }]\n}',
  )
  expect(problem).toContain('line 4: contexts.0.kind')
  expect(problemOf({ url: 'ftp://x' })).toContain('line 1: url')
  const misnamed = { url: 'http://x', contexts: [{ kind: 'Nip', value: '1', p12: 'seal.p12' }] }
  expect(problemOf(misnamed)).toMatch(/line 1: contexts\.0\.p12 is not known; known are .*pkcs12/)
  expect(problemOf({ url: 'http://x/', colour: 1 })).toContain('colour')
  expect(problemOf({ url: 'http://x/', capabilities: ['flying'] })).toContain('capabilities.0')
  const sibling = { url: 'http://x/', environment: 'test' }
  expect(problemOf({ url: 'http://x/', elsewhere: { demo: sibling } })).toContain('elsewhere.demo')
  expect(problemOf({ url: 'http://x/', elsewhere: { moon: sibling } })).toContain('moon')
  expect(() => readTarget('nowhere.json', { env: {}, cwd: folder })).toThrow('expected an address')
})

test('a missing secret is named, and a secret inside a profile is refused', () => {
  const withContext = (more: object, url = 'https://x/') =>
    problemOf({ url, contexts: [{ ...context, ...more }] })
  expect(withContext({ token: { env: 'NOWHERE' } })).toContain('NOWHERE is not set')
  expect(withContext({ token: { file: 'none.txt' } })).toContain('none.txt does not exist')
  expect(withContext({ certificate: 'none.pem', key: 'none' })).toContain('none.pem does not exist')
  expect(withContext({ pkcs12: 'none.p12' })).toContain('none.p12 does not exist')
  expect(withContext({ pkcs12: 'none.p12', key: 'x', certificate: 'y' })).toContain('contexts.0')
  expect(withContext({ token: 'plain' })).toContain('{ "env": "NAME" }')
  expect(withContext({ token: 'plain' }, 'http://localhost:1/')).toBe('no error')
})

test('a consent covers every context of the profile', () => {
  const consent = {
    address: 'https://x/api/v2',
    contexts: [`Nip ${nip}`],
    operations: ['sessions.*'],
    until: '2027-01-31',
  }
  const profile = { url: consent.address, consent: 'consent.json', contexts: [context] }
  write('consent.json', consent)
  expect(read(profile).consent).toEqual(consent)
  const stranger = { ...context, value: '7980332920' }
  expect(problemOf({ ...profile, contexts: [context, stranger] })).toContain('Nip 7980332920')
  write('consent.json', { ...consent, until: 'soon' })
  expect(problemOf(profile)).toContain('until')
})

for (const [name, schema] of Object.entries({ target: targetSchema, consent: consentSchema }))
  test(`docs/reference/${name}.schema.json is current`, () => {
    const root = projectRoot()
    test.skip(root === undefined, 'the published package carries no sources')
    const file = path.join(root ?? '.', `docs/reference/${name}.schema.json`)
    expect(JSON.parse(readFileSync(file, 'utf8')), 'node scripts/docs.mjs writes it').toEqual(
      schema,
    )
  })
