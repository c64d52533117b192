/**
 * Links that the service gives out: each carries its expiry, and a caller can neither create nor change one.
 * Source: gaps receipt-link, batch-package, export-body.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Instant } from '../base/instants.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { Identifiers } from '../base/identifiers.ts'
import { wirePath } from './wire.ts'

export type LinkUse = 'receipt' | 'upload' | 'download' | 'page'

/** Where the secret under links is kept. */
interface Values {
  get(id: string): { readonly value: string } | undefined
  put(entry: { readonly id: string; readonly value: string }): void
}

/** What links are created and verified with. */
export interface LinkMaker {
  readonly state: { readonly values: Values }
  readonly identifiers: Identifiers
  readonly policy: {
    readonly linkContent: (use: LinkUse, subject: string, until: Instant) => string
  }
  readonly dialect: Dialect
  readonly publicUrl: string
}

const secretOf = ({ state, identifiers }: LinkMaker): string => {
  const known = state.values.get('links')
  if (known !== undefined) return known.value
  const made = Buffer.from(identifiers.bytes(32)).toString('hex')
  state.values.put({ id: 'links', value: made })
  return made
}

const seal = (maker: LinkMaker, use: LinkUse, subject: string, until: Instant): string =>
  createHmac('sha256', secretOf(maker))
    .update(maker.policy.linkContent(use, subject, until))
    .digest('base64url')
    .slice(0, 32)

/** The signature of a link to `subject`; it carries the expiry. */
export const signLink = (maker: LinkMaker, use: LinkUse, subject: string, until: Instant): string =>
  `${until.toString(36)}.${seal(maker, use, subject, until)}`

/** Expiry of a signature; undefined when this service did not create it for this use and subject. */
export const linkUntil = (
  maker: LinkMaker,
  use: LinkUse,
  subject: string,
  signature: unknown,
): Instant | undefined => {
  if (typeof signature !== 'string') return undefined
  const [end = '', mark = ''] = signature.split('.')
  const until = Number.parseInt(end, 36)
  if (!Number.isSafeInteger(until)) return undefined
  const right = Buffer.from(seal(maker, use, subject, until))
  const given = Buffer.from(mark)
  return right.length === given.length && timingSafeEqual(right, given) ? until : undefined
}

/** The address of an operation with its parameters filled in, as the dialect spells its path. */
export const addressOf = (
  { dialect, publicUrl }: LinkMaker,
  operation: OperationId,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> = {},
): string => {
  const filled = wirePath(operation, dialect).replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return `${publicUrl}${filled}${search === '' ? '' : `?${search}`}`
}
