import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { openOnline, settleInvoice, submit } from '../../../lib/flows/session.ts'
import { Inconclusive, expectObject, expectOk, expectText } from '../../../lib/outcome.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A row is added to a list after its first page was read: no earlier row is missing or repeated on later pages. */

type Given = Pick<Fixtures, 'login' | 'open' | 'invoice'>

/** A list as one caller reads it. */
interface Listed {
  readonly api: Client
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Adds a row; returns its identifier. */
  readonly add: () => Promise<string>
}

interface List {
  readonly rule: RuleId
  readonly operation: OperationId
  /** The field of the rows. */
  readonly field: string
  /** The field of a row that identifies it. */
  readonly key: string
  readonly prepare: (given: Given) => Promise<Listed>
}

const byReference = { key: 'referenceNumber' } as const

/** As many collective identifiers of one invoice as the check needs. */
const collectives = async ({ open, invoice }: Given) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const body = { invoices: [{ svcNumber }] }
  const add = async () => {
    const made = await desk.api.call('invoices.createCollective', { body })
    return expectText(made, 'create a collective identifier', 'collectiveIdentifierNumber')
  }
  return { api: desk.api, svcNumber, add }
}

const lists: Readonly<Record<string, List>> = {
  sessions: {
    rule: 'sessions.list.complete',
    operation: 'sessions.list',
    field: 'sessions',
    ...byReference,
    async prepare({ login }) {
      const { api } = await login()
      const add = async () => (await openOnline(api, { formCode: formCodes.fa3 })).referenceNumber
      return { api, query: { sessionType: 'Online' }, add }
    },
  },
  'invoices of a session': {
    rule: 'sessions.invoices.complete',
    operation: 'sessions.invoices',
    field: 'invoices',
    ...byReference,
    async prepare({ open, invoice }) {
      const { api, session } = await open()
      const add = async () => (await submit(api, session, invoice().bytes)).referenceNumber
      return { api, path: { referenceNumber: session.referenceNumber }, add }
    },
  },
  'failed invoices of a session': {
    rule: 'sessions.batch.failed-list',
    operation: 'sessions.failed',
    field: 'invoices',
    ...byReference,
    async prepare({ open }) {
      const { api, session } = await open()
      const add = async () => {
        const { referenceNumber } = await submit(api, session, spoilt)
        await settleInvoice(api, session, referenceNumber)
        return referenceNumber
      }
      return { api, path: { referenceNumber: session.referenceNumber }, add }
    },
  },
  'service tokens': {
    rule: 'tokens.list.narrowed',
    operation: 'tokens.list',
    field: 'tokens',
    ...byReference,
    async prepare({ login }) {
      const { api } = await login()
      const body = { permissions: ['InvoiceRead'], description: 'added while the list is read' }
      const add = async () =>
        expectText(
          await api.call('tokens.create', { body }),
          'create a service token',
          'referenceNumber',
        )
      return { api, add }
    },
  },
  logins: {
    rule: 'auth.sessions.listed',
    operation: 'auth.sessions',
    field: 'items',
    ...byReference,
    async prepare({ login }) {
      const { api } = await login()
      return { api, add: async () => (await login()).referenceNumber }
    },
  },
  'collective identifiers': {
    rule: 'invoices.collective.listed',
    operation: 'invoices.queryCollectives',
    field: 'collectiveIdentifiers',
    key: 'collectiveIdentifierNumber',
    async prepare(given) {
      const { api, add } = await collectives(given)
      const day = 24 * 3600 * 1000
      const at = (ms: number) => new Date(api.now() + ms).toISOString()
      return { api, body: { dateCreatedFrom: at(-day), dateCreatedTo: at(day) }, add }
    },
  },
  'collective identifiers of an invoice': {
    rule: 'invoices.collective.listed',
    operation: 'invoices.collectivesOf',
    field: 'collectiveIdentifiers',
    key: 'collectiveIdentifierNumber',
    async prepare(given) {
      const { api, svcNumber, add } = await collectives(given)
      return { api, path: { svcNumber }, add }
    },
  },
}

/** Two more than the smallest page holds. */
const earlier = 12

/** More pages than any list of a check has. */
const maxPages = 50

const tokenIn = (page: Exchange): string => {
  const { continuationToken } = expectObject(page, 'read a page')
  return typeof continuationToken === 'string' ? continuationToken : ''
}

for (const [name, { rule, operation, field, key, prepare }] of Object.entries(lists))
  test(
    ...familyRule(rule, 'arrival between pages', name),
    async ({ login, open, invoice, target }) => {
      await withoutRates(target)
      const { api, path = {}, query, body, add } = await prepare({ login, open, invoice })
      const added: string[] = []
      while (added.length < earlier) added.push(await add())
      const pageAfter = (token?: string) =>
        api.call(operation, {
          path,
          query: { ...query, pageSize: 10 },
          ...(body === undefined ? {} : { body }),
          ...(token === undefined ? {} : { headers: { 'x-continuation-token': token } }),
        })
      const first = expectOk(await pageAfter(), 'read the first page')
      await add()
      const pages = [first]
      for (let token = tokenIn(first); token !== ''; token = tokenIn(pages.at(-1) ?? first)) {
        if (pages.length === maxPages) throw new Inconclusive('read the list', 'a last page')
        const page = await pageAfter(token)
        expect(page, 'a page after a row was added').toBeOk()
        pages.push(page)
      }
      const found = pages.flatMap((page) =>
        (expectObject(page, 'read a page')[field] as readonly Row[]).map((row) => String(row[key])),
      )
      const twice = found.filter((one, place) => found.indexOf(one) !== place)
      expect(twice, 'rows that are on two pages').toEqual([])
      expect(
        added.filter((one) => !found.includes(one)),
        'earlier rows that are on none',
      ).toEqual([])
    },
  )
