import type { Unreachable } from '../../lib/node/fetch.ts'
import { fault } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'

/** Why a connection failed, by the code that Node reports: which layer, what was seen, what to do. */
const rows: readonly {
  readonly codes: RegExp
  readonly id: string
  readonly found: (host: string, within: string) => string
  readonly advice: string
}[] = [
  {
    codes: /^(?:ENOTFOUND|EAI_AGAIN)$/,
    id: 'target.dns',
    found: (host) => `the host name of ${host} cannot be resolved`,
    advice: 'check the spelling of the host in `url`, and whether a VPN or proxy is needed',
  },
  {
    codes: /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    id: 'target.tcp',
    found: (host) => `nothing accepts connections at ${host}`,
    advice: 'check host and port in `url`, and whether the service is running',
  },
  {
    codes: /^ETIMEDOUT$/,
    id: 'target.timeout',
    found: (host, within) => `${host} did not answer within ${within}`,
    advice: 'check firewall and proxy; raise `timeoutMs` in the profile for a slow service',
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    id: 'target.tls',
    found: (host) => `the TLS certificate of ${host} has expired`,
    advice: 'have the certificate renewed; check the clock of this machine',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    id: 'target.tls',
    found: (host) => `the TLS certificate of ${host} is not valid yet`,
    advice: 'check the clock of this machine',
  },
  {
    codes: /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/,
    id: 'target.tls',
    found: (host) => `the TLS certificate of ${host} is signed by an authority that is not trusted`,
    advice: 'name the PEM file of the authority under `ca` in the profile',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    id: 'target.tls',
    found: (host) => `the TLS certificate is not for the host of ${host}`,
    advice: 'use the host name that the certificate states in `url`',
  },
  {
    codes: /^(?:EPROTO|ERR_SSL_.*)$/,
    id: 'target.tls',
    found: (host) => `${host} does not speak TLS as expected`,
    advice: 'check the port; write http:// in `url` if the service speaks plain HTTP there',
  },
  {
    codes: /^HPE_/,
    id: 'target.http',
    found: (host) => `${host} does not speak HTTP`,
    advice: 'check the port; write https:// in `url` if the service speaks TLS there',
  },
  {
    codes: /^(?:ECONNRESET|EPIPE)$/,
    id: 'target.reset',
    found: (host) => `${host} closed the connection without an answer`,
    advice:
      'check for a proxy or firewall in between; a TLS port resets plain HTTP, so try https://',
  },
]

/**
 * What an unanswered call says about the target.
 * @param timeoutMs how long an answer was waited for
 */
export const connectionFault = (
  error: Unreachable,
  proxy: string,
  timeoutMs: number,
): Diagnosis => {
  const { protocol, host } = new URL(error.url)
  const row = rows.find(({ codes }) => codes.test(error.code))
  const through = proxy === '' ? '' : ` through the proxy ${new URL(proxy).host}`
  if (row === undefined)
    return fault('target.http', error.message + through, 'check `url`, proxy and TLS')
  return fault(
    row.id,
    `${row.found(`${protocol}//${host}`, `${timeoutMs / 1000} s`)}${through} (${error.code})`,
    row.advice,
  )
}
