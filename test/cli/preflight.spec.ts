import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { examineTarget } from '../../cli/preflight/preflight.ts'
import { toPem } from '../../lib/node/certificate.ts'
import { makeCertificate } from '../../lib/node/pki.ts'
import { ownProfile } from '../../lib/node/target.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { startServer } from '../../reference/server/server.ts'
import { openFaultProxy } from '../faults/proxy.ts'

/** What the preflight says about things that are no clearing service: one fault, with advice, and no verdict. */

const listening = async (server: Server | net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const faultAt = async (
  server: Server | net.Server | undefined,
  more: Partial<TargetProfile> = {},
  scheme = 'http',
) => {
  const port = server === undefined ? 1 : await listening(server)
  try {
    const url = more.url ?? `${scheme}://127.0.0.1:${port}/api/v2`
    const seen = await examineTarget({ capabilities: [], timeoutMs: 10_000, ...more, url })
    const faults = seen.filter(({ ok }) => !ok)
    expect(faults, JSON.stringify(seen)).toHaveLength(1)
    expect(faults[0]?.advice ?? '').not.toBe('')
    return faults[0]
  } finally {
    server?.close()
  }
}

const answering = (status: number, headers: Record<string, string>, body = ''): Server =>
  createServer(((_, answer) => {
    answer.writeHead(status, headers).end(body)
  }) satisfies RequestListener)

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
const page = '<!DOCTYPE html><title>Sign in</title>'

const cases: readonly (readonly [what: string, server: () => Server, id: string])[] = [
  ['a web page', () => answering(200, html, page), 'target.html'],
  ['a page without a media type', () => answering(200, {}, '<html></html>'), 'target.html'],
  ['a redirect', () => answering(302, { location: 'https://login/' }), 'target.redirect'],
  ['a gateway that refuses with a page', () => answering(403, html, page), 'target.gateway'],
  ['a gateway that wants credentials', () => answering(401, json, '{}'), 'target.gateway'],
  ['a gateway without a service', () => answering(502, html, page), 'target.gateway'],
  ['an empty success', () => answering(204, {}), 'target.shape'],
  ['another API', () => answering(200, json, '{"hello":"world"}'), 'target.shape'],
  ['nothing at the path', () => answering(404, json, '{}'), 'target.prefix'],
  ['a service that fails', () => answering(500, json, '{}'), 'target.failing'],
  ['an address that is used up', () => answering(429, { 'retry-after': '30' }), 'target.limited'],
]

for (const [what, server, id] of cases)
  test(`names ${what}`, async () => {
    expect((await faultAt(server()))?.id).toBe(id)
  })

test('names a host that does not exist and a port that nothing listens on', async () => {
  expect((await faultAt(undefined, { url: 'http://host.invalid/api/v2' }))?.id).toBe('target.dns')
  expect((await faultAt(undefined))?.id).toBe('target.tcp')
})

test('says how long a service was waited for that does not answer', async () => {
  const silent = createServer(() => undefined)
  try {
    const { id, found = '' } = (await faultAt(silent, { timeoutMs: 1_500 })) ?? {}
    expect(id).toBe('target.timeout')
    expect(found).toContain('did not answer within 1.5 s')
  } finally {
    silent.closeAllConnections()
  }
})

test('names a service that closes the connection, and one that is not HTTP', async () => {
  expect((await faultAt(net.createServer((socket) => socket.destroy())))?.id).toBe('target.reset')
  expect((await faultAt(net.createServer((socket) => socket.end('SSH-2.0\r\n'))))?.id).toBe(
    'target.http',
  )
})

test.describe('TLS', () => {
  const options = (notAfter?: number) => {
    const subject = { commonName: 'clearing.example', countryName: 'PL' }
    const made = makeCertificate({
      subject,
      now: Date.now(),
      ...(notAfter === undefined ? {} : { notAfter }),
    })
    const cert = toPem(made.certificate)
    const key = made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { cert, key }
  }
  const speaking = (given: { cert: string; key: string }) => https.createServer(given)

  test('names an untrusted, a misnamed and an expired certificate, and a port without TLS', async () => {
    const good = options()
    const expired = options(-1000)
    const found = [
      await faultAt(speaking(good), {}, 'https'),
      await faultAt(speaking(good), { ca: good.cert }, 'https'),
      await faultAt(speaking(expired), { ca: expired.cert }, 'https'),
      await faultAt(answering(200, json, '{}'), {}, 'https'),
    ]
    expect(found.map((one) => one?.id)).toEqual(found.map(() => 'target.tls'))
    const words = ['not trusted', 'not for the host', 'has expired', 'does not speak TLS']
    for (const [place, word] of words.entries()) expect(found[place]?.found).toContain(word)
  })

  test('trusts the named authority through a proxy too', async () => {
    const good = options()
    const proxy = createServer().on('connect', (request, socket) => {
      const [host, port] = (request.url ?? '').split(':')
      const onward = net.connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      for (const end of [onward, socket]) end.on('error', () => onward.destroy())
    })
    const way = `http://127.0.0.1:${await listening(proxy)}`
    try {
      const found = await faultAt(speaking(good), { ca: good.cert, proxy: way }, 'https')
      expect(found?.found).toContain('not for the host')
      expect(found?.found).toContain('through the proxy 127.0.0.1')
    } finally {
      proxy.close()
    }
  })
})

test('names a clock that is hours away', async () => {
  const timestamp = new Date(Date.now() - 7_300_000).toISOString()
  const found = await faultAt(answering(200, json, JSON.stringify({ challenge: 'x', timestamp })))
  expect(found?.id).toBe('target.clock')
  expect(found?.found).toContain('2 hours behind')
})

test.describe('a service that answers', () => {
  type Limits = 'production'
  const examined = async (limits: Limits, more: Partial<TargetProfile> = {}) => {
    const server = await startServer({ host: '127.0.0.1', port: 0, seed: 7, limits })
    try {
      return await examineTarget({ ...ownProfile(server.profile), ...more })
    } finally {
      await server.close()
    }
  }
  const limitsIn = (seen: Awaited<ReturnType<typeof examined>>) =>
    seen.filter(({ id }) => id === 'target.limits')

  test('reports the limits of the contract', async () => {
    expect(limitsIn(await examined('production'))).toEqual([
      expect.objectContaining({ ok: true, found: expect.stringMatching(/\d+ rate limits/) }),
    ])
  })

  test('tries a login again that met a passing failure, and says of a lasting one what it is', async () => {
    const server = await startServer({ host: '127.0.0.1', port: 0, seed: 7 })
    const own = ownProfile(server.profile)
    const lookedAt = async (refusals: number, status: number, headers: Record<string, string>) => {
      let left = refusals
      const proxy = await openFaultProxy(new URL(own.url).origin, {
        before: ({ url }, outgoing) => {
          if (!url.endsWith('/auth/svc-token') || left === 0) return false
          left -= 1
          outgoing.writeHead(status, headers).end()
          return true
        },
      })
      try {
        const url = own.url.replace(new URL(own.url).origin, proxy.origin)
        const seen = await examineTarget({ url, contexts: own.contexts ?? [], capabilities: [] })
        const { ok, advice } = seen.find(({ id }) => id.endsWith(' by token'))!
        return { ok, advice, tries: refusals - left }
      } finally {
        await proxy.close()
      }
    }
    const soon = { 'retry-after': '1' }
    const failing =
      'the service, or a gateway in front of it, is failing: try again when it answers'
    try {
      expect(await lookedAt(2, 503, soon)).toEqual({ ok: true, advice: undefined, tries: 2 })
      expect(await lookedAt(9, 503, soon)).toEqual({ ok: false, advice: failing, tries: 3 })
      expect(await lookedAt(9, 429, { 'retry-after': '60' })).toEqual({
        ok: false,
        advice: 'wait 60 s, and share the target with fewer callers',
        tries: 1,
      })
      // Another time would change nothing about a refusal.
      const refused = await lookedAt(9, 403, {})
      expect(refused).toMatchObject({ ok: false, tries: 1 })
      expect(refused.advice).toContain('check the token of this context')
    } finally {
      await server.close()
    }
  })

  test('reports limits below those that a run keeps to, and the factor that mends it', async () => {
    const seen = limitsIn(await examined('production', { rateFactor: 2 }))
    expect(seen).toEqual([expect.objectContaining({ ok: false })])
    expect(seen[0]?.advice).toContain('"rateFactor": 1 ')
    // This does not keep a run from starting.
    expect(seen[0]?.essential).toBeUndefined()
  })
})

test('names capabilities that a production profile declares and does not have', async () => {
  const own: Partial<TargetProfile> = {
    environment: 'production',
    contexts: [{ kind: 'Nip', value: '5265877635' }],
  }
  const challenge = JSON.stringify({ challenge: 'x', timestamp: new Date().toISOString() })
  const seen = async (contexts: Partial<TargetProfile>) => {
    const server = answering(200, json, challenge)
    const url = `http://127.0.0.1:${await listening(server)}/api/v2`
    try {
      const diagnoses = await examineTarget({
        ...own,
        ...contexts,
        capabilities: ['second', 'fresh'],
        url,
      })
      return diagnoses
        .filter(({ id, ok }) => id.startsWith('target.capability') && !ok)
        .map(({ id }) => id)
    } finally {
      server.close()
    }
  }
  expect(await seen({})).toEqual(['target.capability second', 'target.capability fresh'])
  const two = [...own.contexts!, { kind: 'Nip', value: '7980332920' } as const]
  expect(await seen({ contexts: two })).toEqual(['target.capability fresh'])
  expect(await seen({ environment: 'test' })).toEqual([])
  const sibling = { ...own, url: 'http://127.0.0.1:1/api/v2', capabilities: ['clock'] } as const
  expect(await seen({ environment: 'test', elsewhere: { production: sibling } })).toEqual([
    'target.capability clock in production',
  ])
})

test('finds no fault in what the reference service says about itself and its siblings', async () => {
  const server = await startServer({ elsewhere: true })
  try {
    const own = ownProfile(server.profile)
    expect(Object.keys(own.elsewhere ?? {})).toEqual(['demo', 'production'])
    const seen = await examineTarget(own)
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.filter(({ ok }) => !ok)).toEqual([])
  } finally {
    await server.close()
  }
})
