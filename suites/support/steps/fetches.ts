import { fetchingDocuments } from '../../../lib/node/hostile-xml.ts'
import { listenForFetches } from '../../../lib/node/listener.ts'
import { sleep } from '../../../lib/poll.ts'
import { expect } from '../judging/matchers.ts'

/** How long after its answer a service may still fetch an address, ms. */
const afterwards = 50

/**
 * Sends documents that name an address of this machine as a document type or an entity, and expects that the address
 * is never called.
 * @param root name of the root element
 * @param send gets a function that puts the document type before a document without an XML declaration
 */
export const expectNoFetches = async (
  root: string,
  send: (typed: (document: string) => string) => Promise<void>,
): Promise<void> => {
  const listener = await listenForFetches()
  try {
    for (const typed of fetchingDocuments(root, listener.url)) await send(typed)
    await sleep(afterwards)
    expect(listener.fetched, 'addresses that were fetched').toEqual([])
  } finally {
    await listener.close()
  }
}

/** A document without its XML declaration. */
export const undeclared = (xml: string): string => xml.replace(/^<\?xml[^>]*\?>\s*/, '')
