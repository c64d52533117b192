import { defaultsForTokens } from '../callers.ts'
import { limits as stated } from '../../../contract/limits.ts'
import type { SessionLimits } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { bodies, calls, decidedBy, refuses } from '../rewrite.ts'
import { sessionOf } from '../session-views.ts'
import { isAlone } from '../ways-of-sending.ts'

interface Sizes {
  readonly maxInvoiceSizeInMB: number
  readonly maxInvoiceWithAttachmentSizeInMB: number
}

interface ContextLimits {
  readonly onlineSession: Sizes
  readonly batchSession: Sizes
}

const oneMegabyteMore = (sizes: Sizes): Sizes => ({
  ...sizes,
  maxInvoiceSizeInMB: sizes.maxInvoiceSizeInMB + 1,
  maxInvoiceWithAttachmentSizeInMB: sizes.maxInvoiceWithAttachmentSizeInMB + 1,
})

/** The limit of a session holds for all sessions of its context together. */
const roomOfTheContext = refuses(['invoices.submit'], 'session-full', (call) => {
  const session = sessionOf(call)
  if (session === undefined) return false
  const { state, limits } = call.service
  const total = state.sessions
    .by('context', keyOf(session.context))
    .reduce((sum, one) => sum + one.total, 0)
  return total >= limits.session(session.context).online.maxInvoices
})

/** What is still to be processed takes no room in its session. */
const roomByProcessed = calls(['invoices.submit'], (call) => {
  const { accepted = 0, rejected = 0 } = sessionOf(call) ?? {}
  return decidedBy(call, { sessionHasRoom: (_, limit) => accepted + rejected < limit })
})

/** An invoice that was rejected leaves its place in its session. */
const roomWithoutRejected = calls(['invoices.submit'], (call) => {
  const { rejected = 0 } = sessionOf(call) ?? {}
  return decidedBy(call, { sessionHasRoom: (total, limit) => total - rejected < limit })
})

/** A submission that is refused takes a place in its session. */
const roomWithRefused = (): Mutant => {
  const refused = new Map<string, number>()
  let session = ''
  return {
    at: ['invoices.submit'],
    policy: {
      sessionHasRoom: (invoices, limit) =>
        policy.sessionHasRoom(invoices + (refused.get(session) ?? 0), limit),
    },
    async call(call, next) {
      session = call.path['referenceNumber'] ?? ''
      const own = session
      try {
        return await next(call)
      } catch (error) {
        refused.set(own, (refused.get(own) ?? 0) + 1)
        throw error
      }
    },
  }
}

/** The limits of the contract, and not those of its context, hold for what is sent without a session. */
const notAlone = (): Mutant => {
  let alone = false
  return {
    at: ['invoice'],
    needs: 'invoices.send',
    tables: {
      sessions: {
        read(found) {
          alone = isAlone(found)
          return found
        },
      },
    },
    policy: {
      plainInvoiceFits: (bytes, limit) => policy.plainInvoiceFits(bytes, alone ? 1_000_000 : limit),
    },
  }
}

/** Sessions in contexts of some kinds have no limit, whatever is reported. */
const notIn = (...kinds: readonly string[]): Mutant => {
  let isFree = false
  return {
    at: ['invoices.submit'],
    call(call, next) {
      isFree = kinds.includes(call.caller?.context.type ?? '')
      return next(call)
    },
    policy: {
      sessionHasRoom: (invoices, limit) => isFree || policy.sessionHasRoom(invoices, limit),
    },
  }
}

type Kept = Pick<SessionLimits, 'maxInvoiceBytes' | 'maxInvoices'>

const ofTheContract: Kept = {
  maxInvoiceBytes: stated['invoice.bytes'].value,
  maxInvoices: stated['session.invoices'].value,
}

