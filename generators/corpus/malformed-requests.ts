import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { drawReference } from '../../lib/identifiers/reference-number.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { authRequestXml } from '../../lib/node/auth-request.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { seedFrom } from '../../lib/random.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import type { Draw } from '../draw/draw.ts'
import { drawBytes, seededDraw } from '../draw/draw.ts'
import { drawRsaKey } from '../draw/rsa-key.ts'
import { archives } from '../faults/archive.ts'
import { authRequests } from '../faults/auth-request.ts'
import { batches } from '../faults/batch.ts'
import { submissionMalformations } from '../faults/catalogue.ts'
import { headerMalformations } from '../faults/headers.ts'
import { jsonMalformations } from '../faults/json.ts'
import { jsonTexts } from '../faults/json-texts.ts'
import type { Fault, Malformation } from '../faults/malformation.ts'
import { sessionKeys } from '../faults/session-key.ts'
import { signedRequests } from '../faults/signed-request.ts'
import { tokenEnvelopes } from '../faults/token-envelope.ts'
import { goodArchive } from '../requests/package.ts'
import type { Secret } from '../requests/payload.ts'
import { base64 } from '../requests/payload.ts'
import { corpusDocument, sha256Hex, shownFault } from './corpus.ts'
import type { CorpusOptions } from './corpus.ts'
import type { WrittenDocument } from './write.ts'

/** Malformed requests of every layer but the invoices: logins, sessions, submissions, packages, bodies, headers. */

/** A request with a fault, as it would be sent. */
interface Made {
  /** Extension of the file. */
  readonly as: 'xml' | 'json' | 'zip'
  readonly bytes: Uint8Array
  readonly fault: Fault
  readonly beside?: WrittenDocument['beside']
}

/** What the requests of one run share. */
interface Bench {
  readonly options: CorpusOptions
  readonly secret: Secret
  readonly keys: ReturnType<typeof serviceKeys>
  /** Keys of the signers. RSA, because its signatures are the same each time. */
  readonly signers: { readonly own: KeyObject; readonly other: KeyObject }
}

interface Entry extends Malformation {
  readonly make: (bench: Bench, draw: Draw, index: number) => Made
}

const day = '2026-06-15'
const instant = Date.parse(`${day}T08:00:00Z`)
const utf8 = new TextEncoder()
const json = (value: unknown) => utf8.encode(`${JSON.stringify(value, undefined, 2)}\n`)

/** Keys that replace the service's: their private halves can decrypt what is encrypted for them. */
function serviceKeys(draw: Draw) {
  const [session, token, stranger] = [drawRsaKey(draw), drawRsaKey(draw), drawRsaKey(draw)]
  const spki = (key: KeyObject) =>
    new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' }))
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    sessionSpki: spki(session),
    tokenSpki: spki(token),
    strangerSpki: spki(stranger),
    file: json({ session: pem(session), token: pem(token), stranger: pem(stranger) }),
  }
}

/** The same keys, with padding from a draw. */
const recipients = ({ keys }: Bench, draw: Draw) => ({
  ...keys,
  random: (count: number) => drawBytes(draw, count),
})

const challengeOf = (draw: Draw) => drawReference(draw, 'challenge', day)
const invoiceOf = ({ options }: Bench, index: number) => corpusDocument(options, index).bytes

/** Requests for authentication, before and after the signature. */
function logins(): Entry[] {
  return [
    ...authRequests().map((entry): Entry => ({
      ...entry,
      make: (_, draw) => {
        const good = authRequestXml({
          challenge: challengeOf(draw),
          context: { type: 'Nip', value: drawNip(draw) },
          subjectIdentifierType: 'certificateSubject',
        })
        const { xml, fault } = entry.apply(good, draw)
        return { as: 'xml', bytes: utf8.encode(xml), fault }
      },
    })),
    ...signedRequests.map((entry): Entry => ({
      ...entry,
      make: ({ signers }, draw) => {
        const nip = drawNip(draw)
        const made = entry.apply({
          credentials: makeCertificate({
            subject: sealSubject(nip),
            now: instant,
            privateKey: signers.own,
            serialNumber: drawBytes(draw, 15),
          }),
          otherKey: signers.other,
          challenge: challengeOf(draw),
          otherChallenge: challengeOf(draw),
          context: { type: 'Nip', value: nip },
          otherContext: { type: 'Nip', value: drawNip(draw) },
          signingTime: instant - 60_000,
        })
        const bytes = typeof made === 'string' ? utf8.encode(made) : made
        return { as: 'xml', bytes, fault: { path: '(signature)', new: entry.summary } }
      },
    })),
    ...tokenEnvelopes().map((entry): Entry => ({
      ...entry,
      make: (bench, draw) => {
        const token = base64(drawBytes(draw, 30))
        const draft = { token, timestamp: instant, ...recipients(bench, draw) }
        const { encryptedToken, fault } = entry.apply(draft, draw)
        const contextIdentifier = { type: 'Nip', value: drawNip(draw) }
        const body = { challenge: challengeOf(draw), contextIdentifier, encryptedToken }
        return { as: 'json', bytes: json(body), fault }
      },
    })),
  ]
}

