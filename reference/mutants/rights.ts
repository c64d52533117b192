import { publicRate, rateRules } from '../../contract/limits.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { refuse } from '../base/refusals.ts'
import type { Grant, TestSubject } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { soon } from '../base/soon.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { answers, bodies, calls, ignores, lists, refuses } from './rewrite.ts'
import type { Fields } from './rewrite.ts'

/** Defects of permissions, service tokens and limits that spare the plain case: a colleague, a second grant, an identifier that is alike. */

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

/** A public operation that the default row counts as well. */
const countedToo = (operation: OperationId): Mutant => ({
  at: [operation],
  call(call, next) {
    const { service, caller, address, now } = call
    const key = `${caller === undefined ? '' : keyOf(caller.context)} ${address} ${operation}`
    const thresholds = policy.thresholds(rateRules.default.window)
    if (service.limiter.pass(policy, key, thresholds, now) !== undefined)
      throw refuse('rate-limited', [], { headers: { 'retry-after': '1' } })
    return next(call)
  },
})

/** A window that forgets its calls in steps of its own. */
const inSteps = (span: number, step: number): Mutant => ({
  policy: {
    callCounts: (at, now, of) =>
      policy.callCounts(of === span ? Math.floor(at / step) * step : at, now, of),
  },
})

/** The token that a caller logged in with holds more than it carries. */
const carriesToo = (held: string, more: 'InvoiceRead' | 'InvoiceWrite'): Mutant => ({
  tables: {
    tokens: {
      read: (found) =>
        found?.permissions.some((one) => one === held) === true
          ? { ...found, permissions: [...found.permissions, more] }
          : found,
    },
  },
})

const bulk = ['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection'] as const

const euMutants = Object.fromEntries(
  bulk.map((permission) => [
    `permissions.grant.effective/eu-administrator-without-${permission}`,
    withoutOne(permission),
  ]),
) as Record<`permissions.grant.effective/eu-administrator-without-${(typeof bulk)[number]}`, Mutant>

/** Waits are reported as they were the first time. */
const asTheFirstTime = (): Mutant => {
  const first = new Map<string, string>()
  return {
    exchange: (running, next) =>
      soon(next(running), (response) => {
        const { operation, context } = running.exchange
        const key = `${operation} ${context === undefined ? '' : keyOf(context)}`
        const wait = first.get(key) ?? response.headers.get('retry-after')
        if (response.status !== 429 || wait === null) return response
        first.set(key, wait)
        const headers = new Headers(response.headers)
        headers.set('retry-after', wait)
        return new Response(response.body, { status: 429, headers })
      }),
  }
}

/** Members of a group are read once, and remembered. */
const rememberedMembers = (): Mutant => {
  const known = new Map<string, TestSubject>()
  return {
    at: ['permissions.querySubordinateRoles'],
    tables: {
      subjects: {
        read(found, key) {
          if (found !== undefined) known.set(key, found)
          return found ?? known.get(key)
        },
      },
    },
  }
}

