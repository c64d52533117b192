import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import { answers } from './rewrite.ts'

/** Texts that callers give, which answers show in another spelling; and operations that have several paths. */

/** Where an operation has no other path than its own, nothing can differ there. */
export const onOtherPaths = (operation: OperationId): Pick<Mutant, 'absentIn'> => ({
  absentIn({ operations }) {
    const form = operations[operation]
    if (form === undefined || 'absent' in form) return undefined
    return form.aliases?.length === 0 || form.atOrigin === false
      ? `${operation} has one path only`
      : undefined
  },
})

/** A JSON value with other texts. */
const spelled = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one: unknown) => spelled(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, spelled(one, change)]),
  )
}

export const shows = (at: readonly OperationId[], change: (text: string) => string): Mutant =>
  answers(at, (answer) => ({ ...answer, body: spelled(answer.body, change) }))

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
export const decoded = (text: string): string => text.replaceAll('&lt;', '<')
export const collapsed = (text: string): string => text.replaceAll(/ {2,}/g, ' ')
