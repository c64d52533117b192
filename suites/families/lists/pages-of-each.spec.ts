import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Permission } from '../../../contract/types.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import type { Me } from '../../support/service/contexts.ts'
import { obtainCertificate } from '../../support/callers/enrolment.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { byNip, grantBy, granted, personGrant } from '../../support/callers/grants.ts'
import { expectPages } from '../../support/steps/page-sizes.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { grantLists, valueOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { withoutRates } from '../../support/service/target.ts'
import { test } from '../../support/harness/test.ts'

/** Lists of which each caller sees a part, page by page: the rows of another caller lie between those of the first. */

/** Rows of each caller: more than a page of the smallest size, also without those of the other. */
const ofEach = 13

interface List {
  readonly rule: RuleId
  readonly operation: OperationId
  readonly field: string
  readonly identify: (row: Row) => string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Permissions of the one who looks, a person in the context of the other; in a context of its own when absent. */
  readonly colleague?: readonly [Permission, ...Permission[]]
  /** What identifies a new row of a caller. */
  readonly make: (me: Me, fixtures: Fixtures) => Promise<string>
  /** Rows that are there before. */
  readonly before?: (me: Me) => readonly string[]
}

const byReference = ({ referenceNumber }: Row): string => String(referenceNumber)

const lists: Readonly<Record<string, List>> = {
  logins: {
    rule: 'auth.sessions.listed',
    operation: 'auth.sessions',
    field: 'items',
    identify: byReference,
    colleague: ['InvoiceRead'],
    make: async ({ context }, { login }) => (await login({ context })).referenceNumber,
    before: ({ referenceNumber }) => [referenceNumber],
  },
  'service tokens': {
    rule: 'tokens.list.scope',
    operation: 'tokens.list',
    field: 'tokens',
    identify: byReference,
    colleague: ['InvoiceRead', 'InvoiceWrite'],
    make: async (me) => (await mintToken(me, ['InvoiceRead'])).referenceNumber ?? '',
  },
  sessions: {
    rule: 'sessions.online.of-subject',
    operation: 'sessions.list',
    field: 'sessions',
    identify: byReference,
    query: { sessionType: 'Online' },
    colleague: ['InvoiceWrite'],
    make: async ({ api }) => (await openOnline(api, { formCode: formCodes.fa3 })).referenceNumber,
  },
  certificates: {
    rule: 'certificates.listed',
    operation: 'certificates.query',
    field: 'certificates',
    identify: ({ certificateSerialNumber }) => String(certificateSerialNumber),
    body: {},
    make: async ({ api }) => (await obtainCertificate(api, { name: 'page by page' })).serialNumber,
  },
  permissions: {
    rule: 'permissions.query.scope',
    operation: 'permissions.queryPersons',
    field: grantLists.persons[1],
    identify: ({ authorizedIdentifier }) => valueOf(authorizedIdentifier) ?? '',
    body: granted,
    make: async ({ api }, { rng }) => {
      const nip = drawNip(rng)
      await grantBy(api, 'permissions.grantPerson', personGrant(byNip(nip), ['InvoiceRead']))
      return nip
    },
  },
}

/** The caller who looks sees its own rows alone: of two in one context, that is the one with few permissions. */
for (const [what, list] of Object.entries(lists))
  test(
    ...familyRule(list.rule, 'pages of each caller', what),
    async ({ api, login, limited, another, own, rng, target }) => {
      await withoutRates(target)
      const { colleague, operation, field, query, body, identify } = list
      const fixtures = { api, login, limited, another, own, rng, target } as Fixtures
      const other = await login()
      const reader =
        colleague === undefined
          ? await login({ context: await another() })
          : await limited(colleague)
      const expected = [...(list.before?.(reader) ?? [])]
      while (expected.length < ofEach) {
        expected.push(await list.make(reader, fixtures))
        await list.make(other, fixtures)
      }
      await expectPages({
        api: reader.api,
        operation,
        field,
        ...(query !== undefined && { query }),
        ...(body !== undefined && { body }),
        identity: identify,
        rows: ofEach,
        expected,
      })
    },
  )
