import type { X509Certificate } from 'node:crypto'
import { parseCertificate } from '../base/certificate.ts'
import { reached } from '../base/wording.ts'
import { attributesOf } from '../login/subject.ts'
import { keyOf } from '../model/entities.ts'
import type { Authentication } from '../model/entities.ts'
import type { State } from '../model/state.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { day } from './spans.ts'
import { accepts, refuses } from './rewrite.ts'
import { logIn } from './signed-documents.ts'

/** Defects in reading the certificates of callers who log in with a document. */

/** The certificates in a signed document, in their order. */
export const certificatesIn = (bytes: Uint8Array): X509Certificate[] =>
  [
    ...Buffer.from(bytes)
      .toString()
      .matchAll(/[<:]X509Certificate>([^<]+)</g),
  ].map(([, text = '']) => parseCertificate(Buffer.from(text, 'base64')))

/** The first certificate in a signed document. */
export const certificateIn = (bytes: Uint8Array): X509Certificate | undefined =>
  certificatesIn(bytes)[0]

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

type When = (login: Authentication, state: State) => boolean

/** Authentications that end with another status than they were to. */
const endsOtherwise = (due: number, code: number, when: When): Mutant => ({
  tables: {
    authentications: {
      write: (next, _before, state) =>
        next.status.code === due && when(next, state)
          ? { ...next, status: { code, description: 'as the defect has it' } }
          : next,
    },
  },
})

/** Logins that succeed, although they were to fail. */
export const letsIn = (failure: number, when: When): Mutant => endsOtherwise(failure, 200, when)

/** Logins by document that fail because of their certificate, although they were to succeed. */
export const keepsOut = (when: When): Mutant =>
  endsOtherwise(200, 460, (login, state) => login.method !== 'Token' && when(login, state))

/** Logins with a certificate that names nobody succeed, although they were to fail. */
export const letsNamelessIn = (failure: number, when: When = () => true): Mutant =>
  letsIn(failure, (login, state) => login.subject?.type === 'Fingerprint' && when(login, state))

/** A login needs a permission for invoices: of those who hold others alone, none gets in. */
export const withInvoicesAlone = (...kinds: readonly string[]): Mutant =>
  endsOtherwise(200, 415, ({ subject, context }, { grants }) => {
    const all = subject === undefined ? [] : grants.by('subject', keyOf(subject))
    const held = all.filter((grant) => grant.context.value === context.value)
    return (
      kinds.includes(subject?.type ?? '') &&
      held.length > 0 &&
      !held.some(({ permission }) => permission.startsWith('Invoice'))
    )
  })

const byOwnCertificate = ({ credential }: Authentication): boolean =>
  credential === 'InternalCertificate'

/** A further certificate of a subject, of either purpose, ends those before it. */
export const newestOnly: Mutant = keepsOut(({ fingerprint, subject }, { certificates }) => {
  const all = [...certificates.values()].filter((one) => one.subject.value === subject?.value)
  return (
    all.some((one) => one.fingerprint === fingerprint) && all.at(-1)?.fingerprint !== fingerprint
  )
})

/** A certificate of the service is no good where its subject has but permissions. */
export const ownContextsOnly: Mutant = keepsOut(
  (login) => byOwnCertificate(login) && login.context.value !== login.subject?.value,
)

/** Certificates that are no longer accepted from an instant on. */
export const endsWithTokens = (end: number, of: 'issued' | 'nameless'): Mutant =>
  keepsOut(
    (login) =>
      login.startedAt >= end &&
      (of === 'issued' ? byOwnCertificate(login) : login.subject?.type === 'Fingerprint'),
  )

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

/** A fingerprint that signed in once in a context may sign in there ever after. */
export const knownOnceGranted = (): Mutant => {
  const known = new Set<string>()
  return {
    at: ['authentication'],
    tables: {
      authentications: {
        write(next) {
          if (next.subject?.type !== 'Fingerprint') return next
          const name = `${keyOf(next.subject)} ${keyOf(next.context)}`
          if (next.status.code === 200) known.add(name)
          return next.status.code === 415 && known.has(name)
            ? { ...next, status: reached('authentication', 200) }
            : next
        },
      },
    },
  }
}

/** Certificates of persons need no authority, in whichever environment. */
export const personsEverywhere: Mutant = {
  at: ['authentication'],
  tables: {
    authentications: {
      write(next) {
        const { subject = '' } =
          next.certificate === undefined
            ? {}
            : parseCertificate(Buffer.from(next.certificate, 'base64'))
        return next.status.code === 460 && /^(GN|SN)=/m.test(subject)
          ? { ...next, status: reached('authentication', 200) }
          : next
      },
    },
  },
}

/** Permissions of fingerprints count where test data grant them, and no others do. */
export const grantedByTestDataAlone: Mutant = {
  at: ['authentication'],
  tables: {
    grants: {
      find: (found) =>
        found.filter(({ kind, subject: { type } }) => kind !== 'person' || type !== 'Fingerprint'),
    },
  },
}
