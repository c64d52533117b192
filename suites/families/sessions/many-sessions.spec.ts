import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { localTime } from '../../../lib/local-time.ts'
import { batchBody, openBatch } from '../../../lib/flows/batch.ts'
import { exportBody } from '../../../lib/flows/export.ts'
import { drawSecret, encryptionFields, openOnline } from '../../../lib/flows/session.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { failExport } from '../../support/scenes/failures.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { packed, sendBatch } from '../../support/steps/packages.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { fields, finish, outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Several sessions at the same time: what is done to one does not show in another, and lists tell them apart. */

const count = 5

test(
  ...familyRule('sessions.online.side-by-side', 'sessions of a context', 'several at once'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const desks: Desk[] = []
    const openUntil = async (number: number) => {
      while (desks.length < number)
        desks.push({ api, session: await openOnline(api, { formCode: formCodes.fa3 }) })
    }
    await openUntil(count - 1)
    const made = await packed([invoice()])
    const batch = await openBatch(api, made, { formCode: formCodes.fa3 })
    await openUntil(count)
    for (const desk of desks)
      expect(await outcomeOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
    const state = async (referenceNumber: string) =>
      reported(await api.call('sessions.status', { path: { referenceNumber } }))
    const [first, ...rest] = desks
    expect(await finish(first!), 'the first, closed').toHaveSucceeded('onlineSession')
    for (const { session } of rest)
      expect(await state(session.referenceNumber), 'another').toBeInState('onlineSession', 100)
    expect(await state(batch.referenceNumber), 'a package').toBeInState('batchSession', 100)
    for (const desk of rest)
      expect(await outcomeOfInvoice(desk, invoice().bytes), 'afterwards').toHaveSucceeded('invoice')
  },
)

/** A package that fails. */
const failing = () => packed([{ bytes: spoilt }])

const openings = {
  'sessions.online.opens': async (api: Client) => {
    const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) }
    return api.call('sessions.openOnline', { body })
  },
  'sessions.batch.opens': async (api: Client) => {
    const body = await batchBody(api, await failing(), formCodes.fa3)
    return api.call('sessions.openBatch', { body })
  },
  'exports.create.accepted': async (api: Client) => {
    const body = await exportBody(api, { filters: issuedAround(api.now()) }, drawSecret())
    return api.call('exports.create', { body })
  },
} as const satisfies Partial<Record<RuleId, (api: Client) => Promise<Exchange>>>

for (const id of Object.keys(openings) as (keyof typeof openings)[])
  test(
    ...familyRule(id, 'sessions of a context', 'beside open ones, after empty and failed ones'),
    async ({ login }) => {
      const { api } = await login()
      const begin = async () => ({
        api,
        session: await openOnline(api, { formCode: formCodes.fa3 }),
      })
      const others: Readonly<Record<string, () => Promise<unknown>>> = {
        'an open session': begin,
        'an open batch session': async () =>
          openBatch(api, await failing(), { formCode: formCodes.fa3 }),
        'an empty session': async () => finish(await begin()),
        'a failed session': async () => {
          const desk = await begin()
          await outcomeOfInvoice(desk, spoilt)
          return finish(desk)
        },
        'a failed batch session': async () => sendBatch(api, await failing()),
        'a failed export': () => failExport(api),
      }
      for (const [other, bring] of Object.entries(others)) {
        await bring()
        expect(await openings[id](api), `the next after ${other}`).toBeOk()
      }
    },
  )

