import { freshKey } from '../../../lib/node/pki.ts'
import { contextWith } from '../../support/service/contexts.ts'
import { obtainCertificate, revokeCertificate } from '../../support/callers/enrolment.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { sealOf } from '../../support/steps/seals.ts'
import {
  enterByToken,
  mintToken,
  statesUntil,
  tokenState,
} from '../../support/callers/service-token.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Things that share a property which does not identify them: a certificate's key, a token's name, a subject. */

test(
  ...familyRule('auth.xades.service-certificate', 'namesake', 'certificate for the same key'),
  async ({ login, own, api }) => {
    const me = await login()
    const privateKey = freshKey('p256')
    const first = await obtainCertificate(me.api, { privateKey })
    await revokeCertificate(me.api, first.serialNumber)
    const { credentials } = await obtainCertificate(me.api, { privateKey })
    const outcome = await authenticateAs(api, own, { credentials })
    expect(outcome, 'by the certificate that is not revoked').toHaveSucceeded('authentication')
  },
)

test(
  ...familyRule('tokens.status.moves-forward', 'namesake', 'token with the same description'),
  async ({ login }) => {
    const me = await login()
    const description = 'made once more'
    const { referenceNumber = '' } = await mintToken(me, ['InvoiceRead'], description)
    expect(await me.api.call('tokens.revoke', { path: { referenceNumber } })).toBeOk()
    const ended = await statesUntil(me.api, referenceNumber, 'Revoked')
    expect(ended.at(-1), 'its state after its revocation').toBe('Revoked')
    const again = await mintToken(me, ['InvoiceRead'], description)
    expect(again.referenceNumber, 'the reference of another token').not.toBe(referenceNumber)
    expect(await tokenState(me.api, referenceNumber), 'its state after that').toBe('Revoked')
  },
)

test(
  ...familyRule('auth.token.accepted', 'namesake', 'older token with the same description'),
  async ({ api, login }) => {
    const me = await login()
    const [older, newer] = [await mintToken(me), await mintToken(me)]
    for (const [which, { context, token }] of [
      ['newer', newer],
      ['older', older],
      ['newer once more', newer],
    ] as const)
      expect(await enterByToken(api, context, token), which).toHaveSucceeded('authentication')
  },
)

test(
  ...familyRule('auth.sessions.listed', 'namesake', 'login of the same subject'),
  async ({ login, own, target }) => {
    const { type, value } = own
    const me = await login()
    const seal = sealOf(target, own, 'rsa')
    const other = await login({ context: contextWith({ type, value }, seal, target.now) })
    const byToken = await login({ token: (await mintToken(me)).token })
    const newestFirst = [byToken, other, me]
    const references = newestFirst.map(({ referenceNumber }) => referenceNumber)
    for (const { api } of newestFirst) {
      const pages = await pagesByToken(api, 'auth.sessions', 'items', { pageSize: 100 })
      const listed = pages.flat().map(({ referenceNumber }) => String(referenceNumber))
      expect(
        listed.filter((one) => references.includes(one)),
        'logins by two seals and a service token, newest first',
      ).toEqual(references)
    }
  },
)
