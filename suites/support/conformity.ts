import type { Dialect } from '../../contract/dialect.ts'
import { endpoint } from '../../contract/endpoints.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { schemaJudge } from '../../lib/node/schema.ts'

/** The media type of a header, without its parameters. */
export const mediaOf = (header: string | undefined): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const mediaFaults = ({ operation, headers, bytes, status }: Exchange): string[] => {
  const wanted = operation === undefined ? undefined : endpoint(operation).answer.media
  if (wanted === undefined || bytes.length === 0 || status < 200 || status > 299) return []
  const media = mediaOf(headers['content-type'])
  const fits = media === wanted || (wanted === 'application/xml' && media === 'text/xml')
  return fits ? [] : [`the answer is ${media || 'of no media type'} instead of ${wanted}`]
}

/** What every answer must keep, whatever a check is about: no 5xx, and bodies that conform to their schemas. */
export const faultsOf = (exchange: Exchange, dialect: Dialect): string[] => {
  const { request, status } = exchange
  const faults =
    status >= 500
      ? [`it answered ${status}`]
      : [...mediaFaults(exchange), ...schemaJudge(dialect).answerProblems(exchange)]
  return faults.map(
    (fault) => `${request.method} ${new URL(request.url).pathname} (${status}): ${fault}`,
  )
}
