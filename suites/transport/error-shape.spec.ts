import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { publicRate } from '../../contract/limits.ts'
import { readError } from '../../lib/errors.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import type { CallOptions } from '../../lib/request.ts'
import { internals } from '../support/answers/conformity.ts'
import { expectations } from '../support/service/expectations.ts'
import type { Fixtures } from '../support/harness/fixtures.ts'
import { exceedSecond, unlimited } from '../support/service/rated.ts'
import { rule } from '../support/checks/rule.ts'
import { authenticate, fields, outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const always: ReadonlySet<unknown> = new Set(['$code', '$description', '$details', '$timestamp'])

/** The fields that an error of this shape always has, even if they are empty, and that are missing here. */
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
}

/** Expects the fields of the assumed form, and the media type that was asked for. */
const expectAssumedForm = (answer: Exchange): void => {
  const { dialect } = expectations()
  const shape = dialect.errorShapes[readError(answer, dialect)?.shape ?? -1]
  expect(missing(shape?.template, answer.body), 'the fields of the shape that are missing').toEqual(
    [],
  )
  const { headers } = answer.request
  if ((headers['X-Error-Format'] ?? headers['x-error-format']) !== undefined)
    expect(answer.headers['content-type'], 'the media type that was asked for').toMatch(
      /^application\/problem\+json/i,
    )
}

/** Expects the time of an error to be that of the answer. */
const expectTime = (answer: Exchange | undefined, now: number): void => {
  const { timestamp } = (answer?.body ?? {}) as { readonly timestamp?: unknown }
  if (typeof timestamp === 'string')
    expect(
      Math.abs(Date.parse(timestamp) - now),
      'milliseconds between the time of an error and the present',
    ).toBeLessThan(600_000)
}

type Provoking = Pick<Fixtures, 'api' | 'login' | 'clock'> & {
  readonly headers: Readonly<Record<string, string>>
}

/** How a client comes to a refusal of each status. */
const provoked = {
  400: async ({ api, headers }) => [
    await api.call('auth.token', { body: '{', headers }),
    await api.call('auth.xades', { body: '<AuthTokenRequest', headers }),
  ],
  401: async ({ api, headers }) => [await api.call('sessions.list', { bearer: null, headers })],
  403: async ({ login, clock, headers }) => {
    const { api, accessValidUntil } = await login()
    await clock.set((accessValidUntil ?? clock.now()) + 5_000)
    const answer = await api.call('sessions.list', { headers })
    test.skip(answer.status === 401, 'the target answers 401 to an expired access token')
    return [answer]
  },
  404: async ({ api, headers }) => [await api.request('GET', '/no/such/path', { headers })],
  429: async ({ api, clock, headers }) => {
    await clock.still()
    const answers = await exceedSecond(clock.now, () =>
      Promise.all(
        Array.from({ length: publicRate.perSecond + 1 }, () =>
          api.call('auth.challenge', { headers, pace: false }),
        ),
      ),
    )
    const refused = answers.find(({ status }) => status !== 200)
    if (refused === undefined) throw unlimited()
    return [refused]
  },
} as const satisfies Record<number, (scene: Provoking) => Promise<readonly Exchange[]>>

const formats = {
  'default format': {},
  'problem details': { 'X-Error-Format': 'problem-details' },
} as const

for (const format of ['default format', 'problem details'] as const)
  for (const status of [400, 401, 403, 404, 429] as const) {
    const headers = formats[format]
    test(
      ...rule('transport.error-shape', `${status}, ${format}`),
      async ({ api, login, clock, target }) => {
        const answers = await provoked[status]({ api, login, clock, headers })
        for (const answer of answers) expectShape(answer, status)
        if (status === 400) expectTime(answers[0], target.now())
      },
    )
    const form =
      status === 429 || status === 403 ? (`assumed form of ${status}` as const) : 'assumed form'
    test(
      ...rule('transport.error-shape', `${form}, ${status}, ${format}`),
      async ({ api, login, clock }) => {
        for (const answer of await provoked[status]({ api, login, clock, headers }))
          expectAssumedForm(answer)
      },
    )
  }

type Refused = readonly (readonly [what: string, call: CallOptions & { operation: OperationId }])[]

