import { expect, test } from '@playwright/test'
import { ksef } from '../../contract/dialects/ksef.ts'
import { svc } from '../../contract/dialects/svc.ts'
import { createPathHint } from '../../reference/http/path-hint.ts'
import { createReference } from '../../reference/service/reference.ts'

/** What a client reads that was given a wrong base address. */

const inKsef = createPathHint(ksef).ofPath
const inSvc = createPathHint(svc).ofPath

test('names the prefix that is missing, repeated or wrong', () => {
  expect(inKsef('/auth/challenge')).toMatch(/prefix is missing: expected \/v2\/auth\/challenge/)
  expect(inKsef('/v2/v2/auth/challenge')).toMatch(/prefix is there twice: expected \/v2\/auth/)
  expect(inKsef('/v2/api/v2/sessions/online')).toMatch(/twice: expected \/v2\/sessions\/online/)
  expect(inKsef('/api/v2/auth/challenge')).toMatch(/prefix is another one: expected \/v2\/auth/)
  expect(inKsef('/v3/auth/challenge')).toMatch(/prefix is another one: expected \/v2\/auth/)
  expect(inKsef('/V2/auth/challenge')).toMatch(/prefix is another one: expected \/v2\/auth/)
  expect(inSvc('/v2/sessions/abc/invoices')).toMatch(/expected \/api\/v2\/sessions\/abc\/invoices/)
})

test('names the dialect that has such a path', () => {
  expect(inSvc('/v2/auth/ksef-token')).toMatch(/of the dialect ksef.* speaks svc.*--dialect ksef/)
  expect(inKsef('/api/v2/auth/svc-token')).toMatch(/of the dialect svc.*--dialect svc/)
  expect(inKsef('/health')).toMatch(/of the dialect svc/)
})

test('says nothing of paths that no dialect has', () => {
  expect(inKsef('/v2/no/such/thing')).toBeUndefined()
  expect(inSvc('/')).toBeUndefined()
})

for (const [path, hint] of [
  ['/v2/v2/auth/challenge', 'the prefix is there twice'],
  // The dialect has /auth/{referenceNumber}, and not this method there.
  ['/v2/auth/svc-token', 'a path of the dialect svc'],
] as const)
  test(`the answer to ${path} has the hint in its details`, async () => {
    const service = await createReference({ dialect: 'ksef', limits: 'off' })
    try {
      const answer = await service.fetch(
        new Request(`http://127.0.0.1${path}`, { method: 'POST' }),
        { address: '127.0.0.1', body: async () => new Uint8Array() },
      )
      expect(answer.status).toBe(404)
      expect(JSON.stringify(await answer.json())).toContain(hint)
    } finally {
      await service.close()
    }
  })
