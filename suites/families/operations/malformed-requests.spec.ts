import { createPublicKey } from 'node:crypto'
import type { Dialect } from '../../../contract/dialect.ts'
import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { seedFrom } from '../../../lib/random.ts'
import { seededDraw, drawBytes } from '../../../generators/draw/draw.ts'
import type { Draw } from '../../../generators/draw/draw.ts'
import { authRequests } from '../../../generators/faults/auth-request.ts'
import { batches } from '../../../generators/faults/batch.ts'
import { submissionMalformations } from '../../../generators/faults/catalogue.ts'
import { headerMalformations } from '../../../generators/faults/headers.ts'
import { jsonMalformations } from '../../../generators/faults/json.ts'
import { jsonTexts } from '../../../generators/faults/json-texts.ts'
import type { Malformation } from '../../../generators/faults/malformation.ts'
import { sessionKeys } from '../../../generators/faults/session-key.ts'
import { tokenEnvelopes } from '../../../generators/faults/token-envelope.ts'
import type { Package } from '../../../generators/requests/package.ts'
import type { Client } from '../../../lib/client.ts'
import { certificateDer, spkiOf } from '../../../lib/der.ts'
import { callUpload, readBatchOpened } from '../../../lib/flows/batch.ts'
import { keyFor } from '../../../lib/flows/keys.ts'
import type { KeyUsage } from '../../../lib/flows/keys.ts'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import { encryptionFields, settleSession } from '../../../lib/flows/session.ts'
import type { Secret } from '../../../lib/flows/session.ts'
import { makeZip } from '../../../lib/node/archive.ts'
import { strangerKey } from '../../../lib/node/pki.ts'
import { schemaJudge } from '../../../lib/node/schema.ts'
import { fromWire, toWire, wireOperation } from '../../../lib/wire.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { ifOffered } from '../../support/run/not-offered.ts'
import { filesOf } from '../../support/steps/packages.ts'
import { leavesNothing } from '../../support/scenes/remembered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { runOptions } from '../../support/checks/run-options.ts'
import {
  authenticate,
  outcomeOfAuthentication,
  outcomeOfOpening,
  outcomeOfSubmission,
} from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every class of malformed request, sent to the target: logins, openings, submissions, packages, bodies, headers. */

const drawOf = (id: string): Draw => seededDraw(seedFrom(runOptions.seed, runOptions.namespace, id))

const spki = async (api: Client, usage: KeyUsage): Promise<Uint8Array> => {
  const { certificate } = await keyFor(api, usage)
  return spkiOf(certificateDer(api.codec, certificate))
}

const strangerSpki = (): Uint8Array =>
  new Uint8Array(createPublicKey(strangerKey('rsa')).export({ type: 'spki', format: 'der' }))

const keysOf = async (api: Client) => ({
  tokenSpki: await spki(api, 'SvcTokenEncryption'),
  sessionSpki: await spki(api, 'SymmetricKeyEncryption'),
  strangerSpki: strangerSpki(),
})

/** Entries of one rule are tried one after the other in one check: it names each that is not refused as it should. */
const byRule = <Entry extends Malformation>(entries: readonly Entry[]): [RuleId, Entry[]][] => {
  const groups = new Map<RuleId, Entry[]>()
  for (const entry of entries) groups.set(entry.rule, [...(groups.get(entry.rule) ?? []), entry])
  return [...groups]
}

const minutes = 60_000

for (const [id, entries] of byRule(authRequests()))
  test(...familyRule(id, 'malformed request', 'auth-request'), async ({ api, own, sign }) => {
    test.setTimeout(5 * minutes)
    for (const entry of entries) {
      const { challenge } = await fetchChallenge(api)
      const { xml } = entry.apply(own.request(challenge), drawOf(entry.id))
      // A document that no parser accepts cannot be signed; it is sent as it is.
      const document = entry.seenBy === 'schema' ? sign(xml) : xml
      expect.soft(await authenticate(api, document), entry.id).toBeRejected(entry.refusedAs)
    }
  })

