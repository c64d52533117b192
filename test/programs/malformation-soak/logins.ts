import fc from 'fast-check'
import { authRequest } from '../../../generators/requests/auth-request.ts'
import { signedRequests } from '../../../generators/faults/signed-request.ts'
import { seedFrom, createRng } from '../../../lib/random.ts'
import { seededDraw } from '../../../generators/draw/draw.ts'
import { authRequests, isValidAuthRequest } from '../../../generators/faults/auth-request.ts'
import { tokenEnvelope } from '../../../generators/requests/token-envelope.ts'
import { tokenEnvelopes } from '../../../generators/faults/token-envelope.ts'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { authRequestXml } from '../../../lib/node/auth-request.ts'
import { makeCertificate, sealSubject } from '../../../lib/node/pki.ts'
import { signXades } from '../../../lib/node/xades.ts'
import { xsdValidator } from '../../../lib/node/xsd.ts'
import { contextWith } from '../../../suites/support/service/contexts.ts'
import { authenticate, outcomeOfAuthentication } from '../../../suites/support/steps/steps.ts'
import { complaintAbout, openBench } from './bench.ts'
import { isOurs, tried } from './tried.ts'
import type { SoakOptions, Tried } from './tried.ts'

/** Every class of malformed login: requests, signatures, and tokens in their envelope. */

const minute = 60_000

/** What libxmljs2 says of an unsigned request, without the signature that it lacks. */
const objectionsTo = (xml: string): string[] =>
  xsdValidator(xml.includes('/2.0"') ? 'auth-2.0' : 'auth-2.1').problems(xml)

/** Requests for authentication with one fault, signed where a signature is possible. */
export async function* soakAuthRequests(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = authRequests().filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  for (const entry of classes) {
    const counter = tried(entry)
    for (let n = 0; n < each; n++) {
      const own = seedFrom(seed, entry.id, n)
      const { challenge, timestamp } = await fetchChallenge(bench.api)
      const [request] = fc.sample(authRequest(challenge), { seed: own, numRuns: 1 })
      const good = authRequestXml(request!)
      const { xml } = entry.apply(good, seededDraw(own))
      if (xml === good) {
        counter.skip()
        continue
      }
      if (entry.seenBy === 'schema') {
        if (isValidAuthRequest(xml)) counter.complain(`seed ${own}: our validator takes ${xml}`)
        if (objectionsTo(good).length > 0)
          counter.complain(`seed ${own}: libxmljs2 refuses the good one: ${objectionsTo(good)[0]}`)
        if (objectionsTo(xml).length === 0) counter.complain(`seed ${own}: libxmljs2 takes ${xml}`)
      }
      const { credentials } = bench.own
      const signingTime = timestamp - minute
      const document =
        entry.seenBy === 'schema' ? signXades(xml, { credentials, signingTime }) : xml
      bench.news()
      const ended = await authenticate(bench.api, document)
      const complaint = complaintAbout(bench, ended, entry.refusedAs)
      counter.count(complaint && `seed ${own}: ${complaint}; ${xml.slice(0, 600)}`)
    }
    yield counter.done()
  }
  await bench.close()
}

/** Forged signatures: of seals and with keys of both kinds. */
export async function* soakSignatures(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = signedRequests.filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  const { api } = bench
  const rng = createRng(`soak ${seed}`)
  const now = () => api.now()
  const people = (['p256', 'rsa', 'p256'] as const).map((keys) => {
    const nip = drawNip(rng)
    const credentials = makeCertificate({ subject: sealSubject(nip), now: now(), keys })
    return contextWith({ type: 'Nip', value: nip }, credentials, now)
  })
  for (const entry of classes) {
    const counter = tried(entry)
    for (let n = 0; n < each; n++) {
      const [own, other] = [people[n % 3]!, people[(n + 1) % 3]!]
      const { challenge, timestamp } = await fetchChallenge(api)
      const { challenge: otherChallenge } = await fetchChallenge(api)
      const document = entry.apply({
        credentials: own.credentials,
        challenge,
        otherChallenge,
        context: { type: own.type, value: own.value },
        otherContext: { type: other.type, value: other.value },
        signingTime: timestamp - minute,
      })
      bench.news()
      const ended = await authenticate(api, document)
      const complaint = complaintAbout(bench, ended, entry.refusedAs)
      counter.count(complaint && `document ${n}: ${complaint}`)
    }
    yield counter.done()
  }
  await bench.close()
}

/** Service tokens in a wrong envelope; a right one in between must log in. */
export async function* soakTokens(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = tokenEnvelopes().filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  const { api, own, serviceToken: token, keys } = bench
  const send = async (challenge: string, encryptedToken: string) => {
    const contextIdentifier = { type: own.type, value: own.value }
    const body = { challenge, contextIdentifier, encryptedToken }
    bench.news()
    return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
  }
  for (const entry of classes) {
    const counter = tried(entry)
    for (let n = 0; n < each; n++) {
      const seedHere = seedFrom(seed, entry.id, n)
      const { challenge, timestamp } = await fetchChallenge(api)
      const draft = { token, timestamp, ...keys }
      const { encryptedToken } = entry.apply(draft, seededDraw(seedHere))
      const ended = await send(challenge, encryptedToken)
      const complaint = complaintAbout(bench, ended, entry.refusedAs)
      counter.count(complaint && `seed ${seedHere}: ${complaint}`)
    }
    const { challenge, timestamp } = await fetchChallenge(api)
    const right = await send(challenge, tokenEnvelope({ token, timestamp, ...keys }))
    if ('request' in right || !right.succeeded) counter.complain('a right envelope is refused')
    yield counter.done()
  }
  await bench.close()
}