/** An interactive session keeps limits that its context had at its opening. */
const keptFromTheOpening = (
  policyOf: (kept: () => Kept | undefined) => Partial<Policy>,
): Mutant => {
  const known = new Map<string, Kept>()
  let current: string | undefined
  return {
    at: ['sessions.openOnline', 'invoices.submit', 'invoice'],
    tables: {
      sessions: {
        write(next, before, { contextLimits }) {
          if (before === undefined) {
            const set = contextLimits.get(keyOf(next.context))
            known.set(next.referenceNumber, set?.limits.online ?? ofTheContract)
          }
          return next
        },
        read(found) {
          current = found?.referenceNumber
          return found
        },
      },
    },
    policy: policyOf(() => known.get(current ?? '')),
  }
}

/** Limits that were set show to those who set them, and to nobody else of the context. */
const ofTheirSetters = (): Mutant => {
  const setters = new Map<string, string>()
  return {
    at: ['testdata.setSessionLimits', 'limits.context'],
    async call(call, next) {
      const { service, caller, operation } = call
      if (caller === undefined) return next(call)
      const [context, subject] = [keyOf(caller.context), keyOf(caller.subject)]
      if (operation === 'testdata.setSessionLimits') setters.set(context, subject)
      const { contextLimits } = service.state
      const set = contextLimits.get(context)
      if (set === undefined || setters.get(context) === subject) return next(call)
      contextLimits.delete(context)
      const answer = await next(call)
      contextLimits.put(set)
      return answer
    },
  }
}

/** Defects of the limits of a context. */
export const limitsContextMutants = {
  'limits.context/not-without-a-session': notAlone(),
  'limits.context/packages-as-interactive': {
    at: ['invoice', 'batch'],
    policy: { sessionBounds: ({ online }) => online },
  },
  'limits.context/attachments-as-in-interactive-sessions': {
    tables: {
      contextLimits: {
        write: ({ limits: { online, batch }, ...next }) => ({
          ...next,
          limits: {
            online,
            batch: {
              ...batch,
              maxInvoiceWithAttachmentBytes: online.maxInvoiceWithAttachmentBytes,
            },
          },
        }),
      },
    },
  },
  'limits.context/of-taxpayers-alone': notIn('InternalId', 'NipVatUe'),
  'limits.context/not-of-eu-entities': notIn('NipVatUe'),
  'limits.context/of-their-setters': ofTheirSetters(),
  'limits.context/zero-invoices-without-limit': {
    policy: {
      sessionHasRoom: (invoices, limit) => limit === 0 || policy.sessionHasRoom(invoices, limit),
    },
  },
  'limits.context/zero-bytes-without-limit': {
    policy: {
      plainInvoiceFits: (bytes, limit) => limit === 0 || policy.plainInvoiceFits(bytes, limit),
    },
  },
  'limits.context/number-from-the-opening': keptFromTheOpening((kept) => ({
    sessionHasRoom: (invoices, limit) =>
      policy.sessionHasRoom(invoices, kept()?.maxInvoices ?? limit),
  })),
  'limits.context/size-from-the-opening': keptFromTheOpening((kept) => ({
    plainInvoiceFits: (bytes, limit) =>
      policy.plainInvoiceFits(bytes, kept()?.maxInvoiceBytes ?? limit),
  })),
  'limits.context/context-reported-wrong': bodies(
    ['limits.context'],
    ({ onlineSession, batchSession }: ContextLimits) => ({
      onlineSession: oneMegabyteMore(onlineSession),
      batchSession: oneMegabyteMore(batchSession),
    }),
  ),
  'limits.context/pending-invoices-not-counted': {
    also: ['sessions.online.ten-thousand'],
    ...roomByProcessed,
  },
  'limits.context/rejected-invoices-not-counted': {
    also: ['sessions.online.ten-thousand'],
    ...roomWithoutRejected,
  },
  'limits.context/refused-submissions-counted': {
    also: ['sessions.online.ten-thousand'],
    ...roomWithRefused(),
  },
  'limits.context/invoices-of-all-sessions': roomOfTheContext,
  'limits.context/defaults-for-tokens': defaultsForTokens('limits.context'),
} as const satisfies Readonly<Record<string, Mutant>>
