import { grouped } from './finding.ts'
import type { Finding } from './finding.ts'

/** What a run left on its target, in one line; undefined when nothing. */
export const leftLine = (findings: readonly Finding[]): string | undefined => {
  const things = findings.flatMap(({ left = [] }) => left)
  if (things.length === 0) return undefined
  const groups = [...grouped(things, ({ what }) => what)].map(([what, group]) => {
    const removed = group.filter((one) => one.removed).length
    return `${group.length} × ${what}${removed === 0 ? '' : `, ${removed} of them ended, revoked or removed`}`
  })
  return `created on the target: ${groups.join('; ')} (each by its id under \`left\` in findings.ndjson)`
}
