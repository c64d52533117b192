import { once } from 'node:events'
import net from 'node:net'
import { expect } from '@playwright/test'

/** Requests as bytes, right or wrong, and what comes back. */

export const connectTo = async (url: string): Promise<net.Socket> => {
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Everything that comes until the connection ends. */
export const answerOf = async (socket: net.Socket): Promise<string> => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // Whoever is refused in the middle of a body may still be writing it.
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Buffer.concat(chunks).toString('latin1')
}

/** What a service says to bytes on a connection of their own. */
export const ask = async (url: string, bytes: string | Uint8Array): Promise<string> => {
  const socket = await connectTo(url)
  const answer = answerOf(socket)
  socket.write(bytes)
  return answer
}

/** Statuses of all answers on a connection, in their order. */
export const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

export const statusOf = (answer: string): number | undefined => statusesOf(answer)[0]

/** The head of a request, on a connection that stays. */
export const head = (method: string, path: string, headers: readonly string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'host: service', ...headers, '', ''].join('\r\n')

export const last = 'connection: close'
export const json = 'content-type: application/json'

/** That a service is well: it answers, and nothing within it went wrong. */
export const expectWell = async (server: { url: string; management: string }): Promise<void> => {
  expect((await fetch(`${server.url}/health`)).status, 'health').toBe(200)
  const journal = await (await fetch(`${server.management}/journal`)).text()
  expect(
    journal.split('\n').filter((line) => line.includes('"kind":"broken"')),
    'failures within the service',
  ).toEqual([])
}
