import { fetchChallenge } from '../../lib/flows/login.ts'
import { faultsOf } from '../support/conformity.ts'
import { rule } from '../support/rule.ts'
import { tour } from '../support/tour.ts'
import { expect, test } from '../support/test.ts'

for (const media of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
  test(...rule('transport.media-type', `foreign JSON, ${media}`), async ({ api, own }) => {
    const { challenge } = await fetchChallenge(api)
    const { type, value } = own
    const body = { challenge, contextIdentifier: { type, value }, encryptedToken: 'AAAA' }
    expect(await api.call('auth.token', { media, body })).toBeRefused('media-type')
  })
}

for (const media of ['application/json', 'text/plain']) {
  test(...rule('transport.media-type', `foreign XML, ${media}`), async ({ api, own }) => {
    const { challenge } = await fetchChallenge(api)
    const body = await own.document(challenge)
    expect(await api.call('auth.xades', { media, body })).toBeRefused('media-type')
  })
}

test(...rule('transport.media-type', 'responses'), async ({ open, invoice, ledger, target }) => {
  await tour(await open(), invoice().bytes)
  const faults = ledger.exchanges.flatMap((exchange) =>
    faultsOf(exchange, target.dialect)
      .filter(({ rule: owner }) => owner === 'transport.media-type')
      .map(({ text }) => `${exchange.operation ?? exchange.request.method}: ${text}`),
  )
  expect(ledger.exchanges.length, 'checked responses').toBeGreaterThan(5)
  expect([...new Set(faults)], 'responses whose Content-Type does not match the body').toEqual([])
})
