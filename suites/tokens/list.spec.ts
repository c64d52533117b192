import type { Client } from '../../lib/client.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import { expectOk } from '../../lib/outcome.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { kin } from '../support/callers/kin.ts'
import { pagesByToken } from '../support/answers/paged-lists.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { listTokens, mintToken, revokeToken } from '../support/callers/service-token.ts'
import type { TokenQuery } from '../support/callers/service-token.ts'
import { fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Service tokens as the list and the status show them. */

/** The names that the check gave to its tokens, for those that a caller finds, sorted. */
const namesFound = async (
  api: Client,
  names: ReadonlyMap<string | undefined, string>,
  query: TokenQuery = {},
): Promise<string[]> =>
  (await listTokens(api, query))
    .map(({ referenceNumber }) => names.get(String(referenceNumber)))
    .filter((name) => name !== undefined)
    .toSorted()

test(...rule('tokens.list.scope', 'own tokens, of a unit'), async ({ login, rng, target }) => {
  const me = await login()
  const unit = await kin.InternalId({ me, login, rng, target })
  const { referenceNumber = '' } = await mintToken(unit, ['InvoiceRead'])
  const seen = async (api: Client) =>
    (await listTokens(api)).map((row) => String(row['referenceNumber']))
  expect(await seen(unit.api), 'tokens in the unit').toContain(referenceNumber)
  expect(await seen(me.api), 'tokens of the taxpayer').not.toContain(referenceNumber)
  const look = await me.api.call('tokens.status', { path: { referenceNumber } })
  expect(look, 'its status, asked by the taxpayer').toBeRefused('token-unknown')
})

test(...rule('tokens.list.scope'), async ({ api, login, own, rng, target, another, limited }) => {
  const owner = await login()
  const person = personAt(own, rng, target)
  await grantInTest(api, own, person.subject, ['InvoiceRead'])
  const visitor = await login({ context: person.context })
  const [first, second] = [await mintToken(owner), await mintToken(owner)]
  const theirs = await mintToken(visitor, ['InvoiceRead'])
  const names = new Map([
    [first.referenceNumber, 'first'],
    [second.referenceNumber, 'second'],
    [theirs.referenceNumber, "the visitor's"],
  ])
  const all = ['first', 'second', "the visitor's"]
  const reader = await limited(['CredentialsRead'])
  const byToken = await login({ token: first.token })
  const managing = await login({ token: (await mintToken(owner, ['CredentialsManage'])).token })
  const reading = await login({ token: (await mintToken(owner, ['CredentialsRead'])).token })
  const stranger = await login({ context: await another() })
  for (const [who, me, expected] of [
    ['who manages credentials', owner, all],
    ['who reads credentials', reader, all],
    ['an author without these rights', visitor, ["the visitor's"]],
    ['a login by a service token', byToken, ['first']],
    ['a login by a service token that manages credentials', managing, all],
    ['a login by a service token that reads credentials', reading, all],
    ['the owner of another context', stranger, []],
  ] as const)
    expect(await namesFound(me.api, names), `tokens that ${who} sees`).toEqual(expected)
  const path = { referenceNumber: first.referenceNumber ?? '' }
  for (const { api: mine } of [visitor, stranger])
    expect(await mine.call('tokens.status', { path })).toBeRefused('token-unknown')
  expect(await reader.api.call('tokens.status', { path })).toBeOk()
})

test(
  ...rule('tokens.list.scope', 'linked identifiers'),
  async ({ api, login, own, rng, target }) => {
    const [byNip, byPesel] = [personAt(own, rng, target), personAt(own, rng, target, 'Pesel')]
    const linked = { nip: byNip.subject.value, pesel: byPesel.subject.value }
    const body = { ...linked, isBailiff: false, description: 'a person of a check' }
    expectOk(await api.call('testdata.createPerson', { body }), 'create a person')
    await grantInTest(api, own, byNip.subject, ['InvoiceRead'])
    const [author, same] = [
      await login({ context: byNip.context }),
      await login({ context: byPesel.context }),
    ]
    const { referenceNumber = '' } = await mintToken(author, ['InvoiceRead'])
    const names = new Map([[referenceNumber, 'by the NIP']])
    for (const me of [author, same])
      expect(await namesFound(me.api, names), 'tokens of the person').toEqual(['by the NIP'])
  },
)

test(...rule('tokens.list.narrowed', 'filters'), async ({ api, login, own, rng, target }) => {
  const owner = await login()
  const person = personAt(own, rng, target, 'Pesel')
  await grantInTest(api, own, person.subject, ['InvoiceRead'])
  const visitor = await login({ context: person.context })
  const alpha = await mintToken(owner, ['InvoiceRead'], 'alpha ledger')
  const beta = await mintToken(owner, ['InvoiceRead'], 'Beta LEDGER')
  const gamma = await mintToken(visitor, ['InvoiceRead'], 'gamma books')
  const delta = await mintToken(owner, ['InvoiceRead'], 'delta_100% (a.b)')
  expect(await revokeToken(owner.api, beta.referenceNumber ?? ''), 'the state of a token').toBe(
    'Revoked',
  )
  const names = new Map([
    [alpha.referenceNumber, 'alpha'],
    [beta.referenceNumber, 'beta'],
    [gamma.referenceNumber, 'gamma'],
    [delta.referenceNumber, 'delta'],
  ])
  const { value } = person.subject
  const narrowed: readonly (readonly [TokenQuery, readonly string[]])[] = [
    [{}, ['alpha', 'beta', 'delta', 'gamma']],
    [{ status: ['Active'] }, ['alpha', 'delta', 'gamma']],
    [{ status: ['Revoked'] }, ['beta']],
    [{ status: ['Pending', 'Failed'] }, []],
    [{ status: ['Active', 'Revoked'] }, ['alpha', 'beta', 'delta', 'gamma']],
    [{ description: 'alpha' }, ['alpha']],
    [{ description: 'ledger' }, ['alpha', 'beta']],
    [{ description: 'BOOKS' }, ['gamma']],
    [{ description: 'none of them' }, []],
    // Plain text, even if it looks like a pattern.
    ...['delta_100%', '(a.b)', '100% ('].map((text) => [{ description: text }, ['delta']] as const),
    ...['a%r', 'a_p', 'b.oks', '...', '%%%', '.*s', '___'].map(
      (text) => [{ description: text }, []] as const,
    ),
    [{ authorIdentifier: value }, ['gamma']],
    [{ authorIdentifier: value.slice(1, 9) }, ['gamma']],
    [{ authorIdentifier: own.nip }, ['alpha', 'beta', 'delta']],
    [{ authorIdentifierType: 'Pesel' }, ['gamma']],
    [{ authorIdentifierType: 'Nip' }, ['alpha', 'beta', 'delta']],
    [{ authorIdentifierType: 'Fingerprint' }, []],
    [{ description: 'ledger', status: ['Active'] }, ['alpha']],
    [{ description: 'ledger', authorIdentifierType: 'Pesel' }, []],
  ]
  for (const [query, expected] of narrowed)
    expect(await namesFound(owner.api, names, query), JSON.stringify(query)).toEqual(expected)
})

test(...rule('tokens.list.narrowed', 'pages'), async ({ api, login }) => {
  const me = await login()
  const made: (string | undefined)[] = []
  let first = ''
  const { type, value } = me.context
  while (made.length < 12) {
    const { token, referenceNumber } = await mintToken(me, ['InvoiceRead'], 'page by page')
    made.push(referenceNumber)
    // Uses change nothing in the order; the first one is used last.
    if (made.length === 1) first = token
  }
  await loginWithToken(api, { context: { type, value }, token: first })
  const query = { pageSize: 10, description: 'page by page' }
  const pages = await pagesByToken(me.api, 'tokens.list', 'tokens', query)
  expect(
    pages.map(({ length }) => length).slice(0, -1),
    'tokens on the pages before the last',
  ).toEqual(pages.slice(1).map(() => 10))
  const known = new Set(made)
  const listed = pages.flat().map(({ referenceNumber }) => String(referenceNumber))
  expect(
    listed.filter((one) => known.has(one)),
    'each once over all pages, newest first',
  ).toEqual(made.toReversed())
})

for (const [what, query] of [
  ['unknown state', { status: 'Asleep' }],
  ['short description', { description: 'ab' }],
  ['short author', { authorIdentifier: '12' }],
  ['page too small', { pageSize: 9 }],
  ['page too large', { pageSize: 101 }],
] as const) {
  test(...rule('tokens.list.narrowed', `invalid filter, ${what}`), async ({ login }) => {
    const { api } = await login()
    expect(await api.call('tokens.list', { query })).toBeRefused('invalid-input')
  })
}

test(...rule('tokens.list.narrowed', 'foreign continuation token'), async ({ login }) => {
  const { api } = await login()
  const headers = { 'x-continuation-token': 'bm8gdG9rZW4=' }
  expect(await api.call('tokens.list', { headers })).toBeRefused('continuation-token-malformed')
})

test(...rule('tokens.list.scope', 'own tokens'), async ({ limited }) => {
  const { api } = await limited(['InvoiceRead'])
  const body = { permissions: ['InvoiceRead'], description: 'made by a visitor' }
  const answer = await api.call('tokens.create', { body })
  expect(answer).toBeOk()
  const { referenceNumber } = fields(answer)
  expect(
    (await listTokens(api)).map((row) => row['referenceNumber']),
    'tokens that their author finds',
  ).toEqual([referenceNumber])
  const path = { referenceNumber: String(referenceNumber) }
  expect(await api.call('tokens.status', { path }), 'its status').toBeOk()
})