/** Openings of sessions, submissions, packages and archives. */
function sessions(): Entry[] {
  return [
    ...sessionKeys().map((entry): Entry => ({
      ...entry,
      make: (bench, draw) => {
        const { formCode } = invoiceSchemas[bench.options.schema]
        const draft = { ...bench.secret, ...recipients(bench, draw), formCode }
        const { body, fault } = entry.apply(draft, draw)
        return { as: 'json', bytes: json(body), fault }
      },
    })),
    ...submissionMalformations().map((entry): Entry => ({
      ...entry,
      make: (bench, draw, index) => {
        const draft = { ...bench.secret, xml: invoiceOf(bench, index) }
        const { body, fault } = entry.apply({ ...draft, wrappedKey: drawBytes(draw, 256) }, draw)
        return { as: 'json', bytes: json(body), fault }
      },
    })),
    ...batches().map((entry): Entry => ({
      ...entry,
      make: (bench, draw, index) => {
        const archive = goodArchive({ 'faktura-1.xml': invoiceOf(bench, index) })
        const partBytes = Math.ceil(archive.length / 2)
        const { batchFile, parts, fault } = entry.apply(
          { archive, ...bench.secret, partBytes },
          draw,
        )
        const beside = parts.flatMap((bytes, i) =>
          bytes === undefined ? [] : [{ file: `part-${i + 1}`, bytes }],
        )
        return { as: 'json', bytes: json({ batchFile }), fault, beside }
      },
    })),
    ...archives().map((entry): Entry => ({
      ...entry,
      make: (bench, draw, index) => {
        const { archive, fault } = entry.apply({ 'faktura-1.xml': invoiceOf(bench, index) }, draw)
        return { as: 'zip', bytes: archive, fault }
      },
    })),
  ]
}

const goodHeaders = { 'content-type': 'application/json', accept: 'application/json' }

/** JSON bodies and headers. */
function calls(): Entry[] {
  const [example] = jsonMalformations()
  return [
    ...jsonMalformations().map((entry): Entry => ({
      ...entry,
      make: () => {
        const { body, fault } = entry.apply(entry.example)!
        return { as: 'json', bytes: json(body), fault }
      },
    })),
    ...jsonTexts.map((entry): Entry => ({
      ...entry,
      make: () => ({
        as: 'json',
        bytes: utf8.encode(entry.write(JSON.stringify(example?.example ?? {}))),
        fault: { path: '/', new: entry.summary },
      }),
    })),
    ...headerMalformations().map((entry): Entry => ({
      ...entry,
      make: (_, draw) => {
        const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
        const signature = Buffer.from(drawBytes(draw, 64)).toString('base64url')
        const token = `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ exp: instant / 1000 })}.${signature}`
        const headers = entry.apply({ ...goodHeaders, authorization: `Bearer ${token}` })
        return {
          as: 'json',
          bytes: json(headers),
          fault: { path: '(headers)', new: entry.summary },
        }
      },
    })),
  ]
}

/** Every class of malformed request that is not an invoice. */
export const requestMalformations = (): readonly Entry[] => [...logins(), ...sessions(), ...calls()]

/** Malformed requests: the given classes in turn. Keys, padding and signatures follow from the seed too. */
export function* malformedRequests(
  options: CorpusOptions,
  entries: readonly Entry[],
  secret: Secret,
  from = 0,
): Generator<WrittenDocument> {
  const keyDraw = seededDraw(seedFrom(options.seed, 'keys'))
  const bench: Bench = {
    options,
    secret,
    keys: serviceKeys(keyDraw),
    signers: { own: drawRsaKey(keyDraw), other: drawRsaKey(keyDraw) },
  }
  for (let index = from; index < options.count; index++) {
    const entry = entries[index % entries.length]!
    const seed = seedFrom(options.seed, entry.id, index)
    const { as, bytes, fault, beside = [] } = entry.make(bench, seededDraw(seed), index)
    const name = `${entry.of}-${String(index).padStart(6, '0')}`
    const keys = index === from ? [{ file: 'service-keys.json', bytes: bench.keys.file }] : []
    yield {
      bytes,
      beside: [...keys, ...beside.map((each) => ({ ...each, file: `${name}.${each.file}` }))],
      line: {
        file: `${name}.${as}`,
        schema: options.schema,
        seed,
        kind: entry.of,
        bytes: bytes.length,
        sha256: sha256Hex(bytes),
        malformation: entry.id,
        rule: entry.rule,
        expect: entry.refusedAs,
        fault: shownFault(fault),
      },
    }
  }
}
