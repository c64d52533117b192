import { endpoint } from '../../contract/endpoints.ts'
import { publicRate } from '../../contract/limits.ts'
import { readError } from '../../lib/errors.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { internals } from '../support/conformity.ts'
import { expectations } from '../support/expectations.ts'
import { exceedSecond } from '../support/rated.ts'
import { rule } from '../support/rule.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const always: ReadonlySet<unknown> = new Set(['$code', '$description', '$details', '$timestamp'])

/** The fields of an error that a shape has whatever is refused, whether or not they say anything, and it lacks. */
const missing = (template: unknown, body: unknown): string[] =>
  Object.entries(template ?? {}).flatMap(([name, value]) => {
    const given = (body as Readonly<Record<string, unknown>> | undefined)?.[name]
    if (always.has(value)) return given === undefined ? [name] : []
    return typeof value === 'object' ? missing(value, given).map((field) => `${name}.${field}`) : []
  })

const expectShape = (answer: Exchange, status: number): void => {
  expect(answer.status, 'the status of the refusal').toBe(status)
  const report = readError(answer, expectations().dialect)
  expect(report, `an error body in the shape of the contract, not ${answer.text}`).toBeDefined()
  expect(
    report?.mediaMatches,
    `a media type that matches, not ${answer.headers['content-type']}`,
  ).toBe(true)
  expect(report?.description, 'a description').toMatch(/\S/)
  expect(answer.text, 'an error body without stack traces and internal paths').not.toMatch(
    internals,
  )
  const shape = expectations().dialect.errorShapes[report?.shape ?? -1]
  if (expectations().confirms('error-body'))
    expect(
      missing(shape?.template, answer.body),
      'the fields of the shape that are missing',
    ).toEqual([])
  const asked = answer.request.headers['X-Error-Format'] ?? answer.request.headers['x-error-format']
  if (asked !== undefined && expectations().confirms('error-body'))
    expect(answer.headers['content-type'], 'the media type that was asked for').toMatch(
      /^application\/problem\+json/i,
    )
}

/** Expects the time of an error to be that of the answer. */
const expectTime = ({ body }: Exchange, now: number): void => {
  const { timestamp } = (body ?? {}) as { readonly timestamp?: unknown }
  if (typeof timestamp === 'string')
    expect(
      Math.abs(Date.parse(timestamp) - now),
      'milliseconds between the time of an error and the present',
    ).toBeLessThan(600_000)
}

for (const [format, headers] of [
  ['default format', {}],
  ['problem details', { 'X-Error-Format': 'problem-details' }],
] as const) {
  test(...rule('transport.error-shape', `400, ${format}`), async ({ api, target }) => {
    const answer = await api.call('auth.token', { body: '{', headers })
    expectShape(answer, 400)
    expectTime(answer, target.now())
    expectShape(await api.call('auth.xades', { body: '<AuthTokenRequest', headers }), 400)
  })

  test(...rule('transport.error-shape', `401, ${format}`), async ({ api }) => {
    expectShape(await api.call('sessions.list', { bearer: null, headers }), 401)
  })

  test(...rule('transport.error-shape', `403, ${format}`), async ({ login, clock }) => {
    const { api, accessValidUntil } = await login()
    await clock.set((accessValidUntil ?? clock.now()) + 5_000)
    const answer = await api.call('sessions.list', { headers })
    test.skip(answer.status === 401, 'the target answers 401 to an expired access token')
    expectShape(answer, 403)
  })

  test(...rule('transport.error-shape', `404, ${format}`), async ({ api }) => {
    expectShape(await api.request('GET', '/no/such/path', { headers }), 404)
  })

  test(...rule('transport.error-shape', `429, ${format}`), async ({ api, clock }) => {
    await clock.still()
    const answers = await exceedSecond(clock.now, () =>
      Promise.all(
        Array.from({ length: publicRate.perSecond + 1 }, () =>
          api.call('auth.challenge', { headers, pace: false }),
        ),
      ),
    )
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused, 'one call over the limit is refused').toBeDefined()
    if (refused !== undefined) expectShape(refused, 429)
  })
}

test(...rule('transport.error-shape', '401, unknown format'), async ({ api }) => {
  for (const format of ['xml', 'PROBLEM-DETAILS', 'problem-details, xml', 'null', '*/*']) {
    const headers = { 'X-Error-Format': format }
    const answer = await api.call('sessions.list', { bearer: null, headers })
    expect(answer.status, `the status with the format "${format}"`).toBeLessThan(500)
    expect(answer.status, `the status with the format "${format}"`).toBeGreaterThan(399)
    expect(answer.text, 'an error body without stack traces and internal paths').not.toMatch(
      internals,
    )
    const accepted = await api.call('auth.challenge', { headers })
    expect(accepted.status, `a call with the format "${format}"`).toBeLessThan(500)
  }
})

test(...rule('transport.error-shape', '403, missing permission'), async ({ limited }) => {
  const { api } = await limited(['InvoiceRead', 'Introspection'])
  const answer = await api.call('permissions.attachmentStatus')
  expect(answer).toBeRefused('missing-permission')
  expectShape(answer, 403)
  // Some dialects say which permissions would do, and which there are.
  const { security } = fields(answer) as { readonly security?: Readonly<Record<string, unknown>> }
  if (security?.['presentPermissions'] === undefined) return
  const { presentPermissions, requiredAnyOfPermissions } = security
  expect([...(presentPermissions as string[])].toSorted(), 'those that the caller has').toEqual([
    'Introspection',
    'InvoiceRead',
  ])
  const { permissions = [] } = endpoint('permissions.attachmentStatus')
  expect([...(requiredAnyOfPermissions as string[])].toSorted(), 'those that would do').toEqual(
    permissions.toSorted(),
  )
})
