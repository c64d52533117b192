import { privateDecrypt } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { startServer } from '../reference/server/server.ts'
import type { Reference } from '../reference/service/reference.ts'
import type { Passed } from './interop/tap.ts'
import { openTap } from './interop/tap.ts'
import { exhaustive } from './sample.ts'
import { runInProcess } from './cli/in-process.ts'

/**
 * What a run writes, prints and leaves in the journal of the reference contains no secret of the run. The secrets are
 * read off the wire; each is searched for as it is, URL-encoded, and in Base64 at every offset.
 */

/** Fields of bodies that are secret as a whole, in the words of both dialects. */
const secretField =
  /^(token|accessToken|refreshToken|authenticationToken|encryptedToken|encryptedSymmetricKey)$/

/** The part of a token without which the rest opens nothing: of a JSON Web Token its signature. */
const core = (token: string): string => token.split(/[.|]/).at(-1) ?? token

const within = (value: unknown, found: Set<string>): void => {
  if (typeof value === 'string') {
    for (const [, name = '', signature = ''] of value.matchAll(/[?&](sig)=([^&]+)|$/g))
      if (name !== '') found.add(decodeURIComponent(signature).split('.').at(-1)!)
    const [, key] = /\/receipts\/[^/?]*\.([\w-]+)$/.exec(value) ?? []
    if (key !== undefined) found.add(key)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && secretField.test(name)) found.add(core(inner))
      within(inner, found)
    }
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Every secret that went over the wire. */
const secretsOf = (passed: readonly Passed[]): Set<string> => {
  const found = new Set<string>()
  for (const { requestHeaders, requestBody, body, url } of passed) {
    const [, bearer] = /^Bearer (\S{20,})$/.exec(requestHeaders['authorization'] ?? '') ?? []
    if (bearer !== undefined) found.add(core(bearer))
    within(parsed(requestBody), found)
    within(parsed(body), found)
    within(url, found)
  }
  return found
}

/** The keys of sessions and exports, which go over the wire encrypted. */
const sessionKeys = (passed: readonly Passed[], { service }: Reference): string[] =>
  passed.flatMap(({ requestBody }) => {
    const [, wrapped] =
      /"encryptedSymmetricKey":"([A-Za-z0-9+/=]+)"/.exec(requestBody.toString('latin1')) ?? []
    if (wrapped === undefined) return []
    return service.keys
      .published(service.policy, service.clock.now())
      .filter(({ usage }) => usage.includes('SymmetricKeyEncryption'))
      .flatMap(({ privateKey }) => {
        try {
          const oaep = { key: privateKey, oaepHash: 'sha256' }
          const key = privateDecrypt(oaep, Buffer.from(wrapped, 'base64'))
          return [key.toString('base64'), key.toString('hex'), key.toString('latin1')]
        } catch {
          // One that was wrong on purpose.
          return []
        }
      })
  })

/** Twenty characters of a secret in every spelling that hides it from the eye. */
const spellings = (secret: string): string[] => {
  const part = secret.slice(0, 20)
  const inBase64 = [0, 1, 2].map((offset) => {
    const text = Buffer.from(' '.repeat(offset) + part).toString('base64')
    // The first and the last characters depend on the bytes before and after.
    return text.slice(offset === 0 ? 0 : 4, -4)
  })
  return [...new Set([part, encodeURIComponent(part), ...inBase64])]
}

/** Length of the prefixes by which spellings are looked up; every spelling is longer. */
const prefix = 12

const byPrefix = (texts: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const known = new Map<string, string[]>()
  for (const text of texts) {
    const others = known.get(text.slice(0, prefix))
    if (others) others.push(text)
    else known.set(text.slice(0, prefix), [text])
  }
  return known
}

