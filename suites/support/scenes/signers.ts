import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import type { Credentials } from '../../../lib/node/pki.ts'
import { appointForEu, appointHead } from '../callers/administrators.ts'
import type { OwnContext } from '../service/contexts.ts'
import { obtainCertificate } from '../callers/enrolment.ts'
import type { Fixtures as All } from '../harness/fixtures.ts'
import { grantPerson } from '../callers/grants.ts'
import { personAt } from '../callers/people.ts'

/** Everybody who signs in with a document, besides a taxpayer with its own seal. */

type Scene = Pick<All, 'api' | 'own' | 'login' | 'rng' | 'target'>

/** The same caller, who signs with other credentials. */
export const signingWith = (context: OwnContext, credentials: Credentials): OwnContext => ({
  ...context,
  document: (challenge, options) => context.document(challenge, { credentials, ...options }),
})

/** Each of them, by what they are, with the context to sign in to and permissions there. */
export const signersOf = async ({
  own,
  login,
  rng,
  target,
}: Scene): Promise<Readonly<Record<string, OwnContext>>> => {
  const me = await login()
  const signers: Record<string, OwnContext> = {}
  for (const kind of ['Nip', 'Pesel', 'Fingerprint'] as const) {
    const { subject, context } = personAt(own, rng, target, kind)
    await grantPerson(me.api, subject, ['InvoiceRead'])
    signers[`a person by ${kind}`] = context
    if (kind !== 'Pesel') continue
    const subjectOf = personSubject({ pesel: subject.value })
    const credentials = makeCertificate({ subject: subjectOf, now: target.now(), keys: 'p256' })
    signers['a person with an elliptic-curve key'] = signingWith(context, credentials)
  }
  const { credentials } = await obtainCertificate(me.api)
  signers['a certificate of the service'] = signingWith(own, credentials)
  signers['an administrator in a unit'] = await appointHead({ me, rng, target })
  signers['an administrator in an EU entity'] = await appointForEu({ me, rng, target })
  return signers
}
