import { createHash } from 'node:crypto'
import type { Dialect } from '../../../contract/dialect.ts'
import { endpoint } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { readError } from '../../../lib/errors.ts'
import { schemaJudge } from '../../../lib/node/schema.ts'

/** The media type of a header, without its parameters. */
export const mediaOf = (header: string | undefined): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const mediaFaults = (exchange: Exchange, dialect: Dialect): string[] => {
  const { operation, headers, bytes, status } = exchange
  const media = mediaOf(headers['content-type'])
  if (isOwnRefusal(exchange))
    return readError(exchange, dialect)?.mediaMatches === false
      ? [`the error of ${status} is labelled ${media || 'with no media type'}`]
      : []
  const wanted = operation === undefined ? undefined : endpoint(operation).answer.media
  if (wanted === undefined || bytes.length === 0 || status < 200 || status > 299) return []
  const fits = media === wanted || (wanted === 'application/xml' && media === 'text/xml')
  return fits ? [] : [`the answer is ${media || 'of no media type'} instead of ${wanted}`]
}

/** Whether an answer has a body at all, by its method. */
const hasBody = ({ request }: Exchange): boolean => request.method !== 'HEAD'

/** Whether an operation refused. Signed addresses may lead to a store that has errors of its own. */
const isOwnRefusal = (exchange: Exchange): boolean => {
  const { operation, status } = exchange
  return (
    operation !== undefined &&
    endpoint(operation).bearer !== 'link' &&
    status >= 400 &&
    hasBody(exchange)
  )
}

/** The name of a finding about the answers of an operation, among the variants of its rule. */
export const answersOf = (operation: string): string => `answers of ${operation}`

/** A fault that any answer can have, whatever the check is about, with the rule that owns it. */
export interface Fault {
  readonly rule: RuleId
  readonly text: string
  /** The cause, in words that are identical for identical causes. */
  readonly cause: string
}

/** A fault of an answer that only other answers, or its request, show. */
export interface Contradiction extends Fault {
  readonly exchange: Exchange
}

/** The rules that own the faults of answers: each is reported once a run, per operation. */
export const conformityRules = [
  'transport.answers.schema',
  'transport.media-type',
  'transport.answers.no-server-error',
  'transport.error-shape',
] as const satisfies readonly RuleId[]

/** The rule that owns the hash of a document in a header. */
export const hashRule = 'transport.document-hash' satisfies RuleId

/** What shows the internals of a service: a line of a stack trace, a path of its files. */
export const internals =
  /\bat [\w$.<>]+ \(|node_modules|file:\/\/|[A-Z]:\\+\w|(?<![\w.])\/(app|etc|home|opt|root|srv|tmp|usr|var)\/|\.(ts|js|java|cs|py|go|kt):\d+/

/** Whether an error has the shape that the dialect keeps for its status, where it keeps one. */
const hasOwnShape = (exchange: Exchange, { errorShapes }: Dialect, shape: number): boolean => {
  const own = errorShapes.filter(({ statuses }) => statuses?.includes(exchange.status))
  return own.length === 0 || own.includes(errorShapes[shape]!)
}

/**
 * What a refusal must say: an error in the format of the contract, with a description and without internals.
 */
const refusalFaults = (exchange: Exchange, dialect: Dialect): string[] => {
  const { status } = exchange
  if (!isOwnRefusal(exchange)) return []
  const report = readError(exchange, dialect)
  if (report === undefined)
    return [`the error body of ${status} is not in the format of the contract`]
  const stated = report.facts['status']
  return [
    ...(/\S/.test(report.description ?? '') ? [] : [`the error of ${status} has no description`]),
    ...(hasOwnShape(exchange, dialect, report.shape)
      ? []
      : [`the error of ${status} has the format of another status`]),
    ...(typeof stated !== 'number' || stated === status
      ? []
      : [`the error of ${status} states the status ${stated}`]),
    ...(internals.test(exchange.text) ? [`the error of ${status} shows internals`] : []),
  ]
}

/** A hash in a header that is not the one of the document. */
const hashFaults = (exchange: Exchange): string[] => {
  const stated = exchange.headers['x-ms-meta-hash']
  if (stated === undefined || !succeeded(exchange) || !hasBody(exchange)) return []
  const hash = createHash('sha256').update(exchange.bytes).digest('base64')
  return stated === hash ? [] : [`the hash ${stated} is of other bytes`]
}

/** What every answer must keep: no 5xx, the media type of its operation, a body that conforms to its schema, the hash. */
export const faultsOf = (exchange: Exchange, dialect: Dialect): Fault[] => {
  const { status, operation = 'an address outside the contract' } = exchange
  if (status >= 500)
    return [
      {
        rule: 'transport.answers.no-server-error',
        text: `it answered ${status}`,
        cause: `the service, or a gateway in front of it, answers some calls with ${status}`,
      },
    ]
  const problems = hasBody(exchange) ? schemaJudge(dialect).answerProblems(exchange) : []
  const faults = (rule: RuleId, texts: readonly string[], cause: string): Fault[] =>
    texts.map((text) => ({ rule, text, cause }))
  return [
    ...faults(
      'transport.error-shape',
      refusalFaults(exchange, dialect),
      `refusals of ${operation} are not errors in the format of the contract`,
    ),
    ...faults(
      'transport.media-type',
      mediaFaults(exchange, dialect),
      `answers of ${operation} have a wrong media type`,
    ),
    ...faults(
      'transport.answers.schema',
      problems,
      `answers of ${operation} do not conform to their schema`,
    ),
    ...faults(
      hashRule,
      hashFaults(exchange),
      `answers of ${operation} have the hash of other bytes`,
    ),
  ]
}
