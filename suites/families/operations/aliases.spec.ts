import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import type { Client } from '../../../lib/client.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { readError } from '../../../lib/errors.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import {
  createExport,
  downloadExport,
  exportBody,
  settleExport,
} from '../../../lib/flows/export.ts'
import { drawSecret, settleInvoice, submissionBody } from '../../../lib/flows/session.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { calls } from '../../support/scenes/calls.ts'
import type { ReadyCall } from '../../support/scenes/calls/ready-call.ts'
import type { LoginOptions, Me } from '../../support/service/contexts.ts'
import { unpack } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { meaningOf } from '../../support/answers/meaning.ts'
import { exceedSecond, limitedOf } from '../../support/service/rated.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { spelled } from '../../support/steps/spelled.ts'
import type { Spelled } from '../../support/steps/spelled.ts'
import { createStage } from '../../support/callers/stage.ts'
import { accept, fields } from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Whatever a path refuses, another spelling of it refuses in the same way. */

const rows = Object.entries(spelled) as [OperationId, Spelled][]

interface Scene {
  readonly me: Me
  readonly ready: ReadyCall
  readonly limited: (permissions: readonly string[]) => Promise<Me>
  readonly stranger: () => Promise<Me>
  readonly login: (options?: LoginOptions) => Promise<Me>
}

type Prepare = (scene: Scene) => Promise<{ readonly api: Client; readonly more: CallOptions }>

/** Calls that are refused: who makes them, and what is different in them. */
const faults: Readonly<Record<string, Prepare>> = {
  'no token': ({ me }) => Promise.resolve({ api: me.api, more: { bearer: null } }),
  'refresh token': ({ me }) => Promise.resolve({ api: me.api, more: { bearer: me.refreshToken } }),
  'missing permission': async ({ limited }) => ({
    api: (await limited(['SubunitManage'])).api,
    more: {},
  }),
  'another context': async ({ stranger }) => ({ api: (await stranger()).api, more: {} }),
  'empty object': ({ me }) => Promise.resolve({ api: me.api, more: { body: {} } }),
  'JSON null': ({ me }) => Promise.resolve({ api: me.api, more: { body: 'null' } }),
  'numbers for texts': ({ me, ready }) =>
    Promise.resolve({
      api: me.api,
      more: {
        body: Object.fromEntries(
          Object.entries(ready.body ?? {}).map(([name, value]) => [
            name,
            typeof value === 'string' ? 1 : value,
          ]),
        ),
      },
    }),
  'another media type': ({ me }) => Promise.resolve({ api: me.api, more: { media: 'text/plain' } }),
}

const by = async (caller: Promise<Me>) => ({ api: (await caller).api, more: {} })

/** Callers besides the one who prepared a call. Not all of them may make it, but that is the same by each path. */
const callers: Readonly<Record<string, Prepare>> = {
  'a later login': ({ me, login }) => by(login({ context: me.context })),
  'a colleague': ({ limited }) => by(limited(['InvoiceRead', 'InvoiceWrite'])),
  'a service token': async ({ me, login }) => by(login({ token: (await mintToken(me)).token })),
}

const codes = (answer: Exchange, { dialect }: Client): readonly number[] =>
  readError(answer, dialect)?.all.map(({ code }) => code) ?? []

for (const [operation, { rule, main: straight, other: otherwise }] of rows)
  for (const [what, prepare] of Object.entries({ ...faults, ...callers })) {
    const { request, path, permissions } = endpoint(operation)
    const isCaller = what in callers
    if (request === undefined && !isCaller && !/token|permission|context/.test(what)) continue
    // Nothing in the call belongs to a context, or the operation needs no permission.
    if (!path.includes('{') && request === undefined && what === 'another context') continue
    if (permissions === undefined && what === 'missing permission') continue
    test(
      ...familyRule(rule, 'other spelling', `${operation}, ${what}`),
      async ({ api: open, login, limited, another, invoice, rng, target }) => {
        const me = await login()
        const scene = { me, api: open, login, another, invoice, rng, target }
        const ready = await calls[operation](createStage(scene))
        const stranger = async () => login({ context: await another() })
        const { api, more } = await prepare({ me, ready, limited, stranger, login })
        const main = await api.call(operation, { ...ready, ...straight, ...more })
        // A new export is of the caller's own context, whoever that is.
        if (!isCaller && (what !== 'another context' || ready.path !== undefined))
          expect(main, 'the refusal of the main path').toBeClientError()
        const other = await api.call(operation, { ...ready, ...more, ...otherwise })
        expect(
          { status: other.status, codes: codes(other, api) },
          'status and codes by the other spelling',
        ).toEqual({ status: main.status, codes: codes(main, api) })
      },
    )
  }

for (const [operation, { rule, other: otherwise }] of rows)
  test(
    ...familyRule(rule, 'other spelling beyond a limit', operation),
    async ({ rated, login, target }) => {
      const row = endpoint(operation).rate as RateRuleId
      const me = await login()
      const { options, thresholds } = await rated(ratedCalls[row], me)
      // Exceeds the row of the main path and the default row: the contract does not specify which of them applies.
      const [own, usual] = [rateRules[row].window.perSecond, rateRules.default.window.perSecond]
      const count = (thresholds.perSecond / own) * Math.max(own, usual) + 1
      const answers = await exceedSecond(target.now, () =>
        Promise.all(
          Array.from({ length: count }, () =>
            me.api.call(operation, {
              ...(row === 'default' ? {} : options),
              ...otherwise,
              pace: false,
            }),
          ),
        ),
      )
      expect(limitedOf(answers), `rejected calls of ${count} within a second`).toBeGreaterThan(0)
    },
  )

