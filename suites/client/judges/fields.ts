import { exactlyOnce } from '../exactly-once.ts'
import type { History } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { notExercised, passed } from '../opinion.ts'

/** Whether the client copes with fields, values and codes that it does not know; harm is recorded by exactly-once. */
export function unknownIgnored(history: History): Opinion[] {
  const rule = 'client.fields.unknown-ignored'
  const altered = history.steps.filter(({ fault }) => fault?.startsWith('unknown ') === true)
  if (altered.length === 0) return [notExercised(rule, 'no answer held anything unknown')]
  if (exactlyOnce(history).length > 0) return []
  return [
    passed(
      rule,
      `${altered.length} answers with something unknown in them`,
      altered.slice(0, 3).map(({ n }) => n),
    ),
  ]
}
