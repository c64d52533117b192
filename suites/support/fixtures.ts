// Without Playwright's browser fixtures, which no check uses: they prepare screenshots and traces for each check, which
// takes longer than a short check.
import { _baseTest as base } from '@playwright/test'
import type { TestInfo } from '@playwright/test'
import type { EnvironmentId } from '../../contract/environments.ts'
import type { InvoiceOptions } from '../../generators/invoice/invoice.ts'
import type { Client } from '../../lib/client.ts'
import type { Identity } from '../../lib/request.ts'
import { contextKey } from '../../lib/flows/login.ts'
import { signXades } from '../../lib/node/xades.ts'
import type { SignOptions } from '../../lib/node/xades.ts'
import { openOnline } from '../../lib/flows/session.ts'
import type { OpenOptions } from '../../lib/flows/session.ts'
import { drawReference } from '../../lib/identifiers/reference-number.ts'
import type { ReferenceKind } from '../../lib/identifiers/reference-number.ts'
import { rngFor } from '../../lib/random.ts'
import type { Rng } from '../../lib/random.ts'
import { createCheckClock } from './check-clock.ts'
import type { CheckClock } from './check-clock.ts'
import { createContexts, pooledToken } from './context-source.ts'
import type { LoginOptions, Me, OwnContext } from './contexts.ts'
import { closeEnvironments, createEnvironments } from './environments.ts'
import { setExpectations } from './expectations.ts'
import { formCodes } from './forms.ts'
import { loginInForm, unitOf } from './logins-in-form.ts'
import { oneWay } from './habits.ts'
import { formOf, habitualForms } from './other-forms.ts'
import type { OtherForm } from './other-forms.ts'
import { loginLimited } from './limited.ts'
import { isoDay } from '../../lib/local-time.ts'
import { createInvoices } from './invoice-source.ts'
import type { MadeInvoice } from './invoice-source.ts'
import { withoutHookSteps } from './hook-steps.ts'
import { judgeCheck, prepareCheck } from './judging.ts'
import type { Ledger } from './ledger.ts'
import { asksBesides } from './not-offered.ts'
import { prepareRated } from './rated.ts'
import type { Rated } from './rated.ts'
import type { RatedCall } from '../../lib/node/rated-calls.ts'
import { lastingBearer } from './lasting-bearer.ts'
import { absenceOf, subjectOf } from './rule.ts'
import { freshNamespace, runOptions } from './run-options.ts'
import { drawServiceNumber } from '../../lib/identifiers/service-number.ts'
import { mintToken } from './service-token.ts'
import type { ServiceToken } from './service-token.ts'
import { skipStepLines } from './step-lines.ts'
import type { Desk } from './steps.ts'
import { openTarget } from './target.ts'
import type { Target } from './target.ts'

export interface CheckFixtures {
  /** Judges the check at its end. */
  ledger: Ledger
  rng: Rng
  /** The other form of requests and logins in which the check is made; undefined for the first. */
  form: OtherForm | undefined
  /** A client without credentials. */
  api: Client
  /** The check's own context. */
  own: OwnContext
  /** Another context with its own credentials; each call returns a new one. */
  another: () => Promise<OwnContext>
  login: (options?: LoginOptions) => Promise<Me>
  /** Opens an interactive session, after a login unless `me` is given. */
  open: (options?: Partial<OpenOptions> & { readonly me?: Me }) => Promise<Desk & { me: Me }>
  /** Logs in a caller with exactly these permissions in the check's context. */
  limited: (permissions: readonly string[]) => Promise<Me>
  /** A valid invoice of the check's context, with a unique number. */
  invoice: (options?: Partial<InvoiceOptions>) => MadeInvoice
  clock: CheckClock
  /** The service in another environment; a separate reference if the target is embedded. */
  inEnvironment: (environment: EnvironmentId) => Promise<Target>
  /** Stops the clock, and prepares calls that count against one rate rule, for a fresh login unless one is given. */
  rated: (call: RatedCall, me?: Me) => Promise<Rated>
  /** Signs a request, right or wrong, given as its root element, with the credentials of the check's context. */
  sign: (request: string, options?: Partial<SignOptions>) => string
  /** A service token, with its context and the login that created it. */
  serviceToken: () => Promise<ServiceToken>
  /** A well-formed reference number that the service never issued. */
  unissued: (kind: ReferenceKind) => string
  /** A well-formed service number that the service never issued. */
  unissuedNumber: () => string
}

interface WorkerFixtures {
  target: Target
}

/** What the draws of a check derive from. */
const drawOf = ({ annotations, titlePath, retry }: TestInfo) => {
  const subject = subjectOf(annotations)
  const { seed, namespace } = runOptions
  return {
    seed,
    namespace,
    rule: subject?.rule ?? titlePath.join(' '),
    variant: `${subject?.variant ?? ''} ${subject?.mutant ?? ''} ${retry}`,
  }
}

// As steps of the report fixtures say nothing, but each costs a stack trace and four messages between processes.
const boxed = { box: 'self' } as const

