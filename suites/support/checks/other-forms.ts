import type { OperationId } from '../../../contract/endpoints.ts'
import { variantName } from '../../../contract/rules.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Capability } from '../../../contract/types.ts'
import type { ClientOptions } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { familyOf } from './families.ts'
import { formCodes, formLabels } from './forms.ts'

/**
 * Forms of requests and logins that mean the same: what a check expects has to hold in each of them. A service with two
 * code paths (a path with a trailing slash, a form code as a label, a refreshed token) may decide differently on one of
 * them. The checks that a form concerns are run again in it.
 */
export interface OtherForm {
  /** Beginnings of the ids of the rules whose checks are made in this form. */
  readonly of: readonly string[]
  /** The rule that allows this form: a dialect without it does not have the form. */
  readonly statedBy?: RuleId
  /** Beginnings of the titles of checks that are not, because the form changes what they look at. */
  readonly without?: readonly string[]
  /** The same call in this form. */
  readonly call?: (operation: OperationId, call: CallOptions) => CallOptions
  /** Whether a call is made once more after such an answer: the second answer is what the check looks at. */
  readonly insists?: (answer: Exchange) => boolean
  /** How the caller of the check logs in, or where. */
  readonly login?: 'refreshed' | 'service token' | 'unit'
}

/** With these fields, where the body is an object that lacks them. */
const withFields = (call: CallOptions, fields: Readonly<Record<string, unknown>>): CallOptions =>
  typeof call.body === 'object' && call.body !== null && !(call.body instanceof Uint8Array)
    ? { ...call, body: { ...fields, ...call.body } }
    : call

/** The label of a form code that is given as an object. */
const labelOf = (formCode: unknown): string | undefined =>
  Object.entries(formCodes).flatMap(([schema, code]) =>
    JSON.stringify(code) === JSON.stringify(formCode)
      ? [formLabels[schema as keyof typeof formLabels]]
      : [],
  )[0]

/** The fields of objects in the opposite order. */
const reversed = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(reversed)
  if (typeof json !== 'object' || json === null) return json
  const fields = Object.entries(json).map(([name, value]) => [name, reversed(value)] as const)
  return Object.fromEntries(fields.toReversed())
}

/** The same JSON with other spaces, another order of fields, and slashes escaped, as some libraries write them. */
const writtenDifferently = (json: unknown): string =>
  JSON.stringify(reversed(json), undefined, 2).replaceAll('/', String.raw`\/`)

export const otherForms = {
  'a slash at the end': {
    statedBy: 'transport.trailing-slash',
    of: ['invoices.submit.', 'invoices.size.', 'invoices.duplicate.', 'sessions.online.'],
    call: (operation, call) => (operation === 'invoices.submit' ? { alias: 0, ...call } : call),
  },
  'the other path': {
    statedBy: 'transport.export-alias',
    of: ['exports.'],
    call: (operation, call) => (operation.startsWith('exports.') ? { alias: 0, ...call } : call),
  },
  'a label': {
    statedBy: 'sessions.online.form-code-forms',
    of: ['sessions.online.', 'sessions.batch.'],
    call(operation, call) {
      if (operation !== 'sessions.openOnline' && operation !== 'sessions.openBatch') return call
      const { formCode } = (call.body ?? {}) as { readonly formCode?: unknown }
      const label = labelOf(formCode)
      return label === undefined
        ? call
        : { ...call, body: { ...(call.body as object), formCode: label } }
    },
  },
  'JSON written differently': {
    of: ['auth.token.', 'invoices.submit.', 'sessions.online.', 'exports.create.'],
    call: (_, call) =>
      typeof call.body === 'object' && !(call.body instanceof Uint8Array)
        ? { media: 'application/json; charset=utf-8', written: writtenDifferently, ...call }
        : call,
  },
  offline: {
    of: [
      'invoices.submit.',
      'invoices.content.',
      'invoices.size.',
      'invoices.duplicate.',
      'sessions.batch.',
    ],
    call: (operation, call) =>
      operation === 'invoices.submit' || operation === 'sessions.openBatch'
        ? withFields(call, { offlineMode: true })
        : call,
  },
  'metadata only': {
    of: ['exports.'],
    without: ['exports.package.content'],
    call: (operation, call) =>
      operation === 'exports.create' ? withFields(call, { onlyMetadata: true }) : call,
  },
  'asked again': {
    of: ['exports.', 'sessions.', 'tokens.', 'certificates.', 'invoices.submit.', 'invoices.size.'],
    insists: ({ status }) => status >= 400 && status < 500 && status !== 429,
  },
  refreshed: {
    of: [
      'auth.access-token.',
      'auth.refresh.',
      'auth.redeem.',
      'auth.sessions.',
      'permissions.revoke.',
    ],
    without: ['auth.sessions.described / state and dates'],
    login: 'refreshed',
  },
  'a service token': {
    of: [
      'auth.access-token.',
      'auth.refresh.',
      'sessions.online.',
      'sessions.batch.',
      'queries.metadata.',
    ],
    without: [
      'sessions.online.of-subject',
      // Certificates are applied for after a login by certificate alone.
      'auth.access-token.expires / nothing done',
      // Service tokens are over by then.
      'sessions.online.schema-calendar / fa2 after, a year later',
      'sessions.online.schema-calendar / fa3 first day, a year later',
    ],
    login: 'service token',
  },
  'a unit': {
    of: [
      'auth.access-token.',
      'auth.refresh.',
      'auth.redeem.',
      'sessions.online.',
      'sessions.batch.',
      'invoices.submit.',
      'exports.',
    ],
    without: [
      'exports.running-limit / per subject',
      'invoices.submit.accepted / over midnight',
      'sessions.online.of-subject',
      'sessions.online.schema-calendar',
      'sessions.batch.bad-form-code-refused / calendar',
      'sessions.online.form-code-forms / label in force',
    ],
    login: 'unit',
  },
} as const satisfies Readonly<Record<string, OtherForm>>

