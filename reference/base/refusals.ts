import type { Dialect } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import { refusal as row } from '../../contract/errors.ts'

/** A refusal to be returned to the caller. Handlers throw nothing else on purpose; rows of the contract define it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly id: RefusalId
  readonly details: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Named values of the refusal, for example the permissions that would have sufficed; dialects may show them. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(
    id: RefusalId,
    details: readonly string[],
    headers: Readonly<Record<string, string>>,
    facts: Readonly<Record<string, unknown>>,
  ) {
    super(`${id}${details.length > 0 ? `: ${details.join('; ')}` : ''}`)
    this.id = id
    this.details = details
    this.headers = headers
    this.facts = facts
  }
}

/** Maximum length of a detail, in characters: some quote the request, which may be a megabyte. */
const maxDetail = 1_000

const shortened = (details: string | readonly string[]): readonly string[] => {
  const list = typeof details === 'string' ? [details] : details
  return list.some(({ length }) => length > maxDetail)
    ? list.map((text) => (text.length > maxDetail ? `${text.slice(0, maxDetail)}...` : text))
    : list
}

/** Makes a refusal, to be thrown. Only ids of `contract/errors.ts` exist, so no handler can invent one. */
export const refuse = (
  id: RefusalId,
  details: string | readonly string[] = [],
  extra: { headers?: Record<string, string>; facts?: Record<string, unknown> } = {},
): Refused => new Refused(id, shortened(details), extra.headers ?? {}, extra.facts ?? {})

/** How a piece of asynchronous work ended, as a status shows it. */
export interface Status {
  readonly code: number
  readonly description: string
  readonly details?: readonly string[]
  readonly extensions?: Readonly<Record<string, string>>
}

/** The status that a refusal gives to asynchronous work: the first code of its row. */
export const statusOf = (
  id: RefusalId,
  dialect: Dialect,
  details: string | readonly string[] = [],
  extensions?: Readonly<Record<string, string>>,
): Status => {
  const state = dialect.refusals[id]?.state ?? row(id).state
  const code = state?.codes[0]
  if (code === undefined) throw new Error(`the refusal ${id} ends no asynchronous work`)
  const list = shortened(details)
  return {
    code,
    description: row(id).description,
    ...(list.length > 0 && { details: list }),
    ...(extensions && { extensions }),
  }
}

/** The HTTP status and the code of a refusal: the first of each in its row, unless the operation differs. */
export const answerOf = (
  id: RefusalId,
  dialect: Dialect,
  operation?: OperationId,
): { status: number; code: number } => {
  const form = operation && dialect.operations[operation]
  const answer = dialect.refusals[id]?.answer ?? row(id).answer
  const status = answer?.statuses[0]
  const code = (form && 'codes' in form ? form.codes?.[id] : undefined) ?? answer?.codes[0]
  if (status === undefined || code === undefined) {
    throw new Error(`the refusal ${id} answers no call`)
  }
  return { status, code }
}