export const checks = base.extend<CheckFixtures, WorkerFixtures>({
  target: [
    async ({}, use) => {
      const target = await openTarget(runOptions)
      setExpectations(target)
      skipStepLines()
      if (process.send !== undefined) process.send = withoutHookSteps(process.send.bind(process))
      await use(target)
      await closeEnvironments()
      await target.close()
    },
    { ...boxed, scope: 'worker' },
  ],

  ledger: [
    async ({ target }, use, info) => {
      const ledger = await prepareCheck(target, info)
      await use(ledger)
      await judgeCheck(target, ledger, info)
    },
    { ...boxed, auto: true },
  ],

  rng: [
    async ({}, use, info) => {
      await use(rngFor({ ...drawOf(info), namespace: freshNamespace }))
    },
    boxed,
  ],

  form: [
    async ({ target }, use, info) => {
      const { rule, variant } = subjectOf(info.annotations) ?? {}
      const habitual = rule === undefined ? [] : habitualForms(rule, variant)
      const known = habitual.filter(
        ({ statedBy }) => !statedBy || absenceOf(target.dialect, { rule: statedBy }) === undefined,
      )
      await use(formOf(variant)?.form ?? oneWay([undefined, ...known]))
    },
    boxed,
  ],

  api: [
    async ({ target, ledger, form }, use) => {
      await use(target.client(ledger.record, undefined, form))
    },
    boxed,
  ],

  another: [
    async ({ target, rng, ledger }, use) => {
      const next = createContexts(target, rng)
      await use(() => {
        ledger.contexts += 1
        if (asksBesides()) ledger.spareContexts += 1
        return next()
      })
    },
    boxed,
  ],

  own: [
    async ({ another, form, target, ledger, rng }, use) => {
      const context = await another()
      if (form?.login !== 'unit') return use(context)
      const api = target.client(ledger.record)
      return use(await unitOf(context, { api, rng, target }))
    },
    boxed,
  ],

  login: [
    async ({ target, ledger, own, form }, use) => {
      await use(async ({ context: whose = own, token, address } = {}) => {
        const api = target.client(ledger.record, address, form)
        const login = await loginInForm(whose === own ? form : undefined, api, whose, token)
        const { by } = login
        const context = contextKey(whose)
        const identity: Identity = lastingBearer(target, api, login, { by, context })
        return { ...login, api: api.with(identity), context: whose }
      })
    },
    boxed,
  ],

  limited: [
    async ({ api, login, own, rng, target, form }, use) => {
      // The test data grant in the context of a taxpayer only.
      const byToken = form?.login === 'service token' || form?.login === 'unit'
      await use((permissions) =>
        loginLimited(permissions, { api, login, own, rng, target, byToken }),
      )
    },
    boxed,
  ],

  open: [
    async ({ login }, use) => {
      await use(async ({ me, ...options } = {}) => {
        const who = me ?? (await login())
        const session = await openOnline(who.api, { formCode: formCodes.fa3, ...options })
        return { api: who.api, session, me: who }
      })
    },
    boxed,
  ],

  invoice: [
    async ({ own, rng, target }, use, info) => {
      const { variant, ...draw } = drawOf(info)
      const contents = rngFor({ ...draw, variant: `${variant} documents` })
      await use(createInvoices({ own, rng, contents, target }))
    },
    boxed,
  ],

  clock: [
    async ({ target }, use) => {
      const clock = createCheckClock(target)
      await use(clock)
      await clock.restore()
    },
    boxed,
  ],

  rated: [
    async ({ login, clock, ledger, target, invoice }, use) => {
      await use(async (call, me) => {
        await clock.still()
        const bench = { invoice: () => invoice().bytes, now: target.now }
        return prepareRated({ target, ledger, clock, bench }, me ?? (await login()), call)
      })
    },
    boxed,
  ],

  inEnvironment: [
    async ({ target }, use, info) => {
      const others = createEnvironments(target, subjectOf(info.annotations))
      await use(others.open)
      await others.close()
    },
    boxed,
  ],

  sign: [
    async ({ own, target }, use) => {
      await use((request, options = {}) =>
        signXades(request, {
          credentials: own.credentials,
          signingTime: target.now() - 60_000,
          ...options,
        }),
      )
    },
    boxed,
  ],

  serviceToken: [
    async ({ login, own, target }, use) => {
      const withToken = pooledToken(target)
      const pooled = withToken !== undefined && own.token !== undefined ? own : withToken
      await use(async () => {
        if (pooled?.token === undefined) return mintToken(await login())
        const me = await login({ context: pooled })
        return { context: pooled, token: pooled.token, referenceNumber: undefined, me }
      })
    },
    boxed,
  ],

  unissued: [
    async ({ rng, target }, use) => {
      await use((kind) => drawReference(rng, kind, isoDay(target.now())))
    },
    boxed,
  ],

  unissuedNumber: [
    async ({ rng, target, own }, use) => {
      await use(() => drawServiceNumber(rng, own.nip, isoDay(target.now())))
    },
    boxed,
  ],
})

/** What a check can ask for. */
export type Fixtures = Parameters<Parameters<typeof checks>[2]>[0]
