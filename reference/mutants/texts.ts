import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import { answers } from './rewrite.ts'

/** Defects of texts that callers give: lists and records show them in another spelling. */

/** A JSON value with other texts. */
const spelled = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one: unknown) => spelled(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, spelled(one, change)]),
  )
}

const shows = (at: readonly OperationId[], change: (text: string) => string): Mutant =>
  answers(at, (answer) => ({ ...answer, body: spelled(answer.body, change) }))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const decoded = (text: string): string => text.replaceAll('&lt;', '<')
const collapsed = (text: string): string => text.replaceAll(/ {2,}/g, ' ')

export const textsMutants = {
  'tokens.status.described/text-escaped': shows(['tokens.status', 'tokens.list'], escaped),
  'tokens.status.described/spaces-collapsed': shows(['tokens.list'], collapsed),
  'permissions.query.described/texts-of-persons-escaped': shows(
    ['permissions.queryPersons'],
    escaped,
  ),
  'permissions.query.described/spaces-of-persons-collapsed': shows(
    ['permissions.queryPersons'],
    collapsed,
  ),
  'permissions.query.described/texts-of-units-decoded': shows(
    ['permissions.querySubunits'],
    decoded,
  ),
  'permissions.query.described/spaces-of-units-collapsed': shows(
    ['permissions.querySubunits'],
    collapsed,
  ),
  'permissions.query.described/texts-of-authorizations-escaped': shows(
    ['permissions.queryAuthorizations'],
    escaped,
  ),
  'permissions.query.described/spaces-of-authorizations-collapsed': shows(
    ['permissions.queryAuthorizations'],
    collapsed,
  ),
  'permissions.query.described/texts-of-eu-entities-escaped': shows(
    ['permissions.queryEu'],
    escaped,
  ),
  'permissions.query.described/spaces-of-eu-entities-collapsed': shows(
    ['permissions.queryEu'],
    collapsed,
  ),
  'certificates.listed/spaces-of-names-collapsed': shows(['certificates.query'], collapsed),
} as const satisfies Readonly<Record<string, Mutant>>
