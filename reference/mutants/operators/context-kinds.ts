import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Grant } from '../../model/entities.ts'
import { nipOf } from '../../model/entities.ts'
import { bodies, refuses } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/**
 * Contexts of one kind beside those of another with the same NIP: their permissions count there too, or what is open to
 * one is closed to the other.
 */

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

/** Operations that are refused in the contexts of one kind. */
const permitted = {
  'sessions.openOnline': 'sessions.online.opens',
  'sessions.openBatch': 'sessions.batch.opens',
  'exports.create': 'exports.create.accepted',
  'auth.refresh': 'auth.refresh.repeatable',
  'auth.sessions': 'auth.sessions.listed',
} as const satisfies Partial<Record<OperationId, RuleId>>

/** What is not to be had in contexts of some kind. */
export const kindsLeftOut = (): Generated[] =>
  (['InternalId', 'NipVatUe'] as const).flatMap((kind) => {
    const isSuch = ({ caller }: AnyCall): boolean => caller?.context.type === kind
    return [
      ...(Object.entries(permitted) as [OperationId, RuleId][]).map(([operation, rule]) =>
        generated(
          'kind',
          `${operation}-not-in-${kind}`,
          [rule],
          refuses([operation], 'missing-permission', isSuch),
        ),
      ),
      generated(
        'kind',
        `no-refresh-token-in-${kind}`,
        ['auth.redeem.issues-pair'],
        bodies(['auth.redeem'], (_, call) => (isSuch(call) ? { refreshToken: undefined } : {})),
      ),
    ]
  })
