import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Running } from '../../call/exchange.ts'
import type { Authentication } from '../../model/entities.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { decisionRows } from './decisions.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import { absenceOf } from './refusals.ts'

/** Decisions that are taken on one path through the service, and forgotten on another that means the same. */

/** How a service tells that a call takes the other path. */
interface Path {
  /** The rule that allows the path: a dialect without it does not have the path. */
  readonly statedBy?: RuleId
  readonly exchange?: (running: Running) => boolean
  readonly call?: (call: AnyCall) => boolean
  readonly login?: (login: Authentication) => boolean
}

const bodyHas = (name: string, is: (value: unknown) => boolean): Path => ({
  call: ({ body }) => is((body as Readonly<Record<string, unknown>> | undefined)?.[name]),
})

const paths = {
  slash: {
    statedBy: 'transport.trailing-slash',
    exchange: ({ path }) => path.endsWith('/'),
  },
  alias: {
    statedBy: 'transport.export-alias',
    exchange: ({ path }) => path.endsWith('/invoices/export'),
  },
  charset: { exchange: ({ headers }) => /;/.test(headers['content-type'] ?? '') },
  label: {
    statedBy: 'sessions.online.form-code-forms',
    ...bodyHas('formCode', (value) => typeof value === 'string'),
  },
  offline: bodyHas('offlineMode', (value) => value === true),
  'metadata-only': bodyHas('onlyMetadata', (value) => value === true),
  refreshed: { login: ({ refreshedAt }) => refreshedAt !== undefined },
  'service-token': { login: ({ method }) => method === 'Token' },
  unit: { login: ({ context }) => context.type === 'InternalId' },
} as const satisfies Readonly<Record<string, Path>>

/** A decision that grants everything on a path. */
interface Row {
  readonly path: keyof typeof paths
  readonly at: readonly OperationId[]
  readonly decision: keyof Policy
  readonly rules: Rules
}

const opens = ['sessions.openOnline', 'sessions.openBatch'] as const

const rows: readonly Row[] = [
  {
    path: 'slash',
    at: ['invoices.submit'],
    decision: 'sessionTakesInvoices',
    rules: ['sessions.online.close'],
  },
  {
    path: 'slash',
    at: ['invoices.submit'],
    decision: 'permitted',
    rules: ['sessions.online.needs-permission'],
  },
  ...(['alias', 'metadata-only'] as const).map((path): Row => ({
    path,
    at: ['exports.create'],
    decision: 'mayStartExport',
    rules: ['exports.running-limit'],
  })),
  ...(['label', 'offline'] as const).map((path): Row => ({
    path,
    at: ['sessions.openBatch'],
    decision: 'schemaInForce',
    rules: ['sessions.batch.bad-form-code-refused'],
  })),
  {
    path: 'label',
    at: ['sessions.openOnline'],
    decision: 'schemaInForce',
    rules: ['sessions.online.schema-calendar', 'sessions.online.bad-form-code-refused'],
  },
  ...(['label', 'charset'] as const).map((path): Row => ({
    path,
    at: opens,
    decision: 'sessionKeyFits',
    rules: ['sessions.online.bad-key-refused', 'sessions.batch.bad-key-refused'],
  })),
  ...(['refreshed', 'service-token', 'unit'] as const).map((path): Row => ({
    path,
    at: [],
    decision: 'accessTokenAlive',
    rules: ['auth.access-token.expires'],
  })),
]

/** A decision that is `true` on a condition, and otherwise taken as it should be. */
const grantedIf = (decision: keyof Policy, isGranted: () => boolean): Partial<Policy> => ({
  [decision]: (...given: readonly unknown[]): unknown =>
    isGranted() ||
    Reflect.apply(policy[decision] as (...args: unknown[]) => unknown, policy, given),
})

/** A decision that is `true` while the path is taken. */
const forgotten = ({ path, at, decision }: Row): Mutant => {
  const { exchange, call, login, statedBy }: Path = paths[path]
  let taken = false
  return {
    ...(at.length === 0 ? {} : { at }),
    absentIn(dialect) {
      const { rules } = dialect
      const form = statedBy && rules[statedBy]
      if (form !== undefined) return 'absent' in form ? form.absent : form.replaced
      return decisionRows.find(([name]) => name === decision)?.[1].absentIn?.(dialect)
    },
    policy: grantedIf(decision, () => taken),
    ...(exchange && {
      exchange(running, next) {
        taken = exchange(running)
        return next(running)
      },
    }),
    ...(call && {
      call(given, next) {
        taken = call(given)
        return next(given)
      },
    }),
    ...(login && {
      tables: {
        authentications: {
          read(found) {
            taken = found !== undefined && login(found)
            return found
          },
        },
      },
    }),
  }
}

/** After one refusal, the next call of the caller is not checked any more. */
const oncePerCaller = (at: OperationId, decision: keyof Policy): Mutant => {
  const refused = new Set<string>()
  let slips = false
  return {
    at: [at],
    policy: grantedIf(decision, () => slips),
    async call(call, next) {
      const login = call.caller?.authentication.referenceNumber ?? ''
      slips = refused.delete(login)
      try {
        return await next(call)
      } catch (error) {
        refused.add(login)
        throw error
      }
    },
  }
}

const forgetful: readonly (readonly [OperationId, keyof Policy, Rules])[] = [
  ['exports.create', 'mayStartExport', ['exports.running-limit']],
  ['sessions.closeOnline', 'sessionMayClose', ['sessions.online.close']],
  ['sessions.openOnline', 'sessionKeyFits', ['sessions.online.bad-key-refused']],
]

const inOneOrder: Mutant = {
  at: opens,
  policy: {
    formCodeFits: (schema, asked) =>
      policy.formCodeFits(schema, asked) && Object.keys(asked)[0] === 'systemCode',
  },
}

/** Every decision that one path forgets, or that is taken once. */
export const forgottenPaths = (): Generated[] => [
  generated(
    'other-form',
    'written.formCodeFits',
    ['sessions.online.form-code-forms', 'sessions.online.opens'],
    inOneOrder,
  ),
  ...rows.map((row) =>
    generated(
      'other-form',
      `${row.path}.${row.decision}.${row.at[0] ?? 'everywhere'}`,
      row.rules,
      forgotten(row),
    ),
  ),
  ...forgetful.map(([at, decision, rules]) =>
    generated('other-form', `asked-again.${decision}.${at}`, rules, {
      ...oncePerCaller(at, decision),
      // Nothing is refused then, so that nothing is asked again.
      ...(decision === 'sessionKeyFits' && { absentIn: absenceOf('session-key-refused') }),
    }),
  ),
]