for (const [operation, { rule, main: straight, other: otherwise }] of rows)
  for (const [what, first, last] of [
    ['the other spelling last', straight, otherwise],
    ['the main path last', otherwise, straight],
  ] as const)
    test(
      ...familyRule(rule, 'counted together', `${operation}, ${what}`),
      async ({ rated, login, clock }) => {
        const row = endpoint(operation).rate as RateRuleId
        const me = await login()
        const { options, thresholds } = await rated(ratedCalls[row], me)
        await clock.still()
        const call = (spelling: CallOptions) =>
          me.api.call(operation, {
            ...(row === 'default' ? {} : options),
            ...spelling,
            pace: false,
          })
        const within = await Promise.all(
          Array.from({ length: thresholds.perSecond }, () => call(first)),
        )
        expect(limitedOf(within), 'rejected calls within the limit').toBe(0)
        expect(await call(last), 'by the other path').toBeRefused('rate-limited')
      },
    )

/** What changes the answer of an operation whose path has another spelling. */
interface Changed {
  readonly family: 'other spelling' | 'other spelling of limits'
  readonly prepare: (scene: {
    readonly me: Me
    readonly now: number
  }) => Promise<{ readonly path?: CallOptions['path']; readonly change: () => Promise<unknown> }>
}

const lowered = {
  maxInvoiceSizeInMB: 2,
  maxInvoiceWithAttachmentSizeInMB: 4,
  maxInvoices: 20,
}

const changedAnswers: Readonly<Partial<Record<OperationId, Changed>>> = {
  'limits.context': {
    family: 'other spelling of limits',
    prepare: ({ me: { api } }) =>
      Promise.resolve({
        async change() {
          const body = { onlineSession: lowered, batchSession: { ...lowered, maxInvoices: 30 } }
          const set = await api.call('testdata.setSessionLimits', { body })
          expectOk(set, 'set limits of the context')
        },
      }),
  },
  'limits.subject': {
    family: 'other spelling of limits',
    prepare: ({ me: { api } }) =>
      Promise.resolve({
        async change() {
          const body = { enrollment: { maxEnrollments: 11 }, certificate: { maxCertificates: 7 } }
          const set = await api.call('testdata.setSubjectLimits', { body })
          expectOk(set, 'set limits of the subject')
        },
      }),
  },
  'exports.status': {
    family: 'other spelling',
    async prepare({ me: { api }, now }) {
      const started = await createExport(api, { filters: issuedAround(now) })
      return {
        path: { referenceNumber: started.referenceNumber },
        change: () => settleExport(api, started),
      }
    },
  },
}

for (const [operation, { rule, main: straight, other: otherwise }] of rows) {
  const changed = changedAnswers[operation]
  if (changed === undefined) continue
  const { family, prepare } = changed
  test(
    ...familyRule(rule, family, `${operation}, answers before and after a change`),
    async ({ login, target }) => {
      const me = await login()
      const { path, change } = await prepare({ me, now: target.now() })
      const ask = (more: CallOptions) => me.api.call(operation, { ...(path && { path }), ...more })
      for (const spelling of [straight, otherwise])
        expect(await ask(spelling), 'before the change').toBeOk()
      await change()
      const [main, other] = [await ask(straight), await ask(otherwise)]
      expect(other, 'after the change').toBeOk()
      const [said, meant] = [other, main].map(({ body }) => meaningOf(operation, body))
      expect(said, 'the answer by the other spelling').toEqual(meant)
    },
  )
}

/** The outcome of a call in which every optional field has another value than its default. */
const outcomes: Readonly<
  Partial<
    Record<
      OperationId,
      (desk: Desk, bytes: Uint8Array, now: number, more: CallOptions) => Promise<unknown>
    >
  >
> = {
  async 'exports.create'({ api }, _, now, more) {
    const [filters, secret] = [issuedAround(now), drawSecret()]
    const wish = { filters, onlyMetadata: true, compressionType: 'TarGz' } as const
    const body = await exportBody(api, wish, secret)
    const created = await api.call('exports.create', { body, ...more })
    const started = {
      referenceNumber: expectText(created, 'create an export', 'referenceNumber'),
      ...secret,
    }
    const archive = await downloadExport(api, started, await settleExport(api, started))
    const isTar = archive[0] === 0x1f
    return { isTar, names: Object.keys(unpack(archive, isTar ? 'TarGz' : 'Zip')) }
  },
  async 'invoices.submit'({ api, session }, bytes, _, more) {
    const path = { referenceNumber: session.referenceNumber }
    const body = { ...(await submissionBody(api, session, bytes)), offlineMode: true }
    const sent = await api.call('invoices.submit', { path, body, ...more })
    const reference = expectText(sent, 'submit an invoice', 'referenceNumber')
    const named = { ...path, invoiceReferenceNumber: reference }
    expect(await api.call('invoices.inSession', { path: named }), 'by its reference').toBeOk()
    const { status, body: record } = await settleInvoice(api, session, reference)
    return [status.code, fields({ body: record })['invoicingMode']]
  },
}

for (const [operation, { rule, main: straight, other: otherwise }] of rows) {
  const outcome = outcomes[operation]
  if (outcome === undefined) continue
  test(
    ...familyRule(rule, 'other spelling', `${operation}, every optional field`),
    async ({ open, invoice, target }) => {
      const desk = await open()
      await accept(desk, invoice().bytes)
      const [main, other] = [
        await outcome(desk, invoice().bytes, target.now(), straight),
        await outcome(desk, invoice().bytes, target.now(), otherwise),
      ]
      expect(other, 'what comes of it by the other spelling').toEqual(main)
    },
  )
}
