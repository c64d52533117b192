import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { cacheFolder } from '../../../lib/node/cache-folder.ts'
import { callMemoryOf } from '../../../lib/node/call-memory.ts'
import type { CallMemory } from '../../../lib/node/call-memory.ts'
import { readTarget } from '../../../lib/node/target.ts'
import { createPlaces } from '../../../lib/pacer.ts'
import type { OwnPlaces, Places, SharedPlaces } from '../../../lib/pacer.ts'
import { createPatience } from './patience.ts'
import type { Patience, RoomWait } from './patience.ts'
import { runOptions } from '../checks/run-options.ts'

/**
 * One pacer for all workers of a run: limits count by context and by address, and workers share both. It lives in the
 * process that starts the workers, as a service on loopback.
 */

/** What workers ask: a method of the places of an address, or of the patience of the run; or that they wait. */
interface Question {
  readonly address: string
  readonly method: keyof Places | 'grants' | 'waits'
  readonly given: readonly unknown[]
}

const variable = 'ASSAY_PACER'

const read = async (chunks: AsyncIterable<Buffer>): Promise<Question> => {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return JSON.parse(Buffer.concat(parts).toString()) as Question
}

/** A message to the command line, which shows it (`cli/playwright.ts`). */
const report = (waiting: RoomWait): void => {
  process.send?.({ waiting })
}

/** Starts the service; returns its address. `memory`: calls of earlier runs, which come from the usual address. */
export const serveSharedPacer = async (
  patience: Patience,
  memory?: CallMemory,
  waits: (wait: RoomWait) => void = report,
): Promise<{ readonly url: string; readonly close: () => void }> => {
  const all = new Map<string, OwnPlaces>()
  const placesOf = (address: string): OwnPlaces => {
    const earlier = address === '' ? memory?.earlier : undefined
    const places = all.get(address) ?? createPlaces({ now: Date.now, ...(earlier && { earlier }) })
    all.set(address, places)
    return places
  }
  const answer = ({ address, method, given }: Question): unknown => {
    if (method === 'grants') return patience.grants(...(given as Parameters<Patience['grants']>))
    if (method === 'waits') return waits(given[0] as RoomWait)
    return (placesOf(address)[method] as (...parts: readonly unknown[]) => unknown)(...given)
  }
  const server = createServer((incoming, outgoing) => {
    read(incoming).then(
      async (question) => outgoing.end(JSON.stringify({ value: await answer(question) })),
      () => outgoing.writeHead(400).end(),
    )
  })
  // If we closed an idle connection, a worker's next question could be lost with it.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      memory?.keep(placesOf('').counted())
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface SharedPacing {
  readonly patience: Patience
  /** Reports a wait for room, so that the run can say what it waits for. */
  readonly waits: (wait: RoomWait) => Promise<void>
  readonly placesOf: (address: string) => SharedPlaces
}

/** The service of this run, as a worker sees it; undefined where each worker has a target of its own. */
export const sharedPacing = (url = process.env[variable]): SharedPacing | undefined => {
  if (url === undefined) return undefined
  const ask = async <T>(question: Question): Promise<T> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(question) })
    return ((await response.json()) as { readonly value: T }).value
  }
  return {
    patience: { grants: (...given) => ask({ address: '', method: 'grants', given }) },
    waits: (wait) => ask({ address: '', method: 'waits', given: [wait] }),
    placesOf: (address) => ({
      reserve: (...given) => ask({ address, method: 'reserve', given }),
      room: (...given) => ask({ address, method: 'room', given }),
      known: (...given) => ask({ address, method: 'known', given }),
      note: (...given) => ask({ address, method: 'note', given }),
      forget: (...given) => ask({ address, method: 'forget', given }),
      answered: (...given) => ask({ address, method: 'answered', given }),
      refused: (...given) => ask({ address, method: 'refused', given }),
    }),
  }
}

/** Playwright's global setup for a target that workers share: they inherit the variable. */
const setUp = async (): Promise<() => void> => {
  const { target } = runOptions
  const memory =
    target === undefined
      ? undefined
      : callMemoryOf(readTarget(target, { env: process.env, cwd: process.cwd() }), cacheFolder())
  const { url, close } = await serveSharedPacer(createPatience(runOptions.patienceMs), memory)
  process.env[variable] = url
  return close
}
export default setUp
