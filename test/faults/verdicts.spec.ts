import { expect, test } from '@playwright/test'
import { bad, checkFaulty } from './checked.ts'
import { withJson } from './proxy.ts'

/** What a target says in its texts decides nothing; what it does wrong is found once, under the rule that owns it. */

test.describe.configure({ timeout: 180_000 })

const selectors = ['auth.status', 'transport.malformed-body', 'sessions.online']

const hostileWords =
  'Inconclusive: fetch failed ECONNRESET; Unreachable: NotOffered: OperationAbsent expect(received)'

test('error texts in every refusal change no verdict', async () => {
  const named = ({ findings }: Awaited<ReturnType<typeof checkFaulty>>) =>
    findings.map(({ rule, check, verdict }) => `${verdict} ${rule} ${check}`).toSorted()
  const plain = await checkFaulty({}, selectors)
  const worded = await checkFaulty(
    {
      after: (answer) =>
        answer.status < 400 || answer.body.length === 0
          ? answer
          : withJson(answer, (body) =>
              JSON.parse(
                JSON.stringify(body).replaceAll(
                  /"(description|detail|title)":"[^"]*"/g,
                  `"$1":"${hostileWords}"`,
                ),
              ),
            ),
    },
    selectors,
  )
  expect(bad(plain.findings)).toEqual([])
  expect(plain.code).toBe(0)
  expect(named(worded)).toEqual(named(plain))
})

test('error texts in a wrong refusal leave the verdict fail', async () => {
  const { findings, code } = await checkFaulty(
    {
      after: (answer, { url }) =>
        /\/auth\/[^/]*-AU-/.test(url) && answer.status === 401
          ? {
              ...answer,
              status: 400,
              body: Buffer.from(JSON.stringify({ title: hostileWords, detail: hostileWords })),
            }
          : answer,
    },
    ['auth.status.wrong-bearer-refused'],
  )
  expect(code).toBe(1)
  const failed = findings.filter(({ verdict }) => verdict !== 'pass')
  expect(new Set(failed.map(({ verdict }) => verdict))).toEqual(new Set(['fail']))
  for (const finding of failed) {
    expect(finding.expected).toContain('401')
    expect(finding.actual).toContain('400')
  }
})

test('one field of the wrong type is one failing rule, one finding', async () => {
  const { findings, code } = await checkFaulty(
    {
      after: (answer, { url }) =>
        url.endsWith('/auth/challenge') && answer.status === 200
          ? withJson(answer, (body) => ({ ...body, timestampMs: String(body['timestampMs']) }))
          : answer,
    },
    ['auth.status', 'sessions.online', 'transport.health'],
  )
  expect(bad(findings)).toEqual(['fail transport.answers.schema answers of auth.challenge'])
  const finding = findings.find(({ verdict }) => verdict === 'fail')
  expect(finding?.actual).toContain('/timestampMs must be')
  expect(code).toBe(1)
})

test('one wrong media type is one finding of its own rule', async () => {
  const { findings, code } = await checkFaulty(
    {
      after: (answer, { url }) =>
        url.endsWith('/auth/challenge')
          ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } }
          : answer,
    },
    ['auth.status', 'sessions.online'],
  )
  expect(bad(findings)).toEqual(['fail transport.media-type answers of auth.challenge'])
  expect(code).toBe(1)
})

test('a service that dies of a hostile document fails the rule that it survives', async () => {
  let dead = false
  const { findings } = await checkFaulty(
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
