import type { X509Certificate } from 'node:crypto'
import { parseCertificate } from '../base/certificate.ts'
import { attributesOf } from '../login/subject.ts'
import type { Authentication } from '../model/entities.ts'
import type { State } from '../model/state.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { day } from './spans.ts'
import { accepts, refuses } from './rewrite.ts'
import { logIn } from './signed-documents.ts'

/** Defects in reading the certificates of callers who log in with a document. */

/** The certificate in a signed document. */
const certificateIn = (bytes: Uint8Array): X509Certificate | undefined => {
  const [, text] = /X509Certificate>([^<]+)</.exec(Buffer.from(bytes).toString()) ?? []
  return text === undefined ? undefined : parseCertificate(Buffer.from(text, 'base64'))
}

/** Certificates whose subject has its number in a form that the service does not read. */
export const cannotReadSubject = (form: RegExp): Mutant =>
  refuses(['auth.xades'], 'certificate-without-identifier', ({ bytes }) =>
    form.test(certificateIn(bytes)?.subject ?? ''),
  )

/** Accepts certificates whose subject has no identifier in a form of this service, but one like it. */
export const alsoReads = (form: RegExp): Mutant =>
  accepts(['auth.xades'], ['certificate-without-identifier'], (call) => {
    const certificate = certificateIn(call.bytes)
    const attributes = certificate && attributesOf(certificate)
    const named = [attributes?.serialNumber, attributes?.organizationIdentifier]
    return named.some((one) => one !== undefined && form.test(one)) ? logIn(call) : undefined
  })

export const certificatesWithin = (from: number, to: number): Mutant => ({
  at: ['authentication'],
  policy: {
    certificateInDates: (begins, ends, at) =>
      policy.certificateInDates(begins + from, ends + to, at),
  },
})

/** The parameter counts as true when it is present, whatever its value. */
export const chainByName = (): Mutant => {
  let isNamed = false
  return {
    exchange(running, next) {
      isNamed = running.exchange.path.includes('verifyCertificateChain=')
      return next(running)
    },
    call: (call, next) =>
      next(
        call.operation === 'auth.xades' && isNamed
          ? { ...call, query: { ...call.query, verifyCertificateChain: true } }
          : call,
      ),
  }
}

/** The validity of a certificate is compared with the time that its signer states. */
export const datesAtSigning = (): Mutant => {
  let signed = 0
  return {
    policy: {
      signingTimeFits(signedAt, now) {
        signed = signedAt
        return policy.signingTimeFits(signedAt, now)
      },
      certificateInDates: (from, to) => policy.certificateInDates(from, to, signed),
    },
  }
}

/** Certificates with the validity of those that the service issues are accepted before their validity begins. */
export const ownBeforeTheirStart: Mutant = {
  at: ['authentication'],
  policy: {
    certificateInDates: (from, to, at) =>
      policy.certificateInDates(to - from === policy.certificateDays(2) * day ? 0 : from, to, at),
  },
}

/** Logins with a certificate that names nobody succeed, although they were to fail. */
export const letsNamelessIn = (
  failure: number,
  when: (login: Authentication, state: State) => boolean = () => true,
): Mutant => ({
  tables: {
    authentications: {
      write: (next, _before, state) =>
        next.status.code === failure && next.subject?.type === 'Fingerprint' && when(next, state)
          ? { ...next, status: { code: 200, description: 'succeeded' } }
          : next,
    },
  },
})

/** Whether a certificate with the same subject has been let into the context. */
export const knownByItsSubject = (login: Authentication, { authentications }: State): boolean =>
  [...authentications.values()].some(
    ({ attributes, context, status }) =>
      status.code === 200 &&
      attributes?.commonName === login.attributes?.commonName &&
      context.value === login.context.value,
  )

/** Fingerprints are compared by their beginnings. */
export const beginningSuffices: Mutant = {
  tables: {
    authentications: {
      write(next, _before, { grants }) {
        const own = next.subject
        if (own?.type !== 'Fingerprint') return next
        const alike = [...grants.values()].find(
          ({ subject }) =>
            subject.type === 'Fingerprint' && subject.value.slice(0, 32) === own.value.slice(0, 32),
        )
        return alike === undefined ? next : { ...next, subject: alike.subject }
      },
    },
  },
}
