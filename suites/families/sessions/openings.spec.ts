import type { RuleId } from '../../../contract/rules.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { base64Ways } from '../../../generators/faults/base64.ts'
import type { Client } from '../../../lib/client.ts'
import { batchBody } from '../../../lib/flows/batch.ts'
import { exportBody, settleExport } from '../../../lib/flows/export.ts'
import { chooseKey, fetchKeys } from '../../../lib/flows/keys.ts'
import type { KeyUsage } from '../../../lib/flows/keys.ts'
import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { makeCsr } from '../../../lib/node/csr.ts'
import { expectText } from '../../../lib/outcome.ts'
import { badBase64, badKeys } from '../../support/scenes/bad-keys.ts'
import { applyFor, attributesOf, certificateKey } from '../../support/callers/enrolment.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes, formLabels } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { leavesNothing } from '../../support/scenes/remembered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { fields, outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every verification of a key and of a form code, in each request that has them: a refusal leaves nothing behind. */

interface Opening {
  readonly operation: Extract<
    OperationId,
    'sessions.openOnline' | 'sessions.openBatch' | 'exports.create'
  >
  readonly opens: RuleId
  readonly badKey: RuleId
  readonly badForm?: RuleId
  readonly body: (
    api: Client,
    scene: { readonly invoice: () => { readonly bytes: Uint8Array }; readonly now: number },
  ) => Promise<Readonly<Record<string, unknown>>>
}

const openings: Readonly<Record<string, Opening>> = {
  'interactive session': {
    operation: 'sessions.openOnline',
    opens: 'sessions.online.opens',
    badKey: 'sessions.online.bad-key-refused',
    badForm: 'sessions.online.bad-form-code-refused',
    body: async (api) => ({
      formCode: formCodes.fa3,
      ...(await encryptionFields(api, drawSecret())),
    }),
  },
  'batch session': {
    operation: 'sessions.openBatch',
    opens: 'sessions.batch.opens',
    badKey: 'sessions.batch.bad-key-refused',
    badForm: 'sessions.batch.bad-form-code-refused',
    body: async (api, { invoice }) => batchBody(api, await packed([invoice()]), formCodes.fa3),
  },
  export: {
    operation: 'exports.create',
    opens: 'exports.create.accepted',
    badKey: 'exports.create.accepted',
    body: (api, { now }) => exportBody(api, { filters: issuedAround(now) }, drawSecret()),
  },
}

/** Form codes that differ in one part, or in the label, from one that is in force. */
const badForms: Readonly<Record<string, unknown>> = {
  'another system code': { ...formCodes.fa3, systemCode: 'FA (4)' },
  'another version': { ...formCodes.fa3, schemaVersion: '1-1E' },
  'the beginning of a version': { ...formCodes.fa3, schemaVersion: '1' },
  'another value': { ...formCodes.fa3, value: 'FAK' },
  'a version in other letter case': { ...formCodes.fa3, schemaVersion: '1-0e' },
  'an unknown label': 'FA (30)',
  'a label of the value': 'FA',
}

for (const [name, { operation, badKey, badForm, body }] of Object.entries(openings)) {
  test(
    ...familyRule(badKey, 'opening', `bad keys leave nothing, ${name}`),
    async ({ login, invoice, target }) => {
      const { api } = await login()
      const good = await body(api, { invoice, now: target.now() })
      await leavesNothing(api, async () => {
        for (const [what, make] of badKeys) {
          const answer = await api.call(operation, { body: { ...good, ...(await make(api)) } })
          expect.soft(answer, what).toBeRefused('session-key-refused')
        }
        for (const { what, fault } of name === 'export' ? [] : badBase64(good)) {
          const answer = await api.call(operation, { body: { ...good, ...fault } })
          expect.soft(answer, what).toBeRefused('session-key-refused')
        }
      })
      expect(await api.call(operation, { body: good }), 'the request with a good key').toBeOk()
    },
  )

  if (badForm !== undefined)
    test(
      ...familyRule(badForm, 'opening', `bad form codes leave nothing, ${name}`),
      async ({ login, invoice, target }) => {
        const { api } = await login()
        const good = await body(api, { invoice, now: target.now() })
        await leavesNothing(api, async () => {
          for (const [what, formCode] of Object.entries(badForms)) {
            const answer = await api.call(operation, { body: { ...good, formCode } })
            expect.soft(answer, what).toBeRefused('form-code-refused')
          }
        })
        expect(await api.call(operation, { body: good }), 'the request as it is').toBeOk()
      },
    )

  if (badForm !== undefined)
    test(
      ...familyRule('sessions.online.form-code-forms', 'opening', `a label, ${name}`),
      async ({ login, invoice, target }) => {
        const { api } = await login()
        const good = await body(api, { invoice, now: target.now() })
        const answer = await api.call(operation, { body: { ...good, formCode: formLabels.fa3 } })
        expect(answer).toBeOk()
      },
    )
}

for (const [name, { operation, opens, body }] of Object.entries(openings))
  test(
    ...familyRule(opens, 'opening', `the same request twice, ${name}`),
    async ({ login, invoice, target }) => {
      const { api } = await login()
      const same = await body(api, { invoice, now: target.now() })
      const again = () => api.call(operation, { body: same })
      // One after the other, and two at once.
      const answers = [await again(), await again(), ...(await Promise.all([again(), again()]))]
      for (const answer of answers) expect(answer, 'the same request').toBeOk()
      const references = new Set(answers.map((answer) => fields(answer)['referenceNumber']))
      expect(references.size, 'reference numbers of four').toBe(4)
    },
  )

for (const [name, { operation, badKey, body }] of Object.entries(openings))
  test(
    ...familyRule(badKey, 'opening', `named keys, ${name}`),
    async ({ login, invoice, target }) => {
      const { api } = await login()
      const good = await body(api, { invoice, now: target.now() })
      const keys = await fetchKeys(api)
      const named = (usage: KeyUsage) => chooseKey(keys, usage, target.now())?.publicKeyId
      const [right, other] = [named('SymmetricKeyEncryption'), named('SvcTokenEncryption')]
      test.skip(right === undefined, 'the target does not name its keys')
      await leavesNothing(api, async () => {
        const unknown = api.codec.base64(new Uint8Array(32).fill(7))
        for (const publicKeyId of other === right ? [unknown] : [unknown, other]) {
          const answer = await api.call(operation, { body: { ...good, publicKeyId } })
          expect.soft(answer, `named ${publicKeyId}`).toBeRefused('public-key-unknown')
        }
      })
      const answer = await api.call(operation, { body: { ...good, publicKeyId: right } })
      expect(answer, 'the key that was used').toBeOk()
    },
  )

test(
  ...familyRule('exports.create.accepted', 'opening', 'no Base64, export'),
  async ({ login, target }) => {
    const { api } = await login()
    const good = await exportBody(api, { filters: issuedAround(target.now()) }, drawSecret())
    // An hour permits twenty exports.
    const some = ['unpadded', 'url-safe', 'line-feeds-76', 'line-feed-behind', 'character']
    const faults = badBase64(good).filter(({ what }) => some.some((id) => what.endsWith(id)))
    for (const { what, fault } of faults) {
      const answer = await api.call('exports.create', { body: { ...good, ...fault } })
      expect.soft(answer, what).toBeRefused('session-key-refused')
    }
  },
)

/** What is no Base64 by any reading; line breaks and white space may be usual in requests for certificates. */
const strayBase64 = new Set([
  'url-safe',
  'padding-inside',
  'character',
  'letter-outside',
  'percent',
])

test(
  ...familyRule('certificates.enrol', 'opening', 'no Base64, application for a certificate'),
  async ({ login }) => {
    const { api } = await login()
    const subject = await attributesOf(api)
    const text = makeCsr({ subject, privateKey: certificateKey() }).toString('base64')
    for (const [id, , write] of base64Ways)
      if (strayBase64.has(id) && write(text) !== text)
        expect(await applyFor(api, { csr: write(text) }), id).toBeClientError()
    expect(await applyFor(api, { csr: text }), 'the request as it is').toBeOk()
  },
)

test(
  ...familyRule('exports.create.accepted', 'opening', 'each bad key fails the export'),
  async ({ login, target }) => {
    const { api } = await login()
    const good = await exportBody(api, { filters: issuedAround(target.now()) }, drawSecret())
    for (const [what, make] of badKeys) {
      const answer = await api.call('exports.create', { body: { ...good, ...(await make(api)) } })
      if (answer.status >= 300) {
        expect.soft(answer, what).toBeRefused('session-key-refused')
        continue
      }
      const referenceNumber = expectText(answer, 'create an export', 'referenceNumber')
      const settled = await settleExport(api, { referenceNumber })
      expect.soft(settled, what).toBeRejected('session-key-refused')
    }
  },
)

test(
  ...familyRule('auth.token.wrong-encryption-refused', 'opening', 'named keys, service token'),
  async ({ api, serviceToken, rng }) => {
    const held = await serviceToken()
    const keys = await fetchKeys(api)
    const named = (usage: KeyUsage) => chooseKey(keys, usage, api.now())?.publicKeyId
    const right = named('SvcTokenEncryption')
    test.skip(right === undefined, 'the target does not name its keys')
    const enter = async (publicKeyId: string | undefined, under = keys) => {
      const login = {
        context: { type: held.context.type, value: held.context.value },
        token: held.token,
        keys: under,
      }
      const body = await tokenLoginBody(api, login, await fetchChallenge(api))
      const answer = await api.call('auth.token', { body: { ...body, publicKeyId } })
      return outcomeOfAuthentication(api, answer)
    }
    const unknown = Buffer.from(rng.bytes(32)).toString('base64')
    const symmetric = named('SymmetricKeyEncryption')
    // Encrypts with the key of the other usage: the service can decrypt the result.
    const swapped = keys
      .filter(({ publicKeyId }) => publicKeyId === symmetric)
      .map((key) => ({ ...key, usage: ['SvcTokenEncryption' as const] }))
    for (const [other, under] of [
      [unknown, keys],
      [symmetric, keys],
      [symmetric, swapped],
    ] as const) {
      if (other === right || other === undefined) continue
      const outcome = await enter(other, under)
      // Refused at once by the name of the key, or in the end because no such key decrypts the token.
      if ('succeeded' in outcome) expect(outcome, other).toBeRejected('token-refused')
      else expect(outcome, other).toBeRefused('public-key-unknown')
    }
    expect(await enter(right), 'named rightly').toHaveSucceeded('authentication')
  },
)