/** Where any of the spellings occurs in a text: one pass, however many there are. */
const occurrences = (text: string, known: ReadonlyMap<string, readonly string[]>): number[] => {
  const found: number[] = []
  for (let at = 0; at + prefix <= text.length; at += 1)
    if (known.get(text.slice(at, at + prefix))?.some((spelling) => text.startsWith(spelling, at)))
      found.push(at)
  return found
}

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

/** Defects that make checks fail in the presence of tokens, links and keys, so that the findings show exchanges. */
const defects = [
  'auth.redeem.once/twice',
  'auth.refresh.repeatable/once',
  'auth.token.wrong-timestamp-refused/time-unchecked',
  'receipts.link.expires/link-for-ever',
]

const chosen = [
  'auth.redeem',
  'auth.refresh',
  'auth.token.accepted',
  'auth.token.wrong-timestamp-refused',
  'receipts.link',
  'receipts.ways',
  'exports.package.content',
  'exports.expiry',
  'sessions.batch.opens',
  'sessions.batch.part-checked',
]

/** Sequences of the model send only what single checks send; Allure's HTML needs Java and only shows its results. */
const quick = { ASSAY_SEQUENCE: 'none', ...(exhaustive ? {} : { JAVA_HOME: '/nonexistent' }) }

for (const dialect of ['svc', 'ksef'] as const)
  test(`${dialect}: no secret of a run is in what it writes, prints or journals`, async () => {
    test.setTimeout(240_000)
    const tap = await openTap()
    const server = await startServer({
      dialect,
      seed: 1,
      mutants: defects,
      startAt: Date.parse('2026-06-15T08:00:00Z'),
    })
    tap.connect(new URL(server.url).origin)
    server.reference.control.publish(tap.origin)
    const out = test.info().outputPath('out')
    const profile = test.info().outputPath('target.json')
    writeFileSync(
      profile,
      JSON.stringify({ ...server.profile, url: server.reference.service.publicUrl }),
    )
    const { TMPDIR: before } = process.env
    const temporary = test.info().outputPath('temporary')
    mkdirSync(temporary)
    process.env['TMPDIR'] = temporary
    try {
      const said = await runInProcess(
        [
          'check',
          ...chosen,
          '--target',
          profile,
          '--report',
          '--evidence',
          'full',
          '--json',
          '--out',
          out,
        ],
        {
          env: { ...process.env, ASSAY_VERBOSE: '1', ...quick },
        },
      )
      expect(said.exit, said.err).toBe(1)
      const left = readdirSync(temporary).filter((name) => name.startsWith('assay-'))
      expect(left, 'left in the directory of temporary files').toEqual([])
      const secrets = secretsOf(tap.passed)
      const keys = sessionKeys(tap.passed, server.reference)
      expect(keys.length, 'keys of sessions').toBeGreaterThan(10)
      for (const key of keys) secrets.add(key)
      for (const { token, key } of server.profile.contexts) {
        secrets.add(core(token))
        for (const line of readFileSync(key, 'utf8').split('\n').slice(1, -2)) secrets.add(line)
      }
      const journal = JSON.stringify(server.reference.journal.after(0))
      const texts = new Map([
        ['stdout', said.out],
        ['stderr', said.err],
        ['journal', journal],
        ...filesBelow(out).map(
          (file) => [path.relative(out, file), readFileSync(file, 'latin1')] as const,
        ),
      ])
      const known = byPrefix([...secrets].flatMap(spellings))
      const planted = spellings([...secrets].at(-1)!)[1]!
      expect(occurrences(`text ${planted} text`, known), 'the search finds').toEqual([5])
      const leaks = [...texts].flatMap(([name, text]) =>
        occurrences(text, known).map(
          (at) => `${name}: ...${text.slice(Math.max(0, at - 200), at + 30)}`,
        ),
      )
      expect(leaks.slice(0, 20)).toEqual([])
      expect(secrets.size, 'secrets that were looked for').toBeGreaterThan(100)
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      await server.close()
      await tap.close()
    }
  })
