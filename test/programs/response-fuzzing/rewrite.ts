import { refusals } from '../../../contract/errors.ts'
import { spokenFields } from '../../../contract/meaning.ts'
import { schema as schemaOf } from '../../../contract/schemas.ts'
import type { JsonSchema, Refusal } from '../../../contract/types.ts'
import { createRng, shuffled } from '../../../lib/random.ts'
import type { Rng } from '../../../lib/random.ts'
import type { Opaque } from './opaque.ts'
import { instantIn } from './style.ts'
import type { Style } from './style.ts'

/** The same answer, as another service that keeps the contract might give it. */
export interface Variation {
  readonly style: Style
  readonly opaque: Opaque
  /** Draws what the style does not determine, for this answer only. */
  readonly rng: Rng
  /** Where the addresses that are hidden lead to. */
  readonly origin: string
}

type Fields = Readonly<Record<string, unknown>>

/** Lists whose order the contract specifies, by schema and field. In every other list any order will do. */
const ordered: ReadonlySet<string> = new Set([
  'MetadataPage.invoices',
  'LoginSessions.items',
  'TokenList.tokens',
  'PersonalGrants.permissions',
  'PersonGrants.permissions',
  'SubunitGrants.permissions',
  'EntityGrants.permissions',
  'EuGrants.permissions',
  'AuthorizationGrants.authorizationGrants',
  'EntityRoles.roles',
  'SubordinateRoles.roles',
])

/** Fields that say when something ends or began, in tokens that are hidden. */
const hidden: ReadonlySet<string> = new Set(['AuthenticationStarted.authenticationToken'])

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that the contract does not know, and that clients have to ignore. */
const unknownFields = (rng: Rng): Fields => ({
  [`x-${rng.digits(3)}`]: rng.pick([null, 0, '', [], { code: 500, status: 'none' }, [{ id: 1 }]]),
  ...(rng.int(0, 1) === 1 && { _links: { self: { href: '/', code: -1 } } }),
})

/** The members in another order, with some unknown ones. */
const mixed = (rng: Rng, fields: Fields): Fields =>
  Object.fromEntries(shuffled(rng, Object.entries({ ...fields, ...unknownFields(rng) })))

const wordsFor = ({ style, rng }: Variation, status: Fields): Fields => ({
  ...status,
  description: style.words(rng, status['code']),
  ...('details' in status && {
    details: style.empty === 'null' ? null : [1, 2].map(() => style.words(rng, status['code'])),
  }),
})

interface Place {
  readonly schema: JsonSchema | undefined
  /** Id of the schema, or field of one: `PublicKeyCertificate.usage`. */
  readonly name: string
}

const allowsNull = (schema: JsonSchema): boolean =>
  (Array.isArray(schema['type']) && schema['type'].includes('null')) ||
  (Array.isArray(schema['anyOf']) &&
    (schema['anyOf'] as JsonSchema[]).some((one) => one['type'] === 'null'))

/** The schema that a value is described by, through references and alternatives. */
const placeOf = (schema: JsonSchema | undefined, name: string, value: unknown): Place => {
  const target = schema?.['$ref']
  if (typeof target === 'string') return placeOf(schemaOf(target), target, value)
  if (Array.isArray(schema?.['anyOf'])) {
    const places = (schema['anyOf'] as JsonSchema[]).map((one) => placeOf(one, name, value))
    return (
      places.find(
        (one) => (one.schema?.['properties'] !== undefined) === isFields(value) && value !== null,
      ) ?? { schema: undefined, name }
    )
  }
  return { schema, name }
}

/** Another address for the same resource: its path is hidden, and each value of its query, which may be a signature. */
const addressIn = ({ opaque, origin, style }: Variation, text: string): string => {
  const word = style.address === 'same' ? opaque.hide : opaque.hideAnew
  const { origin: place, pathname, searchParams } = new URL(text)
  const url = new URL(`${origin}/storage/${word(place + pathname, 'address')}`)
  for (const [name, value] of searchParams) url.searchParams.append(name, word(value, 'address'))
  return url.href
}

const rewriteText = (
  variation: Variation,
  schema: JsonSchema | undefined,
  text: string,
): string => {
  if (schema?.['format'] === 'date-time') return instantIn(variation.style, text)
  return schema?.['format'] === 'uri' ? addressIn(variation, text) : text
}

