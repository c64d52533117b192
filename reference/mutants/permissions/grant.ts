import { policy } from '../../policy/policy.ts'
import type { Grant } from '../../model/entities.ts'
import { keyOf, nipOf } from '../../model/entities.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import { refuses } from '../rewrite.ts'

/** One permission of those that an administrator of an EU entity is granted as a whole. */
const withoutOne = (permission: string): Mutant => ({
  tables: {
    grants: {
      write: (next, before) =>
        before === undefined && next.kind === 'euAdministration' && next.permission === permission
          ? undefined
          : next,
    },
  },
})

/** Grants in units, and of powers, that are not the context's to give. */
const anyUnit: Partial<Policy> = {
  enforcementGrantable: () => true,
  unitOfContext: () => true,
  unitSubordinate: () => true,
  euEntityOfContext: () => true,
}

/** What is granted in some contexts holds in another one too. */
const reaches = (into: string, from: (grant: Grant) => boolean): Mutant => ({
  at: ['authentication'],
  tables: {
    grants: {
      find: (found, index, value, table) =>
        index === 'context' && value.startsWith(into)
          ? [
              ...found,
              ...[...table.values()].filter(
                (grant) =>
                  from(grant) && nipOf(grant.context) === value.split(':')[1]?.slice(0, 10),
              ),
            ]
          : found,
    },
  },
})

/** A permission that one grant names twice is granted twice: nothing looks for what is in force already. */
const onceForEachMention: Mutant = {
  at: ['permissions.grantPerson', 'operation'],
  async call(call, handle) {
    const body = call.body as { readonly permissions: readonly string[] }
    const named = new Set(body.permissions)
    const once = { ...call, body: { ...body, permissions: [...named] } }
    if (named.size < body.permissions.length) await handle(once)
    return handle(once)
  },
  tables: { grants: { find: (found, index) => (index === 'context' ? [] : found) } },
}

