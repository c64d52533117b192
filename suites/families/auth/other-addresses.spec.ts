import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import {
  fetchChallenge,
  finishLogin,
  readStarted,
  settleAuthentication,
} from '../../../lib/flows/login.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticate } from '../../support/steps/steps.ts'
import type { OwnContext } from '../../support/service/contexts.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What a caller began at one address goes on at another, where the login states no restriction. */

interface Scene {
  readonly own: OwnContext
  readonly here: Client
  readonly there: Client
}

const begin = async ({ here, own }: Scene) => {
  const { challenge } = await fetchChallenge(here)
  const body = await own.document(challenge)
  return readStarted(await here.call('auth.xades', { body }), 'authenticate')
}

const rows: readonly (readonly [
  rule: RuleId,
  what: string,
  run: (scene: Scene) => Promise<void>,
])[] = [
  [
    'auth.challenge.ten-minutes',
    'challenge',
    async ({ here, there, own }) => {
      const { challenge } = await fetchChallenge(here)
      const outcome = await authenticate(there, await own.document(challenge))
      expect(outcome).toHaveSucceeded('authentication')
    },
  ],
  [
    'auth.redeem.issues-pair',
    'status and redemption',
    async (scene) => {
      const { there } = scene
      const started = await begin(scene)
      const { referenceNumber, authenticationToken: bearer } = started
      const look = await there.call('auth.status', { path: { referenceNumber }, bearer })
      expect(look, 'a look at the status').toBeOk()
      await settleAuthentication(there, started)
      expect(await there.call('auth.redeem', { bearer })).toBeOk()
    },
  ],
  [
    'auth.access-token.expires',
    'access token',
    async (scene) => {
      const { accessToken: bearer } = await finishLogin(scene.here, await begin(scene))
      expect(await scene.there.call('limits.context', { bearer })).toBeOk()
    },
  ],
  [
    'auth.refresh.repeatable',
    'refresh token',
    async (scene) => {
      const { refreshToken: bearer } = await finishLogin(scene.here, await begin(scene))
      expect(await scene.there.call('auth.refresh', { bearer })).toBeOk()
      expect(await scene.here.call('auth.refresh', { bearer }), 'at the first again').toBeOk()
    },
  ],
]

for (const [rule, what, run] of rows)
  test(
    ...familyRule(rule, 'continued at another address', what),
    async ({ own, target, ledger }) => {
      const [home = '127.0.0.1', near = '127.0.0.2'] = target.addresses
      const [here, there] = [home, near].map((address) => target.client(ledger.record, address))
      await run({ own, here: here!, there: there! })
    },
  )
