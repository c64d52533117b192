import type { Grant } from '../../model/entities.ts'
import { nipOf } from '../../model/entities.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Permissions in a context of one kind that also count in the contexts of another kind with the same NIP. */

const kinds = ['Nip', 'InternalId', 'NipVatUe'] as const
type Kind = (typeof kinds)[number]

const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text)

/** The key of a context, taken apart. */
const readKey = (key: string): { readonly type: Kind; readonly nip: string } | undefined => {
  const [type = '', value = ''] = key.split(':')
  return isKind(type) ? { type, nip: nipOf({ value }) } : undefined
}

const ofKin = (from: Kind, to: Kind, key: string, all: Iterable<Grant>): Grant[] => {
  const asked = readKey(key)
  if (asked?.type !== to) return []
  return [...all].filter(({ context }) => context.type === from && nipOf(context) === asked.nip)
}

/** Every kind of context, with the permissions of each other kind. */
export const sharedPermissions = (): Generated[] =>
  kinds.flatMap((from) =>
    kinds
      .filter((to) => to !== from)
      .map((to) =>
        generated('kin', `${from}-counts-in-${to}`, ['auth.xades.context-kinds'], {
          tables: {
            grants: {
              find: (found, index, key, table) =>
                index === 'context' ? [...found, ...ofKin(from, to, key, table.values())] : found,
            },
          },
        }),
      ),
  )
