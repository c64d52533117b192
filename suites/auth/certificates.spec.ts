import { fetchChallenge, settleAuthentication, startWithDocument } from '../../lib/flows/login.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { createContexts } from '../support/context-source.ts'
import { selfSigned } from '../support/contexts.ts'
import { obtainCertificate } from '../support/enrolment.ts'
import { observe } from '../support/explain.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

for (const environment of ['test', 'demo', 'production'] as const) {
  test(
    ...rule('auth.xades.self-signed-by-environment', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const api = target.client(ledger.record)
      const own = selfSigned(drawNip(rng), target.now)
      const { challenge } = await fetchChallenge(api)
      const fate = await authenticate(api, await own.document(challenge))
      if (environment === 'test') expect(fate).toHaveSucceeded('authentication')
      else expect(fate).toBeRejected('certificate-refused')
    },
  )
}

test(...rule('auth.xades.certificate-check-delay'), async ({ inEnvironment, ledger, rng }) => {
  const target = await inEnvironment('demo')
  const api = target.client(ledger.record)
  const own = await createContexts(target, rng)()
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  const settled = await settleAuthentication(api, started)
  observe(
    `state ${settled.status.code} after ${settled.exchanges.length} looks, in ${target.environment}`,
  )
  expect(settled).toHaveSucceeded('authentication')
})

test(...rule('auth.xades.service-certificate'), async ({ login, own, api }) => {
  const me = await login()
  const { credentials } = await obtainCertificate(me.api)
  const { challenge } = await fetchChallenge(api)
  const document = await own.document(challenge, { credentials })
  expect(await authenticate(api, document)).toHaveSucceeded('authentication')
})
