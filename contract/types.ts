/**
 * The shapes of the contract: what a rule, an operation, a refusal, a limit, a lifecycle and a gap are.
 * Data only. Tester and reference share nothing else.
 */

export const areas = [
  'transport',
  'auth',
  'tokens',
  'keys',
  'sessions',
  'invoices',
  'receipts',
  'queries',
  'exports',
  'operations',
  'permissions',
  'certificates',
  'testdata',
  'limits',
  'client',
] as const
export type Area = (typeof areas)[number]

/** Headings of the areas. */
export const areaTitles: Readonly<Record<Area, string>> = {
  transport: 'Transport and versions',
  auth: 'Challenge, authentication, access and refresh tokens',
  tokens: 'Service tokens',
  keys: 'Public key certificates',
  sessions: 'Interactive and batch sessions',
  invoices: 'Sending and reading invoices',
  receipts: 'Receipts',
  queries: 'Queries',
  exports: 'Exports',
  operations: 'Asynchronous operations',
  permissions: 'Permissions',
  certificates: 'Service certificates',
  testdata: 'Test data and limit simulation',
  limits: 'Limits',
  client: 'What a client must do',
}

export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** `stated` by the specification, `derived` from it, `assumed` where it is silent, based on a gap. */
type Origin = 'stated' | 'derived' | 'assumed'

/** What a target must offer before a rule can be verified there. */
export const capabilities = {
  clock: 'a clock that the tester can set',
  testdata: 'the test data operations',
  token: 'a service token for a context',
  second: 'a second context with its own credentials',
  fresh: 'a context of its own for each check',
  ips: 'several source addresses',
  long: 'an hour or more of real time for a run',
  failures:
    'a management port that has asynchronous work fail or take time, and makes pages and packages small',
  rotate: 'control over certificate rotation',
  env: 'a choice of environment',
  provoke: 'consent to exceed its limits and to use up scarce resources',
  hostile: 'consent to receive hostile documents',
  bulk: 'limits that permit thousands of calls',
} as const
export type Capability = keyof typeof capabilities

/** One clause of a rule, where it differs from the rule in more than its description. */
export interface Variant {
  readonly description: string
  /** Where it differs from the level of the rule. */
  readonly level?: Level
  /** Capabilities that it needs in addition to those of the rule. */
  readonly needs?: readonly Capability[]
  /** Ids of gaps that it rests on in addition to those of the rule. */
  readonly assumes?: readonly string[]
}

export interface Rule {
  readonly level: Level
  /** S the service, C a client, B both. */
  readonly binds: 'S' | 'C' | 'B'
  readonly origin: Origin
  /** One sentence that states the behaviour. */
  readonly sentence: string
  /** Path of headings in the specification, joined by ` > `. */
  readonly clause: string
  /** Without these capabilities the rule is not verifiable. */
  readonly needs?: readonly Capability[]
  /** Ids of the gaps that the rule rests on: a target that does not confirm all of them is observed, not failed. */
  readonly assumes?: readonly string[]
  /** Ids of the gaps that affect how the rule is checked; the verdict counts all the same. */
  readonly touches?: readonly string[]
  /** Work that must end by this rule: on a target whose clock can be set, work that never ends violates the rule. */
  readonly ends?: readonly Lifecycle[]
  /** The clauses of the rule by name, each with at least one check. */
  readonly variants?: Readonly<Record<string, string | Variant>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Which bearer an operation takes. `link` means a signed address that takes none. */
export type Bearer = 'none' | 'authentication' | 'access' | 'refresh' | 'refresh-or-access' | 'link'

export const permissions = [
  'InvoiceWrite',
  'InvoiceRead',
  'CredentialsManage',
  'CredentialsRead',
  'SubunitManage',
  'Introspection',
  'EnforcementOperations',
  'VatUeManage',
  'CollectiveIdentifierManage',
  'PefInvoiceWrite',
] as const
export type Permission = (typeof permissions)[number]

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly required?: boolean
  readonly schema: JsonSchema
}

export interface Endpoint {
  readonly method: Method
  /** Below the version prefix, parameters in braces. */
  readonly path: string
  /** Other spellings of the same resource. */
  readonly aliases?: readonly string[]
  /** Also answers at the origin, without the version prefix. */
  readonly atOrigin?: true
  readonly bearer: Bearer
  /** Any one of them suffices; none listed means that a bearer is enough. */
  readonly permissions?: readonly Permission[]
  readonly request?: {
    readonly media: string
    readonly schema?: string
    /** It may be left out, as nothing in it is required. */
    readonly optional?: true
  }
  readonly answer: { readonly status: number; readonly media?: string; readonly schema?: string }
  readonly parameters?: readonly Parameter[]
  /** Row of the rate table; `public` counts by address, `unlimited` not at all. */
  readonly rate: string
  /** Its own refusals, besides those that every operation of its kind has. */
  readonly refusals?: readonly string[]
  /** Environments where it exists; all when absent. */
  readonly environments?: readonly string[]
  readonly assumes?: readonly string[]
  /** What a call does to the service; a GET reads and everything else writes when absent. */
  readonly effect?: Effect
  readonly summary: string
}

/** `reads` changes nothing; `login` starts, continues or ends the caller's own login; `writes` is everything else. */
export type Effect = 'reads' | 'login' | 'writes'

/** Where asynchronous work reports how it ended. */
export type Lifecycle =
  | 'authentication'
  | 'onlineSession'
  | 'batchSession'
  | 'invoice'
  | 'export'
  | 'operation'
  | 'application'
  | 'certificate'
  | 'token'

/**
 * One refusal. It is returned immediately (`answer`), ends asynchronous work (`state`), or can do either;
 * the first status and the first code are what the reference returns, the rest is what a target may return too.
 */
export interface Refusal {
  readonly when: string
  readonly answer?: { readonly statuses: readonly number[]; readonly codes: readonly number[] }
  readonly state?: { readonly of: Lifecycle; readonly codes: readonly number[] }
  readonly assumes?: readonly string[]
  /** The refusal in words, as the reference gives it. */
  readonly description: string
}

export interface State {
  readonly code: number
  readonly name: string
  readonly terminal: boolean
  readonly outcome: 'pending' | 'success' | 'failure'
  readonly next: readonly number[]
}

export interface Gap {
  readonly question: string
  /** Path of headings of the specification where it is silent. */
  readonly clause: string
  readonly assumption: string
  readonly origin: 'public contract' | 'public clients' | 'inference' | 'specification example'
  /** The key under `assumptions` by which a target profile confirms or overrides it. */
  readonly override: string
  /** Numbers of the specification's "not shown" marks that it covers, in document order; absent where it is silent. */
  readonly mentions?: readonly number[]
}

export interface Window {
  readonly perSecond: number
  readonly perMinute: number
  readonly perHour: number
}

/** A value that the contract bounds, with where and since when it holds. */
export interface Limit<T = number> {
  readonly value: T
  readonly unit: string
  readonly origin: Origin
  /** First day on which the value holds, ISO date. */
  readonly since: string
  readonly clause: string
  readonly assumes?: readonly string[]
}

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A JSON Schema (draft 2020-12), within what ajv's strict mode takes. */
export type JsonSchema = { readonly [key: string]: unknown }
