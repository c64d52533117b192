/**
 * Addresses that the service hands out: each says until when it holds, and none can be made or changed by a caller.
 * Source: gaps receipt-link, batch-package, export-body.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Instant } from '../time/clock.ts'
import type { Service } from '../call/service.ts'
import { wirePath } from './wire.ts'

export type LinkUse = 'receipt' | 'upload' | 'download' | 'page'

const secretOf = ({ state, identifiers }: Service): string => {
  const known = state.values.get('links')
  if (known !== undefined) return known.value
  const made = Buffer.from(identifiers.bytes(32)).toString('hex')
  state.values.put({ id: 'links', value: made })
  return made
}

const seal = (service: Service, use: LinkUse, subject: string, until: Instant): string =>
  createHmac('sha256', secretOf(service))
    .update(`${use}\n${subject}\n${service.policy.linkSeals(until)}`)
    .digest('base64url')
    .slice(0, 32)

/** The signature of a link to `subject` that holds until an instant; it carries the instant. */
export const signLink = (service: Service, use: LinkUse, subject: string, until: Instant): string =>
  `${until.toString(36)}.${seal(service, use, subject, until)}`

/** Until when a signature holds; undefined when this service did not make it for this use and subject. */
export const linkUntil = (
  service: Service,
  use: LinkUse,
  subject: string,
  signature: unknown,
): Instant | undefined => {
  if (typeof signature !== 'string') return undefined
  const [end = '', mark = ''] = signature.split('.')
  const until = Number.parseInt(end, 36)
  if (!Number.isSafeInteger(until)) return undefined
  const right = Buffer.from(seal(service, use, subject, until))
  const given = Buffer.from(mark)
  return right.length === given.length && timingSafeEqual(right, given) ? until : undefined
}

/** The address of an operation with its parameters filled in, as the dialect spells its path. */
export const addressOf = (
  service: Service,
  operation: OperationId,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> = {},
): string => {
  const filled = wirePath(operation, service.dialect).replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return `${service.publicUrl}${filled}${search === '' ? '' : `?${search}`}`
}
