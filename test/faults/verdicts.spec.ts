import { expect, test } from '@playwright/test'
import { ownersOf } from '../../reference/mutants/operators/owners.ts'
import type { Bench } from './checked.ts'
import { bad, openBench } from './checked.ts'
import type { Behaviour } from './proxy.ts'
import { withJson } from './proxy.ts'

/** The texts of a target decide nothing; its faults are found once, under the rule that owns them. */

test.describe.configure({ timeout: 180_000 })

let bench: Bench
test.beforeAll(async () => {
  bench = await openBench()
})
test.afterAll(() => bench.close())

const bearers = 'auth.status.wrong-bearer-refused'

const hostileWords =
  'Inconclusive: fetch failed ECONNRESET; Unreachable: NotOffered: OperationAbsent expect(received)'

test('error texts change no verdict: right refusals pass, wrong ones fail', async () => {
  const { findings, code } = await bench.check(
    {
      after: (answer, { url }) => {
        if (answer.status < 400 || answer.body.length === 0) return answer
        const worded = withJson(answer, (body) =>
          JSON.parse(
            JSON.stringify(body).replaceAll(
              /"(description|detail|title)":"[^"]*"/g,
              `"$1":"${hostileWords}"`,
            ),
          ),
        )
        // One refusal in a hundred places is wrong.
        const wrong = /\/auth\/[^/]*-AU-/.test(url) && answer.status === 401
        return wrong ? { ...worded, status: 400 } : worded
      },
    },
    [bearers, 'transport.unknown-is-404'],
  )
  const failed = findings.filter(({ verdict }) => verdict !== 'pass')
  expect(new Set(failed.map(({ verdict, rule }) => `${verdict} ${rule}`))).toEqual(
    new Set([`fail ${bearers}`]),
  )
  expect(findings.length).toBeGreaterThan(failed.length + 3)
  for (const finding of failed) {
    expect(finding.expected).toContain('401')
    expect(finding.actual).toContain('400')
  }
  expect(code).toBe(1)
})

/** Rules that read a challenge, and those that hold every answer to a schema; a proxy hides the address of a caller. */
const readingChallenges = [
  ...ownersOf('auth.challenge', 'challenge'),
  ...ownersOf('auth.challenge', 'timestamp'),
  'auth.challenge.single-use',
  'auth.challenge.unknown-refused',
  'auth.token.accepted',
  'transport.openapi-agrees',
  'transport.answers',
  'transport.media-type',
]

test('one field of the wrong type is one failed rule and one finding', async () => {
  const { findings, code } = await bench.check(
    {
      after: (answer, { url }) =>
        url.endsWith('/auth/challenge') && answer.status === 200
          ? withJson(answer, (body) => ({ ...body, timestampMs: String(body['timestampMs']) }))
          : answer,
    },
    [bearers, 'transport.health', ...new Set(readingChallenges)],
  )
  expect(bad(findings)).toEqual(['fail transport.answers.schema answers of auth.challenge'])
  const finding = findings.find(({ verdict }) => verdict === 'fail')
  expect(finding?.actual).toContain('/timestampMs must be')
  expect(code).toBe(1)
})

test('one wrong media type is one finding of the rule of media types', async () => {
  const { findings, code } = await bench.check(
    {
      after: (answer, { url }) =>
        url.endsWith('/auth/challenge')
          ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } }
          : answer,
    },
    [bearers, ...new Set(readingChallenges)],
  )
  expect(bad(findings)).toEqual(['fail transport.media-type answers of auth.challenge'])
  expect(code).toBe(1)
})

/** The health check needs a login: what the contract assumes, not what it states. */
const healthBehindLogin: Behaviour = {
  after: (answer, { url }) => (url.endsWith('/health') ? { ...answer, status: 401 } : answer),
}

test('at a bare URL an unconfirmed assumption is observed, and a replay is sound', async () => {
  const bare = (origin: string) => ['--target', `${origin}/api/v2`, '--namespace', 'again']
  const rules = ['transport.health', 'invoices.duplicate.everywhere']
  const first = await bench.check(healthBehindLogin, rules, {}, bare)
  const health = first.findings.find(({ rule }) => rule === 'transport.health')
  expect(health).toMatchObject({ verdict: 'observed' })
  expect(health?.actual).toContain('401')
  expect(bad(first.findings)).toEqual([])
  expect(first.code).toBe(0)
  // The finding prints the command that repeats it; the service has already seen the numbers of these documents.
  const [, , , ...args] = (health?.replay ?? '').split(' ')
  expect(args).toEqual(expect.arrayContaining(['--seed', '7', '--namespace', 'again']))
  const again = await bench.check(healthBehindLogin, rules, {}, (origin) =>
    args.map((word) => (word.startsWith('http') ? `${origin}/api/v2` : word)),
  )
  expect(again.err).toMatch(/namespace again, run \w+ \(.*fresh invoice numbers/)
  expect(bad(again.findings)).toEqual([])
  expect(again.code).toBe(0)
  const passed = again.findings.filter(({ verdict }) => verdict === 'pass')
  expect(passed.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules.slice(1)))
})

test('a service that crashes on a hostile document fails the rule about surviving it', async () => {
  let dead = false
  const { findings } = await bench.check(
    {
      before: ({ requestBody }, outgoing) => {
        if (requestBody.includes('<a><a><a>')) dead = true
        if (dead) outgoing.destroy()
        return dead
      },
    },
    ['auth.xades.hostile-xml'],
    { capabilities: ['hostile', 'testdata'] },
  )
  const failed = findings.filter(({ verdict }) => verdict === 'fail')
  expect(failed.map(({ rule }) => rule)).toContain('auth.xades.hostile-xml')
  expect(failed[0]?.actual).toMatch(/^no answer any more, after \d+ answers before$/)
})
