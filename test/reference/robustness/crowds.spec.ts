import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type net from 'node:net'
import { expect, test } from '@playwright/test'
import { startServer } from '../../../reference/server/server.ts'
import { serve } from '../../served.ts'
import { answerOf, connectTo, expectWell, head, json, statusOf } from './wire.ts'
import { exhaustive } from '../../sample.ts'

/** Many callers at once, and what becomes of them when the service stops. */

test('answers running requests before it stops, and accepts no new ones', async () => {
  const server = await startServer({ limits: 'off' })
  const socket = await connectTo(server.url)
  const answer = answerOf(socket)
  const body = '{"challenge":"x"}'
  socket.write(
    head('POST', '/api/v2/auth/svc-token', [json, `content-length: ${body.length}`]) +
      body.slice(0, 5),
  )
  // A call that was answered on another connection proves that the first half was read too.
  await fetch(`${server.url}/auth/challenge`, { method: 'POST' })
  const closed = server.close()
  await expect(connectTo(server.url)).rejects.toThrow(/ECONNREFUSED/)
  socket.write(body.slice(5))
  expect(statusOf(await answer)).toBe(400)
  await closed
})

/** Open files that a process may have; Node raises its soft limit to the hard one. */
const maxOpenFiles = (): number => {
  try {
    const [, , hard] = /^Max open files\s+(\S+)\s+(\S+)/m.exec(
      readFileSync('/proc/self/limits', 'utf8'),
    )!
    return hard === 'unlimited' ? Infinity : Number(hard)
  } catch {
    // Elsewhere than on Linux: what macOS allows by default.
    return 256
  }
}

test('holds thousands of connections at once', async () => {
  test.setTimeout(120_000)
  const count = Math.min(exhaustive ? 10_000 : 2_000, maxOpenFiles() - 500)
  test.info().annotations.push({ type: 'connections', description: String(count) })
  const served = await serve()
  const sockets: net.Socket[] = []
  try {
    while (sockets.length < count) {
      const wave = Math.min(250, count - sockets.length)
      sockets.push(
        ...(await Promise.all(Array.from({ length: wave }, () => connectTo(served.profile.url)))),
      )
    }
    // Silent connections keep no other caller from being served.
    await expectWell(served.profile)
    const statuses = new Map<number | undefined, number>()
    // All of them are open when the first of them asks.
    for (let at = 0; at < count; at += 250) {
      await Promise.all(
        sockets.slice(at, at + 250).map(async (socket) => {
          const first = once(socket, 'data') as Promise<[Buffer]>
          socket.write(head('GET', '/api/v2/health'))
          const status = statusOf((await first)[0].toString('latin1'))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
    }
    expect([...statuses]).toEqual([[200, count]])
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(0)
  } finally {
    for (const socket of sockets) socket.destroy()
    expect(await served.stop()).toBe(0)
  }
})
