import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether this machine can call from an address: macOS, for example, has 127.0.0.1 of the loopback network alone. */
const isUsable = async (address: string): Promise<boolean> => {
  const server = createServer()
  try {
    server.listen(0, address)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Those of some addresses that this machine can call from. */
export const usableAddresses = async (addresses: readonly string[]): Promise<string[]> => {
  const usable = await Promise.all(addresses.map(isUsable))
  return addresses.filter((_, place) => usable[place])
}
