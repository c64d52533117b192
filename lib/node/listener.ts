import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An address on this machine that notes who fetches from it. */
export interface Listener {
  readonly url: string
  /** Paths that were asked for. */
  readonly fetched: readonly string[]
  readonly close: () => Promise<void>
}

/** Starts to listen, on a free port of this machine. */
export const listenForFetches = async (): Promise<Listener> => {
  const fetched: string[] = []
  const server = createServer(({ url = '' }, response) => {
    fetched.push(url)
    response.end('fetched')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    fetched,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
