import { operationIds, endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { State } from '../../model/state.ts'
import type { Grant } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Grants of one kind that are lost, never end, or end others: kinds are often stored and searched apart. */

type Which = (grant: Grant) => boolean

const person =
  (type: string): Which =>
  ({ kind, subject }) =>
    kind === 'person' && subject.type === type

/** The kinds by which grants can be told apart. */
export const grantKinds: Readonly<Record<string, Which>> = {
  'person-by-nip': person('Nip'),
  'person-by-pesel': person('Pesel'),
  'person-by-fingerprint': person('Fingerprint'),
  'test-data': ({ kind }) => kind === 'testdata',
  entity: ({ kind }) => kind === 'entity',
  'for-one-client': ({ kind, target }) => kind === 'indirect' && target?.value !== undefined,
  'for-all-clients': ({ kind, target }) => kind === 'indirect' && target?.value === undefined,
  'internal-unit': ({ kind, context }) => kind === 'subunit' && context.type === 'InternalId',
  member: ({ kind, context }) => kind === 'subunit' && context.type === 'Nip',
  'eu-administrator': ({ kind }) => kind === 'euAdministration',
  'eu-representative': ({ kind }) => kind === 'eu',
  authorization: ({ kind }) => kind === 'authorization',
}

export const isSameHolder = (a: Grant, b: Grant): boolean =>
  keyOf(a.subject) === keyOf(b.subject) && keyOf(a.context) === keyOf(b.context)

/** The other grants in force in the context of a grant. */
const others = ({ grants }: State, grant: Grant): Grant[] =>
  grants
    .by('context', keyOf(grant.context))
    .filter(({ id, revokedAt }) => id !== grant.id && revokedAt === undefined)

/** Whether the holder of a grant has it already. */
const isHeld = (state: State, grant: Grant): boolean =>
  others(state, grant).some(
    (other) =>
      other.kind === grant.kind &&
      other.permission === grant.permission &&
      isSameHolder(other, grant),
  )

/** Grants of the same kind that the holder of one has in other contexts. */
const elsewhere = ({ grants }: State, grant: Grant): Grant[] =>
  [...grants.values()].filter(
    (other) =>
      other.kind === grant.kind &&
      keyOf(other.subject) === keyOf(grant.subject) &&
      keyOf(other.context) !== keyOf(grant.context) &&
      other.revokedAt === undefined,
  )

/** Grants that are stored differently. */
export const written = (
  write: (next: Grant, before: Grant | undefined, state: State) => Grant | undefined,
): Mutant => ({ tables: { grants: { write } } })

/** A revocation that ends further grants. */
const endsToo = (which: Which, alike: (other: Grant, ended: Grant) => boolean): Mutant =>
  written((next, before, state) => {
    const { revokedAt } = next
    if (before !== undefined && revokedAt !== undefined && which(next))
      for (const other of others(state, next))
        if (alike(other, next)) state.grants.put({ ...other, revokedAt })
    return next
  })

const effective: Rules = ['permissions.grant.effective', 'permissions.query.scope']

interface Way {
  readonly rules: Rules
  readonly mutant: (which: Which) => Mutant
}

const ways: Readonly<Record<string, Way>> = {
  lost: {
    rules: effective,
    mutant: (which) =>
      written((next, before) => (before === undefined && which(next) ? undefined : next)),
  },
  'second-permission-lost': {
    rules: effective,
    mutant: (which) => ({
      tables: {
        operations: {
          write: (next, before) =>
            before === undefined && next.task.kind === 'grant' && next.task.grants.every(which)
              ? { ...next, task: { ...next.task, grants: next.task.grants.slice(0, 1) } }
              : next,
        },
      },
    }),
  },
  'stops-at-what-is-held': {
    rules: ['permissions.grant.effective'],
    mutant: (which) => ({
      tables: {
        operations: {
          write(next, before, state) {
            if (before !== undefined || next.task.kind !== 'grant') return next
            const { grants } = next.task
            const held = grants.findIndex((grant) => which(grant) && isHeld(state, grant))
            return held < 0
              ? next
              : { ...next, task: { kind: 'grant', grants: grants.slice(0, held) } }
          },
        },
      },
    }),
  },
  'replaces-others': {
    rules: effective,
    mutant: (which) =>
      written((next, before, state) => {
        if (before === undefined && which(next))
          for (const other of others(state, next))
            if (isSameHolder(other, next) && other.startsAt < next.startsAt)
              state.grants.put({ ...other, revokedAt: next.startsAt })
        return next
      }),
  },
  'not-given-again': {
    rules: ['permissions.grant.effective'],
    mutant: (which) =>
      written((next, before, { grants }) =>
        before === undefined &&
        which(next) &&
        grants
          .by('context', keyOf(next.context))
          .some(
            (known) =>
              known.revokedAt !== undefined &&
              known.permission === next.permission &&
              isSameHolder(known, next),
          )
          ? undefined
          : next,
      ),
  },
  'never-ends': {
    rules: ['permissions.revoke.effective'],
    mutant: (which) => ({
      tables: {
        grants: {
          find: (found, index) =>
            index === 'context'
              ? found.map(({ revokedAt, ...grant }) =>
                  revokedAt === undefined || which(grant) ? grant : { ...grant, revokedAt },
                )
              : found,
        },
      },
    }),
  },
  'ends-those-of-others': {
    rules: ['permissions.revoke.effective', 'permissions.query.scope'],
    mutant: (which) => endsToo(which, (other, ended) => other.permission === ended.permission),
  },
  'ends-all-of-holder': {
    rules: ['permissions.revoke.effective', 'permissions.query.scope'],
    mutant: (which) => endsToo(which, isSameHolder),
  },
  'replaces-those-elsewhere': {
    rules: ['permissions.grant.effective'],
    mutant: (which) =>
      written((next, before, state) => {
        if (before === undefined && which(next))
          for (const other of elsewhere(state, next))
            state.grants.put({ ...other, revokedAt: next.startsAt })
        return next
      }),
  },
  'ends-those-elsewhere': {
    rules: ['permissions.revoke.effective'],
    mutant: (which) =>
      written((next, before, state) => {
        const { revokedAt } = next
        if (before !== undefined && revokedAt !== undefined && which(next))
          for (const other of elsewhere(state, next)) state.grants.put({ ...other, revokedAt })
        return next
      }),
  },
  'listed-when-revoked': {
    rules: ['permissions.query.scope'],
    mutant: (which) => ({
      policy: {
        grantListed: (grant, now) =>
          policy.grantListed(grant, now) || (which(grant) && grant.startsAt <= now),
      },
    }),
  },
  'not-listed': {
    rules: ['permissions.query.scope'],
    mutant: (which) => ({
      policy: { grantListed: (grant, now) => policy.grantListed(grant, now) && !which(grant) },
    }),
  },
}

/** Ways that do not concern a kind: it is granted as a whole, or one permission at a time. */
const without: Readonly<Record<string, readonly string[]>> = {
  'second-permission-lost': ['internal-unit', 'member', 'test-data', 'authorization'],
  'stops-at-what-is-held': [
    'internal-unit',
    'member',
    'test-data',
    'authorization',
    'eu-administrator',
  ],
  'replaces-others': ['internal-unit', 'member', 'eu-administrator'],
  'ends-all-of-holder': ['internal-unit', 'member'],
}

/** Operations that need a permission in every dialect. */
const guarded = operationIds.filter(
  (id) => endpoint(id).permissions !== undefined && !/[cC]ollective/.test(id),
)

/** One operation that does not check whether a grant is still in force, or does not find it. */
const atOperation = (operation: OperationId): Generated[] => [
  generated('grants', `${operation}.revoked-holds`, ['permissions.revoke.effective'], {
    at: [operation],
    policy: { grantHolds: (startsAt, _revokedAt, now) => startsAt <= now },
  }),
  generated('grants', `${operation}.not-found`, ['permissions.matrix'], {
    at: [operation],
    policy: { grantHolds: () => false },
  }),
]

/** One operation that still lets the creator of its resource continue after the revocation. */
const goesOn = (operation: OperationId): Generated => {
  const known = new Set<string>()
  const note =
    <T>(...names: readonly (keyof T)[]) =>
    (next: T): T => {
      for (const name of names) known.add(String(next[name]))
      return next
    }
  let isKnown = false
  return generated(
    'grants',
    `${operation}.revoked-holds-for-who-began`,
    ['permissions.revoke.effective'],
    {
      needs: operation,
      tables: {
        sessions: { write: note('referenceNumber') },
        invoices: { write: note('referenceNumber', 'number', 'svcNumber') },
        exports: { write: note('referenceNumber') },
      },
      exchange(running, next) {
        const { path, exchange } = running
        const isMeant = exchange.operation === operation
        isKnown = isMeant && path.split('/').some((one) => known.has(decodeURIComponent(one)))
        return next(running)
      },
      policy: {
        grantHolds: (startsAt, revokedAt, now) =>
          policy.grantHolds(startsAt, isKnown ? undefined : revokedAt, now),
      },
    },
  )
}

/** Operations on what a caller made with a permission to write or read invoices. */
const onOwnWork = guarded.filter((id) => {
  const { path, permissions = [] } = endpoint(id)
  return path.includes('{') && permissions.some((one) => /^Invoice(Write|Read)$/.test(one))
})

/** Every kind of grant, wrong in each way; and every operation that needs one. */
export const wrongGrants = (): Generated[] => [
  ...Object.entries(grantKinds).flatMap(([kind, which]) =>
    Object.entries(ways)
      .filter(([way]) => without[way]?.includes(kind) !== true)
      .map(([way, { rules, mutant }]) =>
        generated('grants', `${kind}.${way}`, rules, mutant(which)),
      ),
  ),
  ...guarded.flatMap(atOperation),
  ...onOwnWork.map(goesOn),
]
