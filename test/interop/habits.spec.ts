import { once } from 'node:events'
import { connect } from 'node:net'
import { test as base, expect } from '@playwright/test'
import { CertificateService, KSeFClient } from 'ksef-client-ts'
import { startServer } from '../../reference/server/server.ts'

// How public clients write their requests, where the contract leaves them a choice: observed with clients in Python,
// Rust and TypeScript, and with curl. Raw bytes, because none of our clients would write all of them.

interface Served {
  readonly port: number
  readonly token: string
}

const test = base.extend<object, { served: Served }>({
  served: [
    async ({}, use) => {
      const server = await startServer({ dialect: 'ksef', limits: 'off' })
      const { origin, port } = new URL(server.url)
      const [owner] = server.profile.contexts
      if (owner === undefined) throw new Error('the service made no context')
      const { certificatePem, privateKeyPem } = await CertificateService.generateCompanySeal(
        'Habits',
        `VATPL-${owner.value}`,
        'Habits seal',
        'ECDSA',
      )
      const client = new KSeFClient({ baseUrl: origin, rateLimit: null })
      await client.loginWithCertificate(certificatePem, privateKeyPem, owner.value)
      await use({ port: Number(port), token: client.authManager.getAccessToken() ?? '' })
      await server.close()
    },
    { scope: 'worker' },
  ],
})

/** Writes bytes to the service, more of them once it says so, and reads until it hangs up. */
const exchange = async (port: number, head: string, onContinue = ''): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    const before = answer
    answer += chunk.toString('utf8')
    if (onContinue !== '' && !before.includes('100 Continue') && answer.includes('100 Continue')) {
      socket.write(onContinue)
    }
  })
  socket.write(head)
  await once(socket, 'close')
  return answer
}

const yesterday = new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 19)
const query = JSON.stringify({
  subjectType: 'Subject1',
  dateRange: { dateType: 'Issue', from: `${yesterday}.1234567`, to: null },
  ksefNumber: null,
  amount: null,
  currencyCodes: null,
  hasAttachment: null,
})
const capitals = JSON.stringify({
  SubjectType: 'Subject1',
  DateRange: { DateType: 'Issue', From: `${yesterday}Z` },
})
const small = query.replace('Subject1', 'subject1').replace('Issue', 'issue')
const unknownContext = JSON.stringify({
  Challenge: '20260615-CR-0000000000-0000000000-00',
  ContextIdentifier: { Type: 'nip', Value: '5265877635' },
  EncryptedToken: Buffer.alloc(256).toString('base64'),
})
const days = JSON.stringify({
  subjectType: 'Subject1',
  dateRange: { dateType: 'PermanentStorage', from: yesterday.slice(0, 10) },
})
const json = 'Content-Type: application/json\r\n'
const sized = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n`
const metadata = 'POST /v2/invoices/query/metadata'
const certificate = '/v2/certificates/0000000000000000'
const unknownCertificate = /^HTTP\/1.1 400 [\s\S]*"exceptionCode":25008/
const ok = /^HTTP\/1.1 200 /

/** Request line without its version, headers besides host and connection, what follows them, what comes back. */
const habits: readonly (readonly [string, string, string, string, RegExp])[] = [
  ['POST without a body, no length', 'POST /v2/auth/challenge', '', '', ok],
  ['POST without a body, length 0', 'POST /v2/auth/challenge', sized(''), '', ok],
  [
    'a JSON null where no body is asked for',
    'POST /v2/auth/challenge',
    json + sized('null'),
    'null',
    ok,
  ],
  [
    'an optional body left out, no length',
    `POST ${certificate}/revoke`,
    '',
    '',
    unknownCertificate,
  ],
  [
    'an optional body left out, length 0',
    `POST ${certificate}/revoke`,
    sized(''),
    '',
    unknownCertificate,
  ],
  [
    'an optional body left out, type given',
    `POST ${certificate}/revoke`,
    json + sized(''),
    '',
    unknownCertificate,
  ],
  ['a query without a filter', 'POST /v2/certificates/query', sized(''), '', ok],
  ['fields as null, seven digits of a second, no zone', metadata, json + sized(query), query, ok],
  [
    'a charset',
    metadata,
    `content-type: Application/JSON; Charset="UTF-8"\r\n${sized(query)}`,
    query,
    ok,
  ],
  ['names with a capital', metadata, json + sized(capitals), capitals, ok],
  ['words without one', metadata, json + sized(small), small, ok],
  ['days for instants', metadata, json + sized(days), days, ok],
  [
    'a login in capitals, and what is wrong with it is not its spelling',
    'POST /v2/auth/ksef-token',
    json + sized(unknownContext),
    unknownContext,
    /"exceptionCode":(?!21405)\d/,
  ],
  ['a byte order mark', metadata, json + sized(`\ufeff${query}`), `\ufeff${query}`, ok],
  [
    'a body in chunks',
    metadata,
    `${json}Transfer-Encoding: chunked\r\n`,
    `${Buffer.byteLength(query).toString(16)}\r\n${query}\r\n0\r\n\r\n`,
    ok,
  ],
  ['GET with a type and an empty body', 'GET /v2/limits/context', json + sized(''), '', ok],
  ['a slash too many', 'GET /v2//limits/context', '', '', ok],
  [
    'a slash too many, and a body',
    'POST /v2//invoices/query/metadata',
    json + sized(query),
    query,
    ok,
  ],
  ['an array as repeated parameter', 'GET /v2/tokens?status=Active&status=Revoked', '', '', ok],
  ['a parameter with a capital', 'GET /v2/sessions?SessionType=Online&PageSize=10', '', '', ok],
  [
    'an offset in a parameter',
    'GET /v2/sessions?sessionType=Online&dateCreatedFrom=2026-01-20T00:00:00%2B01:00',
    '',
    '',
    ok,
  ],
  [
    'an upgrade to HTTP/2',
    'GET /v2/limits/context',
    'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n',
    '',
    ok,
  ],
  [
    'any encoding is welcome',
    'GET /v2/limits/context',
    'Accept-Encoding: gzip, deflate, br, zstd\r\n',
    '',
    ok,
  ],
]
for (const [name, line, headers, body, expected] of habits) {
  test(name, async ({ served: { port, token } }) => {
    const head = `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
    expect(await exchange(port, `${head}${headers}\r\n${body}`)).toMatch(expected)
  })
}

test('a body that waits for 100 Continue', async ({ served: { port, token } }) => {
  const head = `${metadata} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
  const answer = await exchange(
    port,
    `${head}${json}${sized(query)}Expect: 100-continue\r\n\r\n`,
    query,
  )
  expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
})

test('a scheme in lower case, HTTP/1.0 and an absolute address', async ({ served }) => {
  const { port, token } = served
  const head = `GET http://127.0.0.1:${port}/v2/limits/context HTTP/1.0\r\nHost: 127.0.0.1\r\n`
  const answer = await exchange(port, `${head}authorization: bearer ${token}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1.[01] 200 /)
})

test('refuses a request without its required body', async ({ served: { port, token } }) => {
  const head = `POST /v2/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
  expect(await exchange(port, `${head}${sized('')}\r\n`)).toMatch(/^HTTP\/1.1 400 /)
})
