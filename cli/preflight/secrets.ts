import { X509Certificate } from 'node:crypto'
import path from 'node:path'
import { secretRemarks } from '../../lib/node/profile-secrets.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { isLoopback } from '../../lib/node/target.ts'
import type { Io } from '../io.ts'
import { sound } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'

/** Careless handling of secrets: it prevents no run, but the user should know. */

const warning = (id: string, found: string, advice: string): Diagnosis => ({
  id,
  ok: false,
  warning: true,
  found,
  advice,
})

/** Certificates that a public authority issued, in a test environment that takes self-signed ones. */
const realCertificates = ({ environment, contexts = [] }: TargetProfile): Diagnosis[] =>
  environment !== 'test'
    ? []
    : contexts.flatMap(({ kind, value, credentials }) => {
        if (credentials === undefined) return []
        const { issuer, subject } = new X509Certificate(credentials.certificate)
        // Authorities for tests say so in their names.
        if (issuer === subject || /test/i.test(issuer)) return []
        const by = issuer.split('\n').find((part) => /^(?:CN|O)=/.test(part)) ?? issuer
        return warning(
          `secret.production ${kind} ${value}`,
          `the certificate is issued by ${by}: it authenticates in production too`,
          'use a self-signed certificate in the test environment (`seal`), which opens nothing else',
        )
      })

/**
 * Remarks on the secrets of a target; one line when there is nothing to remark.
 * @param target as named on the command line: an address has no secrets
 */
export const secretDiagnoses = (
  target: string,
  profile: TargetProfile,
  { cwd }: Pick<Io, 'cwd'>,
): Diagnosis[] => {
  if (/^https?:/.test(target)) return []
  const { environment = 'test', url } = profile
  const remarks = [
    ...secretRemarks(path.resolve(cwd, target), environment).map(
      ({ kind, member, found, advice }) => warning(`secret.${kind} ${member}`, found, advice),
    ),
    ...(isLoopback(url) ? [] : realCertificates(profile)),
  ]
  return remarks.length > 0
    ? remarks
    : [sound('secrets', 'none in the profile, none readable by others')]
}
