import { dialects } from '../../contract/dialects.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { redactText } from '../../lib/redact.ts'
import { fault } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'

/** Reads the answer to a challenge: is a clearing service there, or something else? */

const beginning = (exchange: Exchange): string =>
  redactText(exchange.text.replaceAll(/\s+/g, ' ').trim()).slice(0, 120)

const isPage = ({ headers, text }: Exchange): boolean =>
  (headers['content-type'] ?? '').includes('html') || /^\s*<(?:!doctype\s+html|html)/i.test(text)

const isChallenge = ({ status, body }: Exchange): boolean =>
  status >= 200 &&
  status < 300 &&
  typeof (body as { challenge?: unknown } | null | undefined)?.challenge === 'string'

/** What to do about an answer that another time would be another one: 429 and 5xx; undefined for every other. */
export const passingAdvice = ({ status, headers }: Exchange): string | undefined => {
  if (status === 429)
    return `wait ${headers['retry-after'] ?? 'some'} s, and share the target with fewer callers`
  return status >= 500
    ? 'the service, or a gateway in front of it, is failing: try again when it answers'
    : undefined
}

/** What keeps an answer from being a challenge; undefined when it is one. */
export const answerFault = (exchange: Exchange): Diagnosis | undefined => {
  if (isChallenge(exchange)) return undefined
  const { status, headers, request } = exchange
  const call = `${request.method} ${request.url}`
  if (status >= 300 && status < 400)
    return fault(
      'target.redirect',
      `${call} is redirected (${status}) to ${headers['location'] ?? 'nowhere'}`,
      'write the final address into `url`: redirects are not followed, because they would drop credentials',
    )
  if (isPage(exchange))
    return fault(
      status < 400 ? 'target.html' : 'target.gateway',
      `${call} answers ${status} with a web page: ${beginning(exchange)}`,
      'check `url`: it must lead to the API with its version prefix; a login page or gateway in front may need `headers` or `proxy`',
    )
  if (status === 401 || status === 403 || status === 407)
    return fault(
      'target.gateway',
      `${call} answers ${status}, although a challenge needs no credentials: ${beginning(exchange)}`,
      'a gateway in front of the service wants credentials: name them under `headers` or `proxy` in the profile',
    )
  if (status === 404 || status === 405)
    return fault(
      'target.prefix',
      `${call} answers ${status}: there is no challenge at this address`,
      'check the version prefix in `url` and the `dialect`',
    )
  const passing = passingAdvice(exchange)
  if (passing !== undefined)
    return status === 429
      ? fault('target.limited', `${call} answers 429: this address has used up its calls`, passing)
      : fault('target.failing', `${call} answers ${status}: ${beginning(exchange)}`, passing)
  return fault(
    'target.shape',
    `${call} answers ${status} without a challenge: ${beginning(exchange) || 'an empty body'}`,
    'check `url` and `dialect`: something else than a clearing service answers there',
  )
}

/** Addresses and dialects at which the service may be instead. */
export const alternatives = (
  url: string,
  dialectId: string,
): { readonly url: string; readonly dialect: string }[] => {
  const { origin, pathname } = new URL(url)
  const bases = [url, origin, ...Object.values(dialects).map(({ prefix }) => origin + prefix)]
  const trimmed = pathname.replace(/\/(?:v\d+|api)\/?$/, '')
  const all = [...bases, origin + trimmed.replace(/\/+$/, '')].flatMap((base) =>
    Object.keys(dialects).map((dialect) => ({ url: base, dialect })),
  )
  return all.filter(
    (one, place) =>
      !(one.url === url && one.dialect === dialectId) &&
      all.findIndex((other) => other.url === one.url && other.dialect === one.dialect) === place,
  )
}
