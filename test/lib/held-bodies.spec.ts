import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { createSend } from '../../lib/node/fetch.ts'
import { heldTogether } from '../../suites/support/steps/at-once.ts'

/** Bodies that are held back: the service reads the heads of all calls before it can answer one. */

const served = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = createSend()
  return {
    call: (held: ReturnType<typeof heldTogether>) =>
      sender.send(
        {
          method: 'POST',
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          headers: {},
          body: 'first half, second half',
        },
        { held },
      ),
    close: () => {
      sender.close()
      server.close()
    },
  }
}

test('no body is complete before the release, and each arrives whole', async () => {
  const order: string[] = []
  const { call, close } = await served((request, response) => {
    order.push('head')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      order.push('body')
      response.end(Buffer.concat(chunks))
    })
  })
  try {
    const held = heldTogether(3, async () => {
      await expect.poll(() => order).toEqual(['head', 'head', 'head'])
    })
    const answers = await Promise.all([call(held), call(held), call(held)])
    for (const { body } of answers)
      expect(new TextDecoder().decode(body)).toBe('first half, second half')
    expect(order.slice(3)).toEqual(['body', 'body', 'body'])
  } finally {
    close()
  }
})

test('an answer that comes before the release counts, and the release harms nothing', async () => {
  const { call, close } = await served((_, response) => response.writeHead(429).end())
  try {
    let answered = 0
    const held = heldTogether(2, () => expect.poll(() => answered).toBe(2))
    const calls = [call(held), call(held)].map(async (made) => {
      const { status } = await made
      answered += 1
      return status
    })
    expect(await Promise.all(calls)).toEqual([429, 429])
    await held.release
  } finally {
    close()
  }
})