export type OtherFormName = keyof typeof otherForms

/** Forms of which a client takes one out of habit, where nothing is said of the form, and checks of forms themselves. */
const habits = ['the other path', 'a label', 'JSON written differently', 'refreshed'] as const
const ofForms = ['transport.', 'auth.', 'limits.', 'sessions.online.form-code-forms', 'client.']

/** The forms that the client of a check may take out of habit. */
export const habitualForms = (rule: RuleId, variant = ''): readonly OtherForm[] =>
  begins(ofForms, rule, variant)
    ? []
    : habits.map((name) => otherForms[name]).filter(({ of }) => !begins(of, rule, variant))

/** The family of checks that are made again in another form. */
export const otherFormFamily = 'other form'

/** What they need besides what the check needs: targets with narrow limits are not asked everything twice. */
export const otherFormNeeds = ['bulk'] as const satisfies readonly Capability[]

/** How a client makes its calls in a form. */
export const requestsIn = (
  form: OtherForm | undefined,
): Pick<ClientOptions, 'otherwise' | 'insists'> => ({
  otherwise: form?.call,
  insists: form?.insists,
})

/** The variant of a check in another form. */
export const inForm = (form: OtherFormName, variant: string | undefined): string =>
  [otherFormFamily, form, ...(variant === undefined ? [] : [variant])].join(', ')

/** The form that a variant names, and the variant of the check in that form; undefined for every other variant. */
export const formOf = (
  variant: string | undefined,
): { readonly form: OtherForm; readonly variant: string | undefined } | undefined => {
  const [family, name = '', ...rest] = (variant ?? '').split(', ')
  if (family !== otherFormFamily || !Object.hasOwn(otherForms, name)) return undefined
  return {
    form: otherForms[name as OtherFormName],
    variant: rest.length === 0 ? undefined : rest.join(', '),
  }
}

const begins = (beginnings: readonly string[], rule: RuleId, variant: string): boolean =>
  beginnings.some((beginning) => `${rule} / ${variant}`.startsWith(beginning))

/** Beginnings of the titles of checks that take most of a second, or seconds: they run in their first form only. */
const long = [
  'exports.package.content / hundreds',
  'invoices.content.check-digits / demo',
  'invoices.submit.wrong-encryption / reported',
  'sessions.batch.hostile-archive / bomb',
  'sessions.batch.ten-thousand',
  'sessions.invoices.complete / ten thousand',
  'sessions.online.ten-thousand',
] as const

/** Beginnings of the titles of refinements that stand for a variant without a check of its own. */
const refined = [
  'auth.sessions.ended / current',
  'certificates.enrol / authenticates',
  'certificates.enrol / usage',
  'certificates.limits / enforced',
  'exports.create.accepted / missing field',
  'invoices.content.invalid-rejected / schema, invalid amount',
  'queries.metadata.date-bounds / bound',
  'queries.metadata.date-bounds / offset',
  'queries.metadata.described / kind',
  'queries.metadata.paging / order',
  'queries.metadata.paging / static',
  'sessions.batch.bad-form-code-refused / calendar',
  'sessions.online.form-code-forms / label in force',
  'sessions.online.needs-permission / without the permission, submitting',
] as const

/**
 * The forms in which a check runs again: none for families, which already try many values, and none for what refines a
 * variant, since the variant itself runs in every form.
 */
export const formsOf = (rule: RuleId, variant = ''): OtherFormName[] =>
  begins(long, rule, variant) ||
  (variantName(variant) !== variant && !begins(refined, rule, variant)) ||
  familyOf(variantName(variant)) !== undefined
    ? []
    : (Object.entries(otherForms) as [OtherFormName, OtherForm][]).flatMap(
        ([name, { of, without = [] }]) =>
          of.some((beginning) => rule.startsWith(beginning)) && !begins(without, rule, variant)
            ? [name]
            : [],
      )
