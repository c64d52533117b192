import type { RefusalId } from '../../../contract/errors.ts'
import {
  finishLogin,
  settleAuthentication,
  startWithDocument,
  startWithToken,
} from '../../../lib/flows/login.ts'
import type { Started } from '../../../lib/flows/login.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { outcomeOfCode } from '../../support/judging/matchers.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** An authentication that is redeemed before it has ended: that issues nothing, and changes nothing. */

type Fixtures = Pick<All, 'api' | 'own' | 'another' | 'serviceToken'>

interface Way {
  readonly family: 'early redemption' | 'early redemption with a service token'
  /** Why it fails; undefined where it succeeds. */
  readonly refusedAs?: RefusalId
  /** Prepares what starts the authentication. */
  readonly prepare: (fixtures: Fixtures) => Promise<() => Promise<Started>>
}

const byToken = async (
  { api, serviceToken }: Fixtures,
  textOf: (token: string) => string,
): Promise<() => Promise<Started>> => {
  const held = await serviceToken()
  const { type, value } = held.context
  return () => startWithToken(api, { context: { type, value }, token: textOf(held.token) })
}

const ways: Readonly<Record<string, Way>> = {
  document: {
    family: 'early redemption',
    prepare: ({ api, own }) =>
      Promise.resolve(() => startWithDocument(api, { sign: (text) => own.document(text) })),
  },
  'document of a stranger': {
    family: 'early redemption',
    refusedAs: 'subject-without-permission',
    async prepare({ api, own, another }) {
      const { credentials } = await another()
      return () => startWithDocument(api, { sign: (text) => own.document(text, { credentials }) })
    },
  },
  'service token': {
    family: 'early redemption with a service token',
    prepare: (fixtures) => byToken(fixtures, (token) => token),
  },
  'unknown service token': {
    family: 'early redemption with a service token',
    refusedAs: 'token-refused',
    prepare: (fixtures) => byToken(fixtures, (token) => token.replace(/.{8}$/, '00000000')),
  },
}

for (const [what, { family, refusedAs, prepare }] of Object.entries(ways))
  test(
    ...familyRule('auth.redeem.not-before-success', family, what),
    async ({ api, own, another, serviceToken, clock }) => {
      const start = await prepare({ api, own, another, serviceToken })
      // An earlier login of the same caller has succeeded: that says nothing of this one.
      if (refusedAs === undefined) await finishLogin(api, await start())
      const stands = await clock.still()
      const started = await start()
      const { authenticationToken: bearer } = started
      const path = { referenceNumber: started.referenceNumber }
      const isPending = async (): Promise<boolean> => {
        const { status } = reported(await api.call('auth.status', { path, bearer }))
        return outcomeOfCode(status.code) === 'pending'
      }
      for (const attempt of ['first', 'second', 'third']) {
        const answer = await api.call('auth.redeem', { bearer })
        const pending = stands || (await isPending())
        test.skip(!pending, 'the authentication finished before an early redemption was possible')
        expect(answer, `the ${attempt} redemption`).toBeRefused('redeem-refused')
        if (stands)
          expect(await isPending(), `in progress after the ${attempt} redemption`).toBe(true)
      }
      if (stands) await clock.advance(60_000)
      const settled = await settleAuthentication(api, started)
      const last = await api.call('auth.redeem', { bearer })
      if (refusedAs === undefined) {
        expect(settled).toHaveSucceeded('authentication')
        expect(last, 'a redemption after the success').toBeOk()
      } else {
        expect(settled).toBeRejected(refusedAs)
        expect(last, 'a redemption after the failure').toBeRefused('redeem-refused')
      }
    },
  )
