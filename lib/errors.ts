import type { Dialect } from '../contract/dialect.ts'

/** What an error answer says, in whichever of the dialect's shapes it came. */
export interface ErrorReport {
  /** The first error's number; the status where the shape has none. */
  readonly code: number
  readonly description: string | undefined
  readonly details: readonly string[]
  /** Every error of the body, the first included. */
  readonly all: readonly OneError[]
  readonly timestamp: string | undefined
  readonly traceId: string | undefined
  /** What else the shape has a place for, by the placeholder's name, for example `reasonCode`. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Place of the shape in the dialect's `errorShapes`. */
  readonly shape: number
  /** False when the body has the form of the shape, but another media type. */
  readonly mediaMatches: boolean
}

interface OneError {
  /** The status where the shape has no number. */
  readonly code: number
  readonly description: string | undefined
  readonly details: readonly string[]
}

/** What readError needs of an exchange. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Bindings = ReadonlyMap<string, unknown>

const required = new Set(['$code', '$status'])

/**
 * Reads an error answer by the shapes of a dialect; the shape whose media type matches is preferred.
 * @returns undefined when the body has none of the shapes
 */
export function readError(answer: ErrorAnswer, dialect: Dialect): ErrorReport | undefined {
  const media = mediaOf(answer.headers['content-type'])
  let fallback: ErrorReport | undefined
  for (const [place, shape] of dialect.errorShapes.entries()) {
    if (shape.statuses !== undefined && !shape.statuses.includes(answer.status)) continue
    const found = match(shape.template, answer.body)
    if (found === undefined) continue
    const report = toReport(found, answer.status, place, media === shape.media)
    if (report.mediaMatches) return report
    fallback ??= report
  }
  return fallback
}

const mediaOf = (header: string | undefined): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

// One set of bindings per entry of a list in the template; the first one also contains what is outside of lists.
function match(template: unknown, body: unknown): Bindings[] | undefined {
  if (typeof template === 'string' && template.startsWith('$')) {
    if (body === undefined || body === null) return required.has(template) ? undefined : [new Map()]
    if (required.has(template) && typeof body !== 'number') return undefined
    return [new Map([[template, body]])]
  }
  if (Array.isArray(template)) {
    const pattern: unknown = template[0]
    // A list without entries is left out, unless something in it is required.
    if (body === undefined && match(pattern, undefined) !== undefined) return [new Map()]
    if (!Array.isArray(body) || body.length === 0) return undefined
    const found = body.map((entry) => match(pattern, entry))
    return found.every((bindings) => bindings !== undefined) ? found.flat() : undefined
  }
  if (typeof template === 'object' && template !== null) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
    return matchObject(template, body as Record<string, unknown>)
  }
  return template === body ? [new Map()] : undefined
}

function matchObject(template: object, body: Record<string, unknown>): Bindings[] | undefined {
  let result: Bindings[] = [new Map()]
  for (const [name, pattern] of Object.entries(template)) {
    const found = match(pattern, body[name])
    if (found === undefined) return undefined
    result =
      found.length > 1
        ? found.map((bindings) => new Map([...(result[0] ?? []), ...bindings]))
        : result.map((bindings) => new Map([...bindings, ...(found[0] ?? [])]))
  }
  return result
}

function toReport(
  found: readonly Bindings[],
  status: number,
  shape: number,
  mediaMatches: boolean,
): ErrorReport {
  const all = found.map((bindings) => ({
    code: numberOf(bindings.get('$code')) ?? status,
    description: textOf(bindings.get('$description')),
    details: textsOf(bindings.get('$details')),
  }))
  const first = all[0]
  return {
    code: first?.code ?? status,
    description: first?.description,
    details: first?.details ?? [],
    all,
    timestamp: textOf(found[0]?.get('$timestamp')),
    traceId: textOf(found[0]?.get('$traceId')),
    facts: Object.fromEntries(
      [...(found[0] ?? [])].map(([placeholder, value]) => [placeholder.slice(1), value]),
    ),
    shape,
    mediaMatches,
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