const pemOf = (certificate: string): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`

const rewriteFields = (variation: Variation, place: Place, fields: Fields): Fields => {
  const { style, rng, opaque } = variation
  const properties = (place.schema?.['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (place.schema?.['required'] ?? []) as readonly string[]
  const result: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(fields)) {
    const optional = properties[name] !== undefined && !required.includes(name)
    if (inner === null && optional && style.empty === 'absent') continue
    result[name] = rewriteValue(variation, properties[name], `${place.name}.${name}`, inner)
  }
  if (style.empty === 'null')
    for (const [name, described] of Object.entries(properties))
      if (!(name in fields) && !required.includes(name) && allowsNull(described))
        result[name] = null
  if (place.name === 'PublicKeyCertificate' && style.certificate === 'pem')
    result['certificate'] = pemOf(String(fields['certificate']))
  if (typeof fields['continuationToken'] === 'string')
    result['continuationToken'] = opaque.hide(fields['continuationToken'], 'continuation')
  const worded = spokenFields.has(`${place.name}.description`)
    ? wordsFor(variation, result)
    : result
  return mixed(rng, worded)
}

const rewriteValue = (
  variation: Variation,
  schema: JsonSchema | undefined,
  field: string,
  value: unknown,
): unknown => {
  const { opaque, rng, style } = variation
  const place = placeOf(schema, field, value)
  if (hidden.has(field) && isFields(value)) {
    const rewritten = rewriteFields(variation, place, value)
    return { ...rewritten, token: opaque.hide(String(value['token']), 'token') }
  }
  if (field === 'TokenPair.refreshToken' && isFields(value) && style.refreshToken === 'string')
    return value['token']
  if (Array.isArray(value)) {
    const items = place.schema?.['items'] as JsonSchema | undefined
    const varied = value.map((item) => rewriteValue(variation, items, `${field}[]`, item))
    return ordered.has(field) ? varied : shuffled(rng, varied)
  }
  if (isFields(value))
    // What has no schema is the caller's own, or for machines.
    return place.schema?.['properties'] === undefined
      ? value
      : rewriteFields(variation, place, value)
  return typeof value === 'string' ? rewriteText(variation, place.schema, value) : value
}

/** Rewrites the body of a success. */
export const rewriteBody = (variation: Variation, schema: string, body: unknown): unknown =>
  rewriteValue(variation, { $ref: schema }, schema, body)

const rows = Object.values(refusals as Readonly<Record<string, Refusal>>)

/**
 * Statuses and codes that every refusal allows which the reference answers like this. What does not exist is
 * answered by 404 and by nothing else.
 */
const alike = (status: number, code: number): { statuses: number[]; codes: number[] } => {
  const meant = rows.flatMap(({ answer }) =>
    answer !== undefined && answer.statuses[0] === status && answer.codes[0] === code
      ? [answer]
      : [],
  )
  const common = (lists: readonly (readonly number[])[], own: number): number[] =>
    lists[0]?.filter((one) => lists.every((list) => list.includes(one))) ?? [own]
  return {
    statuses:
      status === 404
        ? [404]
        : common(
            meant.map(({ statuses }) => statuses),
            status,
          ),
    codes: common(
      meant.map(({ codes }) => codes),
      code,
    ),
  }
}

interface Refused {
  readonly status: number
  readonly body: unknown
}

/** An answer of refusal: another of its statuses and codes, and other words. */
export const rewriteRefusal = (variation: Variation, status: number, body: unknown): Refused => {
  const { style, rng } = variation
  if (!isFields(body)) return { status, body }
  const errors = Array.isArray(body['errors']) ? (body['errors'] as Fields[]) : undefined
  const code = Number(errors?.[0]?.['code'] ?? body['code'] ?? status)
  const { statuses, codes } = alike(status, code)
  const other = {
    status: statuses[style.refusal % statuses.length] ?? status,
    code: codes[style.refusal % codes.length] ?? code,
  }
  if ('code' in body) {
    const rewritten = wordsFor(variation, { ...body, code: other.code })
    return { status: other.status, body: mixed(rng, timed(style, rewritten)) }
  }
  const rewritten: Record<string, unknown> = {
    ...body,
    title: style.words(rng, other.status),
    status: other.status,
    detail: style.words(rng, other.status),
    ...(errors !== undefined && {
      errors: errors.map((one) => mixed(rng, wordsFor(variation, { ...one, code: other.code }))),
    }),
  }
  for (const name of ['instance', 'traceId'])
    if (style.empty === 'absent') delete rewritten[name]
    else rewritten[name] = null
  return { status: other.status, body: mixed(rng, timed(style, rewritten)) }
}

const timed = (style: Style, body: Fields): Fields =>
  typeof body['timestamp'] === 'string'
    ? { ...body, timestamp: instantIn(style, body['timestamp']) }
    : body

/** The variation of one answer. */
export const variationOf = (
  style: Style,
  opaque: Opaque,
  origin: string,
  label: string,
): Variation => ({ style, opaque, origin, rng: createRng(label) })