for (const [id, entries] of byRule(tokenEnvelopes()))
  test(...familyRule(id, 'malformed request', 'token-envelope'), async ({ api, serviceToken }) => {
    test.setTimeout(5 * minutes)
    const { token, context } = await serviceToken()
    const keys = await keysOf(api)
    for (const entry of entries) {
      const { challenge, timestamp } = await fetchChallenge(api)
      const { encryptedToken } = entry.apply({ token, timestamp, ...keys }, drawOf(entry.id))
      const contextIdentifier = { type: context.type, value: context.value }
      const body = { challenge, contextIdentifier, encryptedToken }
      const answer = await api.call('auth.token', { body })
      const outcome = await outcomeOfAuthentication(api, answer)
      expect.soft(outcome, entry.id).toBeRejected(entry.refusedAs)
    }
  })

for (const [id, entries] of byRule(sessionKeys()))
  test(...familyRule(id, 'malformed request', 'session'), async ({ login }) => {
    test.setTimeout(5 * minutes)
    const { api } = await login()
    const keys = await keysOf(api)
    for (const entry of entries) {
      const draw = drawOf(entry.id)
      const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
      const { body } = entry.apply({ ...secret, ...keys, formCode: formCodes.fa3 }, draw)
      const answer = await api.call('sessions.openOnline', { body })
      const outcome = await outcomeOfOpening(api, answer)
      expect.soft(outcome, entry.id).toBeRejected(entry.refusedAs)
    }
  })

for (const [id, entries] of byRule(submissionMalformations()))
  test(...familyRule(id, 'malformed request', 'submission'), async ({ open, invoice }) => {
    test.setTimeout(5 * minutes)
    const desk = await open()
    const { key, iv, exchange } = desk.session
    const opening: unknown = JSON.parse(String(exchange.request.body))
    const { encryptedSymmetricKey } = fromWire(opening, 'OpenOnlineSession', desk.api.dialect) as {
      encryptedSymmetricKey: string
    }
    const wrappedKey = desk.api.codec.fromBase64(encryptedSymmetricKey)
    for (const entry of entries) {
      const draft = { xml: invoice().bytes, key, iv, wrappedKey }
      const { body, refusedAs } = entry.apply(draft, drawOf(entry.id))
      expect.soft(await outcomeOfSubmission(desk, body), entry.id).toBeRejected(refusedAs)
    }
  })

/** Announces a package, uploads what there is of it, and closes; the outcome up to the first refusal. */
const outcomeOfPackage = async (
  api: Client,
  secret: Secret,
  { batchFile, parts }: Package,
): Promise<WorkOutcome> => {
  const keyed = await encryptionFields(api, secret)
  const body = { formCode: formCodes.fa3, ...keyed, batchFile }
  const opened = await api.call('sessions.openBatch', { body })
  // An answer that is empty opens nothing, and is no refusal either.
  if (opened.status > 299 || opened.text === '') return opened
  const session = readBatchOpened(opened)
  for (const upload of session.uploads) {
    const bytes = parts[upload.ordinalNumber - 1]
    if (bytes === undefined) continue
    const uploaded = await callUpload(api, upload, bytes)
    if (uploaded.status > 299) return uploaded
  }
  const path = { referenceNumber: session.referenceNumber }
  const closed = await api.call('sessions.closeBatch', { path })
  return closed.status > 299 ? closed : settleSession(api, session, 'batchSession')
}

for (const [id, entries] of byRule(batches()))
  test(...familyRule(id, 'malformed request', 'package'), async ({ login, invoice }) => {
    test.setTimeout(5 * minutes)
    const { api } = await login()
    for (const entry of entries) {
      const draw = drawOf(entry.id)
      const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
      const archive = makeZip(filesOf([invoice(), invoice()]))
      const made = entry.apply({ archive, ...secret, partBytes: archive.length / 2 }, draw)
      expect.soft(await outcomeOfPackage(api, secret, made), entry.id).toBeRejected(entry.refusedAs)
    }
  })

