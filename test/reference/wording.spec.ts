import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import { createClient } from '../../lib/client.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { readPublishedWords } from '../../reference/base/published-words.ts'
import { createReference } from '../../reference/service/reference.ts'
import { published, publishedFile } from '../interop/published.ts'
import { formCodes } from '../../suites/support/checks/forms.ts'
import { runInProcess } from '../cli/in-process.ts'

/** Statuses and refusals in the words of a published description. */

const table = (...rows: readonly string[]): string =>
  ['| Code | Description | Details |', '| --- | --- | --- |', ...rows].join('\n')

const description = JSON.stringify({
  openapi: '3.0.4',
  paths: {
    '/auth/ksef-token': {
      post: {
        responses: { 400: { description: table('| 21111 | Zły challenge. | Inne {challenge} |') } },
      },
    },
    '/auth/{ref}': {
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S' } } } },
          410: { content: { 'application/problem+json': { example: { detail: 'Wygasło.' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      S: {
        properties: {
          status: {
            description: [
              'Sesja wsadowa:',
              table(
                '| 100 | Wsadowa otwarta | - |',
                '| 440 | Anulowana | A |',
                '| 440 | Anulowana | B |',
              ),
              'Sesja interaktywna:',
              table('| 100 | Interaktywna otwarta | - |', '| 500 | Nieznany ({statusCode}) | - |'),
            ].join('\n'),
          },
        },
      },
    },
  },
})

test('tables give descriptions, and details where there is one without placeholders', () => {
  const words = readPublishedWords(description)
  expect(words.refusal('/auth/ksef-token', 21111)).toEqual({ description: 'Zły challenge.' })
  expect(words.refusal('/somewhere/else', 21111)).toEqual({ description: 'Zły challenge.' })
  expect(words.refusal('/auth/abc', 410)).toEqual({ description: 'Wygasło.' })
  expect(words.refusal('/auth/abc', 21405)).toBeUndefined()
  const status = (code: number, ours: string) => words.status('GET', '/auth/{x}', code, ours)
  expect(status(100, 'open')).toEqual({ description: 'Interaktywna otwarta' })
  expect(status(100, 'open for a package')).toEqual({ description: 'Wsadowa otwarta' })
  expect(status(440, 'cancelled')).toEqual({ description: 'Anulowana' })
  expect(status(500, 'unknown error')).toEqual({ description: 'Nieznany (500)' })
  expect(status(200, 'processed')).toBeUndefined()
  // An operation without a table, about the states of the same session.
  const listed = (code: number, ours: string) => words.status('GET', '/sessions', code, ours)
  expect(listed(100, 'open')).toEqual({ description: 'Interaktywna otwarta' })
  expect(listed(100, 'open for a package')).toEqual({ description: 'Wsadowa otwarta' })
  expect(listed(100, 'received')).toBeUndefined()
})

for (const [what, text, why] of [
  ['no JSON', 'openapi: 3.0.4', /JSON/],
  ['no description', '{"a":1}', /OpenAPI 3/],
  ['a description without tables', '{"paths":{"/a":{"get":{}}}}', /no tables of codes/],
] as const)
  test(`${what} is refused`, () => {
    expect(() => readPublishedWords(text)).toThrow(why)
  })

test('the command line says what is wrong with the file', async ({}, testInfo) => {
  const file = testInfo.outputPath('wording.json')
  writeFileSync(file, '{}')
  const { exit, err } = await runInProcess(['serve', '--port', '0', '--wording', file])
  expect(exit).toBe(2)
  expect(err).toContain('--wording')
  expect((await runInProcess(['serve', '--wording', `${file}.not`])).exit).toBe(2)
})

/** The status text of an open session, as a client receives it from a reference with these words. */
const textOfOpenSession = async (wording: string): Promise<string> => {
  const service = await createReference({ dialect: 'ksef', limits: 'off', wording, seed: 1 })
  const anonymous = createClient({
    send: async ({ url, method, headers, body }) => {
      const request = new Request(url, { method, headers, body: body ?? null } as RequestInit)
      const answer = await service.fetch(request, { address: '127.0.0.1' })
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: new Uint8Array(await answer.arrayBuffer()),
      }
    },
    baseUrl: 'http://localhost/v2',
    dialect: dialects.ksef,
    codec: nodeCodec,
    now: Date.now,
    sleep: (ms) => setTimeout(Math.min(ms, 50)),
  })
  try {
    const { value, token } = await service.control.createContext({ algorithm: 'P-256' })
    const context = { type: 'Nip', value } as const
    const { accessToken } = await loginWithToken(anonymous, { context, token })
    const api = anonymous.with({ bearer: accessToken })
    const { referenceNumber } = await openOnline(api, { formCode: formCodes.fa3 })
    const { body } = await api.call('sessions.status', { path: { referenceNumber } })
    return (body as { status: { description: string } }).status.description
  } finally {
    await service.close()
  }
}

test('the text of a status reaches a client', async () => {
  const wording = description.replace('/auth/{ref}', '/sessions/{referenceNumber}')
  expect(await textOfOpenSession(wording)).toBe('Interaktywna otwarta')
})

test('the published text of a status reaches a client', async () => {
  test.skip(!published, `${publishedFile} does not stand beside the project`)
  const text = await textOfOpenSession(readFileSync(publishedFile, 'utf8'))
  expect(text).toBe('Sesja interaktywna otwarta')
})

test('the published description provides the texts of refusals and statuses', async () => {
  test.skip(!published, `${publishedFile} does not stand beside the project`)
  expect(existsSync(publishedFile)).toBe(true)
  const wording = readFileSync(publishedFile, 'utf8')
  const words = readPublishedWords(wording)
  expect(words.size).toBeGreaterThan(150)
  const expected = (path: string, code: number) => words.refusal(path, code)?.description ?? ''
  const service = await createReference({ dialect: 'ksef', limits: 'off', wording })
  const call = async (method: string, path: string, body?: object) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const answer = await service.fetch(
      new Request(`http://127.0.0.1/v2${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-error-format': 'problem-details' },
        ...(bytes && { body: bytes }),
      }),
      { address: '127.0.0.1', body: async () => bytes ?? new Uint8Array() },
    )
    return JSON.stringify(await answer.json())
  }
  try {
    const message = await call('POST', '/auth/ksef-token', {
      challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
      contextIdentifier: { type: 'Nip', value: '5265877635' },
      encryptedToken: 'AAAA',
    })
    expect(expected('/auth/ksef-token', 21111)).toMatch(/\S/)
    expect(message).toContain(expected('/auth/ksef-token', 21111))
  } finally {
    await service.close()
  }
})
