import { NoAnswer } from './connection.ts'
import type { Issuing } from './issuing.ts'
import type { Task } from './task.ts'

/**
 * Creates a service token. Its value is in the answer and nowhere else: a token whose answer was lost is found by its
 * description, revoked, and replaced, so that no token stays valid whose value nobody has.
 */
export async function createServiceToken(
  { account, conduct, store }: Pick<Issuing, 'account' | 'conduct' | 'store'>,
  wanted: NonNullable<Task['createToken']>,
): Promise<void> {
  if (store.get('token') !== undefined) return
  const isRepeated = store.get('token asked for') !== undefined
  if (isRepeated && conduct.revokesLostTokens) await revokeLost(account, wanted.description)
  store.put('token asked for', true)
  for (let attempt = 1; attempt <= attempts; attempt += 1)
    try {
      const created = await account.call('tokens.create', { body: wanted }, 'unsafe')
      const { referenceNumber } = (created.body ?? {}) as { referenceNumber?: unknown }
      if (created.status >= 300) throw new Error(`no service token: ${created.status}`)
      store.put('token', referenceNumber)
      return
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      if (conduct.revokesLostTokens) await revokeLost(account, wanted.description)
    }
}

const attempts = 3

async function revokeLost(account: Issuing['account'], description: string): Promise<void> {
  const listed = await account.call('tokens.list', { query: { description } }, 'safe')
  const { tokens = [] } = (listed.body ?? {}) as {
    tokens?: readonly { readonly referenceNumber: string; readonly status: string }[]
  }
  for (const { referenceNumber, status } of tokens)
    if (status === 'Active' || status === 'Pending')
      await account.call('tokens.revoke', { path: { referenceNumber } }, 'safe')
}