/** Whether a body is one that the dialect takes: what is malformed in the contract's words need not be so in others. */
const conforms = (operation: OperationId, body: unknown, dialect: Dialect): boolean => {
  const schema = endpoint(operation).request?.schema
  if (schema === undefined) return false
  return schemaJudge(dialect).wireProblems(schema, toWire(body, schema, dialect)).length === 0
}

/** Operations that can be called at once: no resource in the path, and no permission that an owner lacks. */
const free = (operation: OperationId): boolean => {
  const { path, permissions = [] } = endpoint(operation)
  return !path.includes('{') && !(permissions.length === 1 && permissions[0] === 'VatUeManage')
}

const perContext = 15

/** Operations that change nothing, whatever their body. */
const reads = /query|queries|retrieve/i

const byOperation = new Map<OperationId, ReturnType<typeof jsonMalformations>>()
for (const entry of jsonMalformations().filter(({ operation }) => free(operation)))
  byOperation.set(entry.operation, [...(byOperation.get(entry.operation) ?? []), entry])

for (const [operation, entries] of byOperation) {
  const { environments } = endpoint(operation)
  // Only test data is offered in some environments and not in others.
  const family =
    environments === undefined ? 'malformed request' : 'malformed request for test data'
  test(
    ...familyRule('transport.malformed-body', family, operation),
    async ({ login, api, another, target }) => {
      test.setTimeout(5 * minutes)
      const { bearer } = wireOperation(operation, target.dialect)
      const there = environments === undefined || environments.includes(target.environment)
      test.skip(!there, `there is no ${operation} in this environment`)
      const broken = entries.flatMap((entry) => {
        const applied = entry.apply(entry.example)
        return applied === undefined || conforms(operation, applied.body, target.dialect)
          ? []
          : [{ ...entry, body: applied.body }]
      })
      const callAll = async (caller: Client, some: typeof broken): Promise<void> => {
        for (const { id, body, refusedAs } of some) {
          // A text would be sent as it is, and be no JSON at all.
          const sent = typeof body === 'string' ? JSON.stringify(body) : body
          const answer = await caller.call(operation, { body: sent })
          expect.soft(answer, id).toBeRefused(refusedAs)
        }
      }
      if (bearer !== 'access') return callAll(api, broken)
      // A context gets no more calls than the lowest limit per hour allows; the only one gets them over several hours.
      for (let place = 0; place < broken.length; place += perContext) {
        const context = place === 0 ? undefined : await ifOffered(another)
        const me = await login(context === undefined ? {} : { context })
        const some = broken.slice(place, place + perContext)
        if (reads.test(operation)) await callAll(me.api, some)
        else await leavesNothing(me.api, () => callAll(me.api, some))
      }
    },
  )
}

for (const [id, entries] of byRule(jsonTexts))
  test(...familyRule(id, 'malformed request', 'json-text'), async ({ api, own }) => {
    const { challenge } = await fetchChallenge(api)
    const contextIdentifier = { type: own.type, value: own.value }
    const json = JSON.stringify({ challenge, contextIdentifier, encryptedToken: 'AAAA' })
    for (const entry of entries) {
      const answer = await api.call('auth.token', { body: entry.write(json) })
      expect.soft(answer, entry.id).toBeRefused(entry.refusedAs)
    }
  })

for (const [id, entries] of byRule(headerMalformations()))
  test(...familyRule(id, 'malformed request', 'headers'), async ({ login }) => {
    test.setTimeout(5 * minutes)
    const { api, accessToken } = await login()
    const good = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    for (const entry of entries) {
      const made = entry.apply(good)
      const answer =
        entry.on === 'protected'
          ? await api.call('limits.context', {
              bearer: null,
              headers: { authorization: made['authorization'] },
            })
          : await api.call('queries.metadata', {
              headers: { 'content-type': made['content-type'] },
              body: '{}',
            })
      expect.soft(answer, entry.id).toBeRefused(entry.refusedAs)
    }
  })