/** Defects of grants. */
export const permissionsGrantMutants = {
  'permissions.grant.listed/not-granted-again': {
    tables: {
      grants: {
        write: (next, before, state) =>
          before === undefined &&
          state.grants
            .by('context', keyOf(next.context))
            .some(
              ({ revokedAt, permission, subject }) =>
                revokedAt !== undefined &&
                permission === next.permission &&
                keyOf(subject) === keyOf(next.subject),
            )
            ? undefined
            : next,
      },
    },
  },
  'permissions.grant.effective/for-new-tokens-only': {
    policy: {
      permissionsInForce: ({ live, issuedWith }) =>
        new Set([...live()].filter((permission) => issuedWith.includes(permission))),
    },
  },
  'permissions.grant.effective/tokens-of-owners-by-nip-alone': {
    tables: {
      tokens: {
        read: (found) =>
          found === undefined || keyOf(found.author) === keyOf(found.context)
            ? found
            : { ...found, permissions: [] },
      },
    },
  },
  'permissions.grant.listed/once-for-each-mention': onceForEachMention,
  'permissions.grant.listed/not-by-certificate': {
    at: ['permissions.queryPersons'],
    policy: {
      grantListed: (grant, now) =>
        grant.subject.type !== 'Fingerprint' && policy.grantListed(grant, now),
    },
  },
  'permissions.grant.listed/not-listed': { policy: { grantListed: () => false } },
  'permissions.grant.effective/any-authorization': {
    at: ['invoice'],
    tables: {
      grants: {
        find: (found) =>
          found.flatMap((grant) =>
            grant.kind === 'authorization'
              ? (['SelfInvoicing', 'TaxRepresentative'] as const).map((permission) => ({
                  ...grant,
                  permission,
                }))
              : [grant],
          ),
      },
    },
  },
  'permissions.grant.effective/one-client-only': {
    at: ['operation'],
    tables: {
      grants: {
        write: (next, before, { grants }) =>
          before === undefined &&
          next.kind === 'indirect' &&
          grants
            .by('subject', keyOf(next.subject))
            .some(({ permission, kind }) => kind === next.kind && permission === next.permission)
            ? undefined
            : next,
      },
    },
  },
  'permissions.grant.effective/clients-of-the-day-of-the-grant': {
    tables: {
      grants: {
        find: (found, _index, _value, table) =>
          found.filter(
            ({ kind, target, grantedIn, startsAt }) =>
              kind !== 'indirect' ||
              target?.value !== undefined ||
              [...table.values()].every(
                (base) => base.subject.value !== grantedIn.value || base.startsAt <= startsAt,
              ),
          ),
      },
    },
  },
  'permissions.grant.effective/in-eu-entities-too': reaches(
    'NipVatUe',
    ({ context }) => context.type === 'Nip',
  ),
  'permissions.grant.effective/in-every-unit-of-the-taxpayer': reaches(
    'InternalId',
    ({ context, kind }) => context.type === 'InternalId' && kind === 'person',
  ),
  'permissions.grant.effective/one-administrator-of-a-unit': {
    tables: {
      grants: {
        write(next, before, { grants }) {
          if (before === undefined && next.kind === 'subunit')
            for (const other of grants.by('context', keyOf(next.context)))
              if (other.kind === 'subunit') grants.put({ ...other, revokedAt: next.startsAt })
          return next
        },
      },
    },
  },
  'permissions.grant.effective/works-before': {
    tables: {
      operations: {
        write(next, before, { grants }) {
          if (before === undefined && next.task.kind === 'grant')
            for (const grant of next.task.grants) grants.put({ ...grant, startsAt: next.startedAt })
          return next
        },
      },
    },
  },
  'permissions.grant.effective/entities-before-the-end': {
    tables: {
      operations: {
        write(next, before, { grants }) {
          if (before === undefined && next.task.kind === 'grant')
            for (const grant of next.task.grants.filter(({ kind }) => kind === 'entity'))
              grants.put({ ...grant, startsAt: next.startedAt })
          return next
        },
      },
    },
  },
  'permissions.grant.effective/writes-not': {
    tables: {
      grants: {
        write: (next) =>
          next.permission === 'InvoiceWrite' && next.kind !== 'testdata' ? undefined : next,
      },
    },
  },
  'permissions.grant.effective/reaches-up': {
    tables: {
      grants: {
        find(found, index, value, table) {
          const nip = value.slice(value.indexOf(':') + 1).slice(0, 10)
          return index === 'context'
            ? [...table.values()].filter(({ context }) => nipOf(context) === nip)
            : found
        },
      },
    },
  },
  'permissions.grant.effective/everything-is-passed-on': { policy: { mayPassOn: () => true } },
  'permissions.grant.effective/for-one-is-for-all': { policy: { passedOnTo: () => true } },
  'permissions.grant.effective/for-the-first-unit-only': {
    policy: { unitSubordinate: (entity, unit) => entity?.subunits[0]?.nip === unit },
  },
  'permissions.grant.effective/members-by-credentials-managers': refuses(
    ['permissions.grantSubunit'],
    'missing-permission',
    ({ caller, body }) =>
      (body as { readonly contextIdentifier: Fields }).contextIdentifier['type'] === 'Nip' &&
      caller?.permissions().has('CredentialsManage') !== true,
  ),
  'permissions.grant.effective/every-unit-named': {
    policy: { unitNameFits: (_kind, name) => (name ?? '') !== '' },
  },
  'permissions.grant.effective/target-required': refuses(
    ['permissions.grantIndirect'],
    'invalid-input',
    ({ body }) => (body as Fields)['targetIdentifier'] === undefined,
  ),
  'permissions.grant.effective/no-entities-in-units': refuses(
    ['permissions.grantEntity'],
    'missing-permission',
    ({ caller }) => caller?.context.type === 'InternalId',
  ),
  'permissions.grant.effective/eu-administrator-without-VatUeManage': withoutOne('VatUeManage'),
  'permissions.grant.effective/eu-administrator-without-InvoiceWrite': withoutOne('InvoiceWrite'),
  'permissions.grant.effective/eu-administrator-without-InvoiceRead': withoutOne('InvoiceRead'),
  'permissions.grant.effective/eu-administrator-without-Introspection': withoutOne('Introspection'),
  'permissions.grant.refusals/never-refused': { policy: { ...anyUnit, delegated: () => true } },
  'permissions.grant.refusals/consent-of-the-past': {
    at: ['operation'],
    policy: { grantHolds: (startsAt, _revokedAt, now) => startsAt <= now },
  },
  'permissions.grant.refusals/units-of-anyone': { policy: anyUnit },
  'permissions.grant.refusals/without-delegation': { policy: { delegated: () => true } },
  'permissions.grant.refusals/unit-nameless': { policy: { unitNameFits: () => true } },
  'permissions.grant.refusals/unit-unchecked': { policy: { unitCheckDigitFits: () => true } },
} as const satisfies Readonly<Record<string, Mutant>>
