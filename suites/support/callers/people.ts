import { environments } from '../../../contract/environments.ts'
import { fingerprint } from '../../../lib/node/certificate.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { anonymousSubject, makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { contextWith } from '../service/contexts.ts'
import type { OwnContext } from '../service/contexts.ts'
import type { Identifier } from './grants.ts'
import { NotOffered } from '../run/not-offered.ts'
import { noteMade } from '../run/own-work.ts'
import type { Target } from '../service/target.ts'

type Service = Pick<Target, 'now' | 'environment'>

/** A person who can get permissions in the context of another. */
export interface Person {
  readonly subject: Identifier
  /** The context of the other, with the credentials of the person. */
  readonly context: OwnContext
}

/** Logs in with a certificate that the check signs itself, where the service accepts such. */
const accepted = (context: OwnContext, { environment }: Service): OwnContext =>
  environments[environment].selfSigned
    ? context
    : {
        ...context,
        document: () =>
          Promise.reject(
            new NotOffered('the target does not offer: a login with a self-signed certificate'),
          ),
      }

/** A person whose certificate names no identifier: the SHA-256 of the certificate identifies the holder. */
const personByPrint = (context: Context, rng: Rng, target: Service): Person => {
  const credentials = makeCertificate({
    subject: anonymousSubject(`Bezimienna ${rng.digits(6)}`),
    now: target.now(),
  })
  const whose = accepted(contextWith(context, credentials, target.now), target)
  const value = fingerprint(credentials.certificate)
  noteMade(value)
  return {
    subject: { type: 'Fingerprint', value },
    context: {
      ...whose,
      document: (challenge, options) =>
        whose.document(challenge, { ...options, subjectIdentifierType: 'certificateFingerprint' }),
    },
  }
}

/** A person with a certificate, and the context that the person logs in to. */
export const personAt = (
  { type, value }: Context,
  rng: Rng,
  target: Service,
  kind: 'Nip' | 'Pesel' | 'Fingerprint' = 'Nip',
): Person => {
  if (kind === 'Fingerprint') return personByPrint({ type, value }, rng, target)
  const known = kind === 'Nip' ? { nip: drawNip(rng) } : { pesel: drawPesel(rng) }
  const credentials = makeCertificate({ subject: personSubject(known), now: target.now() })
  const holder = Object.values(known)[0] ?? ''
  noteMade(holder)
  return {
    subject: { type: kind, value: holder },
    context: accepted(contextWith({ type, value }, credentials, target.now), target),
  }
}
