import type { Dialect } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import type { SessionForm } from '../../contract/environments.ts'
import { formCodeOf, furtherForms, invoiceSchemas } from '../../contract/environments.ts'
import { refusals } from '../../contract/errors.ts'
import type { Endpoint } from '../../contract/types.ts'
import { schemaJudge } from '../../lib/node/schema.ts'
import { redactText } from '../../lib/redact.ts'
import { textOf } from './answers.ts'

/** How a request that was refused differs from what the interface describes. */

export interface RefusedRequest {
  readonly operation: OperationId | undefined
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Headers and body may have been left out of the record. */
  readonly isPartial?: true | undefined
  /** The body in the words of the contract; undefined where it is not JSON. */
  readonly request: unknown
  /** 0 where no answer came. */
  readonly status: number
  readonly code: number | undefined
  /** Why the service refused it, where the evidence shows it. */
  readonly refusal?: string | undefined
  /** What the service says about it, in the words of the dialect. */
  readonly details?: readonly string[] | undefined
  /** Headers that the service asked for with the address of the request. */
  readonly expectedHeaders: Readonly<Record<string, string>> | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Refusals that concern the form of a request. */
const ofForm: ReadonlySet<string> = new Set([
  'invalid-input',
  'form-code-refused',
  'unreadable-body',
  'media-type',
  'unknown-path',
  'method-not-allowed',
  'part-refused',
  'wrong-token',
])

const codesOfForm: ReadonlySet<number> = new Set(
  [refusals['invalid-input'], refusals['unreadable-body'], refusals['media-type']].flatMap(
    ({ answer }) => [...answer.codes],
  ),
)

const statusesOfForm: ReadonlySet<number> = new Set([400, 401, 404, 405, 415])

const concernsForm = ({ refusal, status, code }: RefusedRequest): boolean => {
  if (!statusesOfForm.has(status)) return false
  if (refusal !== undefined) return ofForm.has(refusal)
  return status !== 400 || code === undefined || code === 400 || codesOfForm.has(code)
}

/** What is wrong with the form of a request; undefined where nothing is, or something else was refused. */
export function malformationOf(refused: RefusedRequest, dialect: Dialect): string | undefined {
  const { operation, method, path, status, refusal } = refused
  if (!concernsForm(refused)) return undefined
  if (operation === undefined)
    return refusal === 'unknown-path' || refusal === 'method-not-allowed' || status === 405
      ? `${method} ${redactText(path)} is no operation of the interface`
      : undefined
  const row: Endpoint = endpoint(operation)
  if (status === 401) return withoutBearer(row, refused)
  return (
    withoutHeaders(refused) ??
    wrongMedia(row, refused) ??
    wrongParameter(row, refused) ??
    wrongForm(operation, refused) ??
    wrongBody(operation, row, refused, dialect)
  )
}

const withoutBearer = (
  row: Endpoint,
  { headers, isPartial }: RefusedRequest,
): string | undefined => {
  if (isPartial || row.bearer === 'none' || row.bearer === 'link') return undefined
  const { authorization } = headers
  if (authorization === undefined) return 'the header Authorization is missing'
  return /^Bearer /i.test(authorization)
    ? undefined
    : 'the header Authorization does not begin with "Bearer "'
}

const withoutHeaders = ({
  expectedHeaders = {},
  headers,
  isPartial,
}: RefusedRequest): string | undefined => {
  if (isPartial) return undefined
  const missing = Object.entries(expectedHeaders).find(
    ([name, value]) => headers[name.toLowerCase()] !== value,
  )
  return missing && `the header ${missing[0]}: ${missing[1]} is missing; it came with the address`
}

const wrongMedia = (
  { request, bearer }: Endpoint,
  { headers, body, isPartial }: RefusedRequest,
): string | undefined => {
  if (isPartial || request === undefined || bearer === 'link') return undefined
  if (request.optional === true && body.length === 0) return undefined
  const found = headers['content-type']
  if (found?.split(';', 1)[0]?.trim().toLowerCase() === request.media) return undefined
  return `Content-Type is ${found === undefined ? 'missing' : redactText(found)}; ${request.media} is expected`
}

const wrongParameter = (row: Endpoint, { query }: RefusedRequest): string | undefined => {
  const given = new URLSearchParams(query)
  for (const { name, schema } of row.parameters ?? []) {
    const value = given.get(name)
    if (value === null || schema['type'] !== 'integer') continue
    const { minimum = -Infinity, maximum = Infinity } = schema as Record<string, number>
    const number = Number(value)
    if (/^-?\d+$/.test(value) && number >= minimum && number <= maximum) continue
    return `the parameter ${name} is ${redactText(value)}; expected an integer from ${minimum}${maximum === Infinity ? '' : ` to ${maximum}`}`
  }
  return undefined
}

const forms = Object.keys({ ...invoiceSchemas, ...furtherForms }) as SessionForm[]

/** A form code that the interface does not have; one that is not in force on the day is another matter. */
const wrongForm = (operation: OperationId, { request }: RefusedRequest): string | undefined => {
  if (operation !== 'sessions.openOnline' && operation !== 'sessions.openBatch') return undefined
  const given = textOf(request, 'formCode') ?? textOf(request, 'formCode', 'systemCode')
  const known = forms.map((form) => formCodeOf(form).systemCode)
  if (given === undefined || known.includes(given)) return undefined
  return `the form code ${JSON.stringify(redactText(given))} does not exist; expected ${known.map((one) => JSON.stringify(one)).join(', ')}`
}

function wrongBody(
  operation: OperationId,
  { request: row }: Endpoint,
  { body, request, details, isPartial }: RefusedRequest,
  dialect: Dialect,
): string | undefined {
  if (row?.schema === undefined || (row.optional === true && body.length === 0)) return undefined
  if (request === undefined) return isPartial ? undefined : 'the body is not JSON'
  const [first, ...others] = schemaJudge(dialect).problems(row.schema, plain(operation, request))
  if (first === undefined) return undefined
  return `${redactText(details?.[0] ?? first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`
}

/** Replaces values that depend on the encryption, which has its own rule; missing and mistyped values stay. */
const encrypted: Fields = {
  invoiceHash: `${'A'.repeat(43)}=`,
  invoiceSize: 1,
  encryptedInvoiceHash: `${'A'.repeat(43)}=`,
  encryptedInvoiceSize: 16,
  encryptedInvoiceContent: 'AAAA',
}

const plain = (operation: OperationId, request: unknown): unknown => {
  if (operation !== 'invoices.submit' || typeof request !== 'object') return request
  const fields = Object.entries(request ?? {}).map(([name, value]) => [
    name,
    typeof encrypted[name] === typeof value ? encrypted[name] : (value as unknown),
  ])
  return Object.fromEntries(fields) as unknown
}
