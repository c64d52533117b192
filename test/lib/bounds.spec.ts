import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { createClient } from '../../lib/client.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createSend } from '../../lib/node/fetch.ts'
import { schemaJudge } from '../../lib/node/schema.ts'
import { outcomeOf } from '../../lib/outcome.ts'
import { poll, sleep } from '../../lib/poll.ts'

/** Answers of a target are read up to a bound; a longer answer is a verdict about the target. */

const against = async <T>(
  answer: RequestListener,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const clientAt = (baseUrl: string) => {
  const sender = createSend({ timeoutMs: 20_000 })
  const api = createClient({ send: sender.send, baseUrl, dialect: svc, codec: nodeCodec })
  return { api, close: () => sender.close() }
}

/** How a call to a service that sends an endless answer ends, and how much memory it took. */
const endlessAnswerTo = async (operation: 'auth.challenge' | 'exports.part') => {
  const before = process.memoryUsage().rss
  const error: unknown = await against(
    (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!outgoing.destroyed && outgoing.write(Buffer.alloc(2 ** 20, 0x20)));
        if (!outgoing.destroyed) outgoing.once('drain', more)
      }
      more()
    },
    async (url) => {
      const { api, close } = clientAt(url)
      try {
        return await api.request('GET', '/anywhere', { operation })
      } catch (caught) {
        return caught
      } finally {
        close()
      }
    },
  )
  return { error, bytes: process.memoryUsage().rss - before }
}

for (const [operation, most] of [
  ['auth.challenge', '16 MiB'],
  ['exports.part', '128 MiB'],
] as const)
  test(`an answer of ${operation} is read up to ${most}, and a longer one is a fault of the service`, async () => {
    const { error, bytes } = await endlessAnswerTo(operation)
    expect(outcomeOf(error)).toMatchObject({
      kind: 'inconclusive',
      unreachable: 'EMSGSIZE',
      fault: 'shape',
      expected: `an answer of at most ${most}`,
      cause: `the answer is longer than ${most} (EMSGSIZE)`,
    })
    expect((error as Error).message).toContain(`longer than ${most}`)
    expect(bytes).toBeLessThan(600 * 2 ** 20)
  })

test('JSON nested a hundred thousand levels deep is unreadable, and no error of the tool', async () => {
  const depth = 100_000
  const body = `{"challenge":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const exchange = await against(
    (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.end(body)
    },
    async (url) => {
      const { api, close } = clientAt(url)
      return api.call('auth.challenge').finally(close)
    },
  )
  expect(exchange.body).toBeUndefined()
  expect(schemaJudge(svc).answerProblems(exchange)).toEqual([
    'the body is not JSON that can be read',
  ])
})

test('polling ends when its time is over, however many polls are left', async () => {
  let looks = 0
  const polled = await poll(
    async () => {
      looks += 1
      return looks
    },
    () => false,
    {
      everyMs: 1,
      times: 1_000_000,
      withinMs: 50,
      sleep,
    },
  )
  expect(polled.done).toBe(false)
  expect(looks).toBeLessThan(1_000)
})