/** Calls that many services leave to a framework, or to a gateway in front of their operations. */
const early: Refused = [
  ['a method of no path', { operation: 'sessions.list', method: 'PATCH' }],
  ['another method of a public path', { operation: 'auth.challenge', method: 'GET' }],
  ['text for JSON', { operation: 'sessions.openOnline', body: '{}', media: 'text/plain' }],
  ['JSON for XML', { operation: 'auth.xades', body: '{}', media: 'application/json' }],
  [
    'a form for JSON',
    { operation: 'auth.token', body: 'a=1', media: 'application/x-www-form-urlencoded' },
  ],
  [
    'megabytes where a few bytes do',
    { operation: 'auth.token', body: `"${'a'.repeat(4_000_000)}"` },
  ],
  [
    'an address below that of an operation',
    { operation: 'sessions.list', rawPath: '/sessions/online/no/such' },
  ],
  ['a reference of no form', { operation: 'sessions.status', path: { referenceNumber: 'none' } }],
  ['a text for a number', { operation: 'sessions.list', query: { pageSize: 'ten' } }],
  [
    'a continuation token of no form',
    { operation: 'sessions.list', headers: { 'x-continuation-token': 'none' } },
  ],
]

for (const format of ['default format', 'problem details'] as const)
  test(...rule('transport.error-shape', `early, ${format}`), async ({ login }) => {
    const { api } = await login()
    for (const [what, { operation, ...call }] of early) {
      const headers = { ...call.headers, ...formats[format] }
      const answer = await api.call(operation, { ...call, headers })
      expect(answer, what).toBeClientError()
      expectShape(answer, answer.status)
    }
  })

/** Changes to a request for a login that its schema, or the parser before it, does not allow. */
const unfit: readonly (readonly [from: RegExp, to: string])[] = [
  [/certificateSubject/, 'certificateColour'],
  [/<SubjectIdentifierType>.*<\/SubjectIdentifierType>/, ''],
  [/<Challenge>[^<]+/, '<Challenge>none'],
  [
    /<ContextIdentifier>.*<\/ContextIdentifier>/,
    '<ContextIdentifier><Regon>1</Regon></ContextIdentifier>',
  ],
  [/<\/AuthTokenRequest>/, '<More/></AuthTokenRequest>'],
  [/ xmlns="[^"]*"/, ' xmlns="urn:none:such"'],
]

const unreadable = [
  '<AuthTokenRequest',
  '<a>&none;</a>',
  '<a></b>',
  '<a xmlns:b=""/>',
  'no XML',
  '',
]

test(
  ...rule('transport.error-shape', 'quoted messages'),
  async ({ api, own, sign, open, invoice, ledger }) => {
    for (const body of unreadable) expectShape(await api.call('auth.xades', { body }), 400)
    const { challenge } = await fetchChallenge(api)
    for (const [from, to] of unfit)
      expect(
        await authenticate(api, sign(own.request(challenge).replace(from, to))),
      ).not.toHaveSucceeded('authentication')
    for (const body of [
      '{"challenge":',
      '{"challenge": tru}',
      '[',
      '{"challenge": "\\x"}',
      '\u0000',
      // No UTF-8.
      Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      Uint8Array.from([0xc3, 0x28]),
    ])
      expectShape(await api.call('auth.token', { body }), 400)
    const desk = await open()
    const { bytes } = invoice()
    for (const [from, to] of [
      ['</Faktura>', ''],
      ['<P_1>', '<P_1>x'],
      ['<Fa>', '<More/><Fa>'],
    ] as const) {
      const text = new TextDecoder().decode(bytes).replace(from, to)
      const outcome = await outcomeOfInvoice(desk, new TextEncoder().encode(text))
      expect(outcome).toBeRejected('invoice-invalid')
    }
    const quoting = ledger.exchanges.filter(({ text }) => internals.test(text))
    expect(
      quoting.map(({ text }) => text),
      'answers with stack traces or internal paths',
    ).toEqual([])
  },
)

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

test(...rule('transport.error-shape', 'missing permission'), async ({ limited }) => {
  const { api } = await limited(['InvoiceRead', 'Introspection'])
  const answer = await api.call('permissions.attachmentStatus')
  expect(answer).toBeRefused('missing-permission')
  expectShape(answer, 403)
  // Some dialects report which permissions would suffice, and which ones the caller has.
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