export const rightsMutants = {
  'limits.rate.retry-after/as-the-first-time': asTheFirstTime(),
  'permissions.query.scope/members-remembered': rememberedMembers(),
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
  ...euMutants,
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
  'operations.status.reports/hidden-from-colleagues': refuses(
    ['operations.status'],
    'operation-unknown',
    ({ service, path, caller }) => {
      const task = service.state.operations.get(path['referenceNumber'] ?? '')?.task
      if (task === undefined || caller === undefined) return false
      const by = task.kind === 'revoke' ? task.by : task.grants[0]?.author
      return by !== undefined && 'value' in by && keyOf(by) !== keyOf(caller.subject)
    },
  ),
  'permissions.query.scope/units-by-author': {
    at: ['permissions.querySubunits'],
    policy: {
      grantInScope: (list, grant, viewer) =>
        policy.grantInScope(list, grant, viewer) &&
        'value' in grant.author &&
        viewer.names.has(keyOf(grant.author)),
    },
  },
  'permissions.query.narrowed/entities-by-taxpayer': {
    at: ['permissions.queryEntities'],
    async call(call, next) {
      const { contextIdentifier, ...rest } = (call.body ?? {}) as Fields
      const answer = await next({ ...call, body: rest })
      if (contextIdentifier === undefined) return answer
      const { permissions, ...more } = answer.body as { readonly permissions: readonly Fields[] }
      const nip = nipOf(contextIdentifier as { readonly value: string })
      const fits = (row: Fields): boolean =>
        nipOf(row['contextIdentifier'] as { readonly value: string }) === nip
      return { ...answer, body: { ...more, permissions: permissions.filter(fits) } }
    },
  },
  'permissions.query.narrowed/holders-by-their-first-digits': {
    at: ['permissions.queryPersons'],
    async call(call, next) {
      const { authorizedIdentifier, ...rest } = (call.body ?? {}) as Fields
      const answer = await next({ ...call, body: rest })
      if (authorizedIdentifier === undefined) return answer
      const { permissions, ...more } = answer.body as { readonly permissions: readonly Fields[] }
      const digits = (one: unknown): string => (one as { readonly value: string }).value.slice(0, 6)
      const fits = (row: Fields): boolean =>
        digits(row['authorizedIdentifier']) === digits(authorizedIdentifier)
      return { ...answer, body: { ...more, permissions: permissions.filter(fits) } }
    },
  },
  'permissions.query.described/entity-of-administrators-alone': bodies<{
    readonly permissions: readonly Fields[]
  }>(['permissions.queryEu'], ({ permissions }, { service }) => ({
    permissions: permissions.map(({ euEntityDetails, ...row }) =>
      service.state.grants.get(String(row['id']))?.kind === 'eu'
        ? row
        : { ...row, euEntityDetails },
    ),
  })),
  'permissions.matrix/tokens-that-write-read': carriesToo('InvoiceWrite', 'InvoiceRead'),
  'permissions.matrix/tokens-that-read-write': carriesToo('InvoiceRead', 'InvoiceWrite'),
  'tokens.list.narrowed/by-last-use': lists<Fields>(['tokens.list'], 'tokens', (tokens) =>
    tokens.toSorted((a, b) => {
      const of = (row: Fields): string => String(row['lastUseDate'] ?? row['dateCreated'])
      return of(b).localeCompare(of(a))
    }),
  ),
  'tokens.revoke.rights/managers-by-document-only': refuses(
    ['tokens.revoke'],
    'missing-permission',
    ({ caller, path }) =>
      caller?.authentication.token !== undefined &&
      caller.authentication.token !== path['referenceNumber'],
  ),
  'tokens.status.described/made-with-another-is-of-the-context': calls(['tokens.create'], (call) =>
    call.caller?.authentication.token === undefined
      ? call
      : {
          ...call,
          caller: { ...call.caller, subject: { type: 'Nip', value: nipOf(call.caller.context) } },
        },
  ),
  'testdata.entities/bailiffs-by-pesel-only': refuses(
    ['tokens.create'],
    'token-permissions-lacking',
    ({ caller, body }) =>
      caller?.subject.type === 'Nip' &&
      (body as { readonly permissions: readonly string[] }).permissions.includes(
        'EnforcementOperations',
      ),
  ),
  'testdata.entities/created-today': ignores(['testdata.createSubject'], 'createdDate'),
  'testdata.permissions/replaces-what-was-granted': answers(['testdata.grant'], (answer, call) => {
    const { authorizedIdentifier, permissions } = call.body as {
      readonly authorizedIdentifier: Grant['subject']
      readonly permissions: readonly { readonly permissionType: string }[]
    }
    const { grants } = call.service.state
    for (const grant of grants.by('subject', keyOf(authorizedIdentifier)))
      if (
        grant.kind === 'testdata' &&
        isInForce(grant) &&
        permissions.every(({ permissionType }) => permissionType !== grant.permission)
      )
        grants.put({ ...grant, revokedAt: call.now })
    return answer
  }),
  'limits.rate.public-outside/status-counted-too': countedToo('auth.status'),
  'limits.rate.public-outside/refresh-counted-too': countedToo('auth.refresh'),
  'limits.rate.windows-slide/minutes-in-tens-of-seconds': inSteps(60_000, 10_000),
  'limits.rate.windows-slide/hours-in-minutes': inSteps(3_600_000, 60_000),
  'limits.rate.windows-slide/hours-in-quarters': inSteps(3_600_000, 900_000),
  'auth.challenge.address-limit/seconds-of-the-clock': {
    policy: {
      roomIn: (log, threshold, now, decisions) =>
        policy.roomIn(
          log,
          threshold,
          now,
          threshold.span === 1_000 && threshold.maximum === publicRate.perSecond
            ? { ...decisions, callCounts: (at) => at >= Math.floor(now / 1_000) * 1_000 }
            : decisions,
        ),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
