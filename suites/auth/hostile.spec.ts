import { fetchChallenge } from '../../lib/flows/login.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

for (const [what, subset, reference] of [
  ['external entity: address', '<!ENTITY own SYSTEM "http://127.0.0.1:9/own">', '&own;'],
  ['external entity: password file', '<!ENTITY own SYSTEM "file:///etc/passwd">', '&own;'],
  ['parameter entity', '<!ENTITY % own SYSTEM "file:///etc/passwd"> %own;', undefined],
] as const) {
  test(...rule('auth.xades.hostile-xml', what), async ({ api, own }) => {
    const { challenge } = await fetchChallenge(api)
    const signed = await own.document(challenge)
    const pointed = reference === undefined ? signed : signed.replace(challenge, reference)
    const fate = await authenticate(api, `<!DOCTYPE AuthTokenRequest [${subset}]>${pointed}`)
    expect(fate).toBeRejected('document-unreadable')
    const said = 'text' in fate ? fate.text : JSON.stringify(fate.body)
    expect(said, 'an answer that repeats nothing of a file').not.toMatch(/root:.*:0:0/)
  })
}

for (const [what, body] of [
  ['elements nested by the thousand', '<a>'.repeat(20_000) + '</a>'.repeat(20_000)],
  [
    'attributes by the thousand',
    `<a ${Array.from({ length: 20_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
  ],
] as const) {
  test(...rule('auth.xades.hostile-xml', what), async ({ api }) => {
    const document = `<AuthTokenRequest>${body}</AuthTokenRequest>`
    const answer = await api.call('auth.xades', { body: document, timeoutMs: 10_000 })
    expect(answer).toBeClientError()
    expect(await api.call('auth.challenge'), 'the service goes on').toBeOk()
  })
}
