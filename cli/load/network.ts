import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rootCertificates } from 'node:tls'
import type { TargetProfile } from '../../lib/node/target.ts'
import { loadNeedsConsent } from '../../lib/node/target-send.ts'
import type { Reach } from '../../load/assignment.ts'
import type { Io } from '../io.ts'

/** How k6 reaches the service of a profile: its scripts read the assignment, and Go reads the environment. */

export const reachOf = (profile: TargetProfile): Reach => {
  const { headers, timeoutMs, consent } = profile
  return {
    ...(headers === undefined ? {} : { headers }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(consent === undefined || !loadNeedsConsent(profile) ? {} : { consent }),
  }
}

/**
 * PEM certificates of the usual authorities and those of a profile, as Node trusts them.
 * @param bundle of the file that this one replaces
 */
export const authoritiesWith = async (ca: string, bundle = ''): Promise<string> => {
  const replaced = bundle === '' ? '' : await readFile(bundle, 'utf8').catch(() => '')
  return [...rootCertificates, replaced, ca, ''].join('\n')
}

/** A proxy of the profile holds whatever the environment excludes, but not for the management port. */
const proxyVariables = (proxy: string, management: string | undefined) => ({
  HTTPS_PROXY: proxy,
  HTTP_PROXY: proxy,
  NO_PROXY: management === undefined ? '' : new URL(management).host,
  // Go reads it where the other is empty.
  no_proxy: '',
})

/** Variables for k6: the authorities that it trusts, in a file of the directory, and the proxy. */
export const networkOf = async (
  { ca, proxy, management }: TargetProfile,
  directory: string,
  env: Io['env'],
): Promise<Readonly<Record<string, string>>> => {
  const file = path.join(directory, 'authorities.pem')
  if (ca !== undefined) await writeFile(file, await authoritiesWith(ca, env['SSL_CERT_FILE']))
  return {
    ...(ca === undefined ? {} : { SSL_CERT_FILE: file }),
    ...(proxy === undefined ? {} : proxyVariables(proxy, management)),
  }
}