test(
  ...familyRule('sessions.list.complete', 'sessions of a context', 'opened at one instant'),
  async ({ login, clock, target }) => {
    await withoutRates(target)
    const { api } = await login()
    await clock.still()
    const opened: string[] = []
    while (opened.length < 12)
      opened.push((await openOnline(api, { formCode: formCodes.fa3 })).referenceNumber)
    const query = { sessionType: 'Online', pageSize: 10 }
    const rows = (await pagesByToken(api, 'sessions.list', 'sessions', query)).flat()
    expect(
      rows.map(({ referenceNumber }) => String(referenceNumber)).toSorted(),
      'each of them once, over two pages',
    ).toEqual(opened.toSorted())
    const first = fields(await api.call('sessions.list', { query }))
    const headers = { 'x-continuation-token': String(first['continuationToken']) }
    for (const other of [{ sessionType: 'Batch' }, { statuses: ['InProgress'] }]) {
      const answer = await api.call('sessions.list', { query: { ...query, ...other }, headers })
      expect(answer).toBeRefused('continuation-token-malformed')
    }
  },
)

test(
  ...familyRule('sessions.invoices.complete', 'sessions of a context', 'token of another list'),
  async ({ login, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const documents = Array.from({ length: 12 }, (_, place) => ({
      bytes: new TextEncoder().encode(`<a>${place}</a>`),
    }))
    const lists = []
    for (const session of [
      (await sendBatch(api, await packed(documents))).referenceNumber,
      (await sendBatch(api, await packed(documents))).referenceNumber,
    ])
      for (const operation of ['sessions.invoices', 'sessions.failed'] as const)
        lists.push({ operation, call: { path: { referenceNumber: session } } })
    const query = { pageSize: 10 }
    const tokens: string[] = []
    for (const { operation, call } of lists) {
      const page = expectOk(await api.call(operation, { ...call, query }), 'list the first page')
      tokens.push(String(fields(page)['continuationToken']))
    }
    for (const [place, { operation, call }] of lists.entries())
      for (const [of, token] of tokens.entries()) {
        const headers = { 'x-continuation-token': token }
        const answer = await api.call(operation, { ...call, query, headers })
        if (of === place) expect(answer, 'with its own token').toBeOk()
        else
          expect(answer, 'with the token of another list').toBeRefused(
            'continuation-token-malformed',
          )
      }
  },
)

for (const kind of ['interactive', 'batch'] as const)
  test(
    ...familyRule('sessions.status.counts', 'sessions of a context', `${kind}, at its end`),
    async ({ login, open, invoice }) => {
      const broken = { bytes: spoilt }
      const documents = [invoice(), broken, invoice(), broken, invoice()]
      const me = await login()
      const referenceNumber =
        kind === 'batch'
          ? (await sendBatch(me.api, await packed(documents))).referenceNumber
          : await (async () => {
              const desk = await open({ me })
              for (const { bytes } of documents) await outcomeOfInvoice(desk, bytes)
              await finish(desk)
              return desk.session.referenceNumber
            })()
      const counts = { successfulInvoiceCount: 3, failedInvoiceCount: 2 }
      const status = await me.api.call('sessions.status', { path: { referenceNumber } })
      expect(fields(status), 'in its status').toMatchObject({ invoiceCount: 5, ...counts })
      const query = { sessionType: kind === 'batch' ? 'Batch' : 'Online', pageSize: 100 }
      const rows = (await pagesByToken(me.api, 'sessions.list', 'sessions', query)).flat()
      const row = rows.find((one) => one['referenceNumber'] === referenceNumber)
      expect(row, 'in the list').toMatchObject({ totalInvoiceCount: 5, ...counts })
    },
  )

test(
  ...familyRule('sessions.list.complete', 'dates of a list', 'timestamps without an offset'),
  async ({ login, clock }) => {
    const { api } = await login()
    const { referenceNumber } = await openOnline(api, { formCode: formCodes.fa3 })
    // Warsaw is one or two hours ahead of UTC, so half an hour around its time is not half an hour around UTC's.
    const halfHour = 1_800_000
    const query = {
      sessionType: 'Online',
      pageSize: 100,
      dateCreatedFrom: localTime(clock.now() - halfHour),
      dateCreatedTo: localTime(clock.now() + halfHour),
    }
    const rows = (await pagesByToken(api, 'sessions.list', 'sessions', query)).flat()
    expect(
      rows.map((row) => row['referenceNumber']),
      'sessions around this time in Warsaw',
    ).toEqual([referenceNumber])
  },
)
