import type { ContextKind } from '../model/entities.ts'
import { nipOf } from '../model/entities.ts'
import { providerOf } from '../login/subject.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { bodies } from './rewrite.ts'

/** Contexts that a login does not reach, or mistakes for another. */

/** Authentications in contexts of one kind that are accepted, and fail afterwards. */
export const neverSucceeds = (kind: ContextKind): Mutant =>
  bodies(['auth.status'], (body, { service, path }) =>
    service.state.authentications.get(path['referenceNumber'] ?? '')?.context.type === kind
      ? { status: { ...(body['status'] as object), code: 415 } }
      : {},
  )

/** Every login is one to the context of its subject. */
export const contextOfTheSubject: Mutant = {
  tables: {
    authentications: {
      write: (next) =>
        next.status.code === 200 && next.subject?.type === 'Nip'
          ? { ...next, context: { type: 'Nip', value: next.subject.value } }
          : next,
    },
  },
}

/** A context has the sessions of all contexts with its NIP. */
export const kindsMerged: Mutant = {
  at: ['sessions.list'],
  tables: {
    sessions: {
      find: (found, index, value, table) =>
        index === 'context'
          ? [...table.values()].filter(
              ({ context }) => nipOf(context) === nipOf({ value: value.replace(/^\w+:/, '') }),
            )
          : found,
    },
  },
  policy: { sessionIsOfContext: () => true, sessionIsOfSubject: () => true },
}

/** A provider's seal opens a context of that provider, where there are no such contexts. */
export const bySeal: Mutant = {
  policy: {
    providersKnown: (known, signer) =>
      policy.providersKnown(known, signer) || providerOf(signer) !== undefined,
  },
  absentIn: ({ providers }) => (providers === true ? 'providers have contexts' : undefined),
}
