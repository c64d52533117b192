import type { OperationId } from '../../contract/endpoints.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { answers, calls, refuses, servedWith } from './rewrite.ts'

/** What a rotation of keys takes along that it must not. */

/** With a key, every other key of its time is withdrawn, whatever it is for. */
export const withdrawnTogether = (): Mutant => {
  const gone = new Set<number>()
  return {
    call(call, next) {
      const { keys, policy: decisions } = call.service
      const all = keys.published({ ...decisions, keyLive: () => true }, call.now)
      for (const { validFrom, withdrawnFrom } of all)
        if (withdrawnFrom !== undefined && withdrawnFrom <= call.now) gone.add(validFrom)
      return next(call)
    },
    policy: {
      keyLive: (from, to, withdrawn, at) =>
        policy.keyLive(from, to, withdrawn, at) && !gone.has(from),
    },
  }
}

/** What was decrypted once is remembered, and not asked for its key again. */
export const openedBefore = (at: OperationId): Mutant => {
  const opened = new Map<string, Buffer>()
  return calls([at], (call) => {
    const { keys } = call.service
    const decrypt: typeof keys.decrypt = (decisions, usage, bytes, ...more) => {
      const name = Buffer.from(bytes).toString('base64')
      const plain = opened.get(name) ?? keys.decrypt(decisions, usage, bytes, ...more)
      if (Buffer.isBuffer(plain)) opened.set(name, plain)
      return plain
    }
    return servedWith(call, { keys: { ...keys, decrypt } })
  })
}

/** After the withdrawal of a key for tokens no symmetric key can be decrypted. */
export const otherUsageLost = calls(['sessions.openOnline'], (call) => {
  const { keys } = call.service
  const isLost = keys
    .published({ ...policy, keyLive: () => true }, call.now)
    .some(
      ({ usage, withdrawnFrom }) =>
        usage.includes('SvcTokenEncryption') && (withdrawnFrom ?? Infinity) <= call.now,
    )
  return isLost ? servedWith(call, { keys: { ...keys, decrypt: () => undefined } }) : call
})

/** Packages that were announced before a key was withdrawn do not decrypt after it. */
export const packagesLost = (): Mutant => {
  const announced = new Set<string>()
  const lost = new Set<string>()
  const nameOf = (key: Uint8Array): string => Buffer.from(key).toString('hex')
  return {
    tables: {
      sessions: {
        write(next, before) {
          if (next.kind === 'batch' && before === undefined) announced.add(nameOf(next.key))
          return next
        },
      },
    },
    call(call, next) {
      const isWithdrawn = call.service.keys
        .published({ ...policy, keyLive: () => true }, call.now)
        .some(({ withdrawnFrom }) => (withdrawnFrom ?? Infinity) <= call.now)
      if (isWithdrawn && call.operation !== 'sessions.openBatch')
        for (const name of announced) lost.add(name)
      return next(call)
    },
    policy: {
      decryptContent: (key, iv, bytes) =>
        lost.has(nameOf(key)) ? undefined : policy.decryptContent(key, iv, bytes),
    },
  }
}

/** During a rotation of keys for tokens, one of them is not known by its id. */
export const tokensByOneName = (which: 'earlier' | 'new'): Mutant =>
  refuses(['auth.token'], 'public-key-unknown', ({ service, body, now }) => {
    const { publicKeyId } = body as { readonly publicKeyId?: string }
    const listed = service.keys
      .published(service.policy, now)
      .filter(({ usage }) => usage.includes('SvcTokenEncryption'))
    if (publicKeyId === undefined || listed.length < 2) return false
    return (listed.at(-1)?.publicKeyId === publicKeyId) === (which === 'new')
  })

interface Listed {
  readonly usage: readonly string[]
  readonly validFrom: string
  readonly validTo: string
}

/** The entry of a new key still has a date of the key that it replaces. */
export const dateOfItsPredecessor = (name: 'validFrom' | 'validTo'): Mutant =>
  answers(['keys.list'], (answer) => {
    const keys = answer.body as readonly Listed[]
    return {
      ...answer,
      body: keys.map((key, at) => {
        const before = keys.slice(0, at).findLast(({ usage }) => usage[0] === key.usage[0])
        return before === undefined ? key : { ...key, [name]: before[name] }
      }),
    }
  })

/** A rotation removes every other key from the list. */
export const withdrawsAll = answers(['keys.list'], (answer) => {
  const keys = answer.body as readonly { readonly validFrom: string }[]
  const newest = keys.reduce((last, { validFrom }) => (validFrom > last ? validFrom : last), '')
  return { ...answer, body: keys.filter(({ validFrom }) => validFrom === newest) }
})

/** Beside the newest key only the one before it is kept in use, though all are listed. */
export const oneEarlierKey = (): Mutant => {
  const replaced = new Set<number>()
  let isUsed = false
  return {
    call(call, next) {
      isUsed = call.operation !== 'keys.list'
      return next(call)
    },
    policy: {
      keyLive(from, to, withdrawn, at) {
        if (withdrawn !== undefined) replaced.add(from)
        const isOlder = withdrawn !== undefined && from < Math.max(...replaced)
        return policy.keyLive(from, to, withdrawn, at) && !(isUsed && isOlder)
      },
    },
  }
}

/** With the first key that is withdrawn, the others of the usage go out of use. */
export const allWithTheFirst = (): Mutant => {
  let isGone = false
  return {
    policy: {
      keyLive(from, to, withdrawn, at) {
        isGone ||= withdrawn !== undefined && withdrawn <= at
        return policy.keyLive(from, to, withdrawn, at) && !isGone
      },
    },
  }
}
