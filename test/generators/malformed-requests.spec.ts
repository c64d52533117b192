import { constants, createPrivateKey, createPublicKey, privateDecrypt } from 'node:crypto'
import { expect, test } from '@playwright/test'
import {
  malformedRequests,
  requestMalformations,
} from '../../generators/corpus/malformed-requests.ts'
import type { WrittenDocument } from '../../generators/corpus/write.ts'
import { drawBytes, seededDraw } from '../../generators/draw/draw.ts'
import { drawRsaKey } from '../../generators/draw/rsa-key.ts'
import { wrap } from '../../generators/requests/wrap.ts'
import type { Wrapping } from '../../generators/requests/wrap.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

/** Malformed requests as `assay generate` writes them: keys, padding and signatures follow from the seed. */

const { seed } = runOptions
const draw = seededDraw(seed)
const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
/** The layers whose requests are signed, or encrypted for the service. */
const keyed = requestMalformations().filter(({ layer }) =>
  ['signature', 'token', 'session'].includes(layer),
)

function written(from = 0): WrittenDocument[] {
  const options = { seed, namespace: 'test', schema: 'fa3', count: keyed.length } as const
  return [...malformedRequests(options, keyed, secret, from)]
}

const bodyOf = ({ bytes }: WrittenDocument) =>
  JSON.parse(Buffer.from(bytes).toString()) as Record<string, string>

test('the same seed gives the same bytes, also where an interrupted run continues', () => {
  const whole = written()
  expect(whole).toHaveLength(keyed.length)
  const rest = whole.length - 3
  const [first, ...others] = written(rest)
  expect(first!.beside?.[0], 'service-keys.json').toEqual(whole[0]!.beside?.[0])
  expect([first!.bytes, ...others.map(({ bytes }) => bytes)]).toEqual(
    whole.slice(rest).map(({ bytes }) => bytes),
  )
  for (const [place, { line }] of written().entries())
    expect(line.sha256, line.malformation).toBe(whole[place]!.line.sha256)
})

test('service-keys.json opens what the requests encrypt', () => {
  const documents = written()
  const { session } = JSON.parse(
    Buffer.from(
      documents[0]!.beside!.find(({ file }) => file === 'service-keys.json')!.bytes,
    ).toString(),
  ) as { session: string }
  const wrongVector = documents.find(
    ({ line }) => line.malformation === 'session:initVector/8-bytes',
  )!
  const { encryptedSymmetricKey } = bodyOf(wrongVector)
  const opened = privateDecrypt(
    { key: session, oaepHash: 'sha256' },
    Buffer.from(encryptedSymmetricKey!, 'base64'),
  )
  expect(opened).toEqual(Buffer.from(secret.key))
})

test('keys are drawn, and each padding decrypts according to its standard', () => {
  const key = drawRsaKey(seededDraw(seed))
  const jwk = key.export({ format: 'jwk' })
  expect(drawRsaKey(seededDraw(seed)).export({ format: 'jwk' })).toEqual(jwk)
  expect(drawRsaKey(seededDraw(seed ^ 1)).export({ format: 'jwk' }).n).not.toBe(jwk.n)
  expect(createPrivateKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails).toMatchObject({
    modulusLength: 2048,
    publicExponent: 65_537n,
  })
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const keys = { sessionSpki: spki, tokenSpki: spki, strangerSpki: spki }
  const plain = drawBytes(draw, 48)
  const sealed = (how: Wrapping) => Buffer.from(wrap(plain, keys, 'token', how))
  for (const hash of ['sha1', 'sha256', 'sha512'] as const)
    expect(privateDecrypt({ key, oaepHash: hash }, sealed(`oaep-${hash}`)), hash).toEqual(
      Buffer.from(plain),
    )
  const padded = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, sealed('pkcs1'))
  expect([...padded.subarray(0, 2)]).toEqual([0, 2])
  expect(padded.indexOf(0, 2)).toBe(padded.length - plain.length - 1)
  expect(padded.subarray(-plain.length)).toEqual(Buffer.from(plain))
})
