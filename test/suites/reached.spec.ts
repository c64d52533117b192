import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { covering } from '../../suites/support/coverage/matrices.ts'
import { reachedIn } from '../../suites/support/coverage/reached.ts'
import { shownBy } from '../../suites/support/coverage/shown.ts'

/** What exchanges show of the contract: coverage is read from them, and not from what a check says of itself. */

const session = '20260615-SO-0123456789-0123456789-01'
const other = '20260615-SB-0123456789-0123456789-02'

const answered = (
  operation: OperationId,
  path: string,
  status: number,
  body?: unknown,
  request: Partial<Exchange['request']> = {},
): Exchange => ({
  operation,
  request: { method: 'GET', url: `http://reference.test/api/v2${path}`, headers: {}, ...request },
  status,
  headers: { 'content-type': 'application/json' },
  bytes: new Uint8Array(),
  text: JSON.stringify(body ?? ''),
  body,
  startedAt: 0,
  ms: 1,
  span: [0, 0],
})

const reports = (code: number, reference = session): Exchange =>
  answered('sessions.status', `/sessions/${reference}`, 200, { status: { code } })

const close = (status: number, reference = session): Exchange =>
  answered('sessions.closeOnline', `/sessions/online/${reference}/close`, status)

test('a step is seen between two reports of the same resource', () => {
  const { states, transitions } = reachedIn([
    reports(100),
    reports(150, other),
    reports(170),
    reports(200),
  ])
  expect([...states]).toEqual([
    'onlineSession 100',
    'batchSession 150',
    'onlineSession 170',
    'onlineSession 200',
  ])
  expect([...transitions]).toEqual(['onlineSession 100 -> 170', 'onlineSession 170 -> 200'])
})

test('a step that no path of the lifecycle leads along is illegal', () => {
  const { transitions, illegal } = reachedIn([reports(200), reports(100)])
  expect([...transitions]).toEqual([])
  expect([...illegal]).toEqual(['onlineSession 200 -> 100'])
})

test('rows of lists report states too, by name where the lifecycle has names', () => {
  const listed = (...statuses: readonly string[]) =>
    answered('tokens.list', '/tokens', 200, {
      tokens: statuses.map((status, at) => ({ referenceNumber: `token ${at}`, status })),
    })
  const { transitions } = reachedIn([listed('Pending', 'Active'), listed('Active', 'Revoking')])
  expect([...transitions]).toEqual(['token 100 -> 110', 'token 110 -> 120'])
})

test('an action is tried in the state that was reported last', () => {
  const tried = (...exchanges: readonly Exchange[]) => [...reachedIn(exchanges).actions]
  expect(tried(close(400)), 'of an unknown state').toEqual([])
  expect(tried(reports(100), close(400)), 'in a state that permits it').toEqual([])
  expect(tried(reports(200), close(400, other)), 'of another session').toEqual([])
  expect(tried(reports(200), close(500)), 'that broke the service').toEqual([])
  const cell = 'onlineSession 200 x sessions.closeOnline'
  expect(tried(reports(200), close(400)), 'and refused').toEqual([cell])
  expect(tried(reports(200), close(204)), 'and taken, with an unknown effect').toEqual([])
  expect(tried(reports(200), close(204), reports(200)), 'without an effect').toEqual([cell])
  expect(tried(reports(200), close(204), reports(170)), 'with an effect').toEqual([])
})

test('a token leads to the authentication that it was issued for', () => {
  const headers = { authorization: 'Bearer secret' }
  const { actions } = reachedIn([
    answered('auth.xades', '/auth/xades-signature', 202, {
      referenceNumber: 'one',
      authenticationToken: { token: 'secret' },
    }),
    answered('auth.status', '/auth/one', 200, { status: { code: 460 } }),
    answered('auth.redeem', '/auth/token/redeem', 400, undefined, { headers }),
  ])
  expect([...actions]).toEqual(['authentication 460 x auth.redeem'])
})

test('a cell that a check names is shown by a call that bears it out', () => {
  const annotations = [covering('media', { rows: ['exports.create', 'tokens.create'] })]
  const sent = (media: string, status: number) =>
    answered('exports.create', '/invoices/exports', status, undefined, {
      method: 'POST',
      headers: { 'content-type': media },
    })
  const shown = (...exchanges: readonly Exchange[]) =>
    shownBy({ annotations }, exchanges, [], svc).cells.media
  expect(shown(), 'without a call').toEqual([])
  expect(shown(sent('text/plain', 201)), 'accepted').toEqual([])
  expect(shown(sent('application/json', 400)), 'refused in its own media type').toEqual([])
  expect(shown(sent('text/plain', 415)), 'refused').toEqual(['exports.create'])
})

test('a refusal is known by the assertion that found it, or by a code that no other has', () => {
  const refused = answered('auth.status', '/auth/one', 404, { code: 21304, description: 'd' })
  const { cells, answers } = shownBy(
    { annotations: [] },
    [refused],
    [{ id: 'rate-limited', operation: 'auth.challenge' }],
    svc,
  )
  expect(cells.refusal).toEqual(['rate-limited', 'authentication-unknown'])
  expect(cells.answer).toEqual([
    'auth.challenge x rate-limited',
    'auth.status x authentication-unknown',
  ])
  expect(answers).toEqual(['auth.status 404 21304'])
})
