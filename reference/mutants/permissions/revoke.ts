import type { Grant } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import { startOperation } from '../../rights/operations.ts'
import type { State } from '../../model/state.ts'
import type { Mutant } from '../mutant.ts'
import { accepts } from '../rewrite.ts'

const isInForce = ({ revokedAt }: Grant): boolean => revokedAt === undefined

/** A revocation ends further grants. */
const endsToo = (meant: (other: Grant, ended: Grant) => boolean): Mutant => ({
  tables: {
    grants: {
      write(next, before, { grants }) {
        const { revokedAt } = next
        if (before === undefined || revokedAt === undefined) return next
        for (const other of grants.values())
          if (other.id !== next.id && isInForce(other) && meant(other, next))
            grants.put({ ...other, revokedAt })
        return next
      },
    },
  },
})

/** How many operations are pending in the context of a grant. */
const pendingIn = (operations: State['operations'], { context }: Grant): number =>
  [...operations.values()].filter(
    (one) => one.status.code < 200 && keyOf(one.context) === keyOf(context),
  ).length

/** Defects of revocations. */
export const permissionsRevokeMutants = {
  'permissions.revoke.effective/authorization-stays': {
    policy: { authorizationHolds: () => true },
  },
  'permissions.revoke.effective/without-effect': {
    tables: {
      grants: {
        write: (next, before) =>
          before !== undefined && next.revokedAt !== undefined ? undefined : next,
      },
    },
  },
  'permissions.revoke.effective/last-of-several-alone': {
    at: ['operation'],
    tables: {
      grants: {
        write: (next, before, { operations }) =>
          before !== undefined && next.revokedAt !== undefined && pendingIn(operations, next) > 1
            ? undefined
            : next,
      },
    },
  },
  'permissions.revoke.effective/old-tokens-work': {
    policy: { permissionsInForce: ({ issuedWith }) => new Set(issuedWith) },
  },
  'permissions.revoke.effective/ends-the-same-held-otherwise': endsToo(
    (other, ended) =>
      other.kind !== ended.kind &&
      other.permission === ended.permission &&
      keyOf(other.subject) === keyOf(ended.subject) &&
      keyOf(other.context) === keyOf(ended.context),
  ),
  'permissions.revoke.effective/ends-all-that-an-intermediary-passed-on': endsToo(
    (other, ended) =>
      ended.kind === 'entity' &&
      other.kind === 'indirect' &&
      keyOf(other.grantedIn) === keyOf(ended.subject),
  ),
  'permissions.revoke.effective/ends-an-agent-as-an-entity-too': endsToo(
    (other, ended) =>
      other.kind !== ended.kind &&
      [other, ended].some(({ kind }) => kind === 'authorization') &&
      keyOf(other.subject) === keyOf(ended.subject) &&
      keyOf(other.context) === keyOf(ended.context),
  ),
  'permissions.revoke.effective/ends-what-is-passed-on-to-other-clients': endsToo(
    (other, ended) =>
      ended.kind === 'indirect' &&
      other.kind === 'indirect' &&
      other.permission === ended.permission &&
      keyOf(other.subject) === keyOf(ended.subject) &&
      keyOf(other.context) === keyOf(ended.context),
  ),
  'permissions.revoke.effective/ends-what-other-managers-granted': endsToo(
    (other, ended) =>
      ['CredentialsManage', 'VatUeManage'].includes(ended.permission) &&
      other.permission === 'InvoiceRead' &&
      keyOf(other.grantedIn) === keyOf(ended.context) &&
      other.author.type !== 'System' &&
      keyOf(other.author) !== keyOf(ended.subject),
  ),
  'permissions.revoke.effective/ends-what-other-intermediaries-passed-on': endsToo(
    (other, ended) =>
      ended.kind === 'entity' &&
      other.kind === 'indirect' &&
      keyOf(other.grantedIn) !== keyOf(ended.subject) &&
      other.target?.value === ended.context.value,
  ),
  'permissions.revoke.effective/ends-all-authorizations-of-an-agent': {
    tables: {
      grants: {
        write(next, before, { grants }) {
          const { revokedAt, kind } = next
          if (before !== undefined && revokedAt !== undefined && kind === 'authorization')
            for (const other of grants.by('context', keyOf(next.context)))
              if (
                other.id !== next.id &&
                other.kind === kind &&
                other.revokedAt === undefined &&
                keyOf(other.subject) === keyOf(next.subject)
              )
                grants.put({ ...other, revokedAt })
          return next
        },
      },
    },
  },
  'permissions.revoke.refusals/anyone-may': {
    at: ['permissions.revoke'],
    policy: { permitted: () => true, revocationPermitted: () => true },
  },
  'permissions.revoke.refusals/unknown-succeeds': accepts(
    ['permissions.revoke'],
    ['permission-unknown'],
    ({ caller, path, ...call }) => {
      if (caller === undefined) return undefined
      const permissionId = path['permissionId'] ?? ''
      const by = caller.subject
      const task = { kind: 'revoke', permissionId, by, authorization: false } as const
      return startOperation({ ...call, caller, path }, task)
    },
  ),
  'permissions.revoke.refusals/twice': { policy: { revokedBefore: () => false } },
  'permissions.revoke.refusals/across-contexts': { policy: { revocationInContext: () => true } },
  'permissions.revoke.refusals/twice-at-once': {
    at: ['operation'],
    policy: { revokedBefore: () => false },
  },
} as const satisfies Readonly<Record<string, Mutant>>
