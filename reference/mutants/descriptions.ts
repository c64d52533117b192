import type { Mutant } from './mutant.ts'
import { answers } from './rewrite.ts'

/** Descriptions of the interface that are different. */

/** Another description than that of the service. */
export const describedAs = (change: (text: string) => unknown): Mutant =>
  answers(['transport.openapi'], (answer) => ({
    ...answer,
    bytes: Buffer.from(JSON.stringify(change(String(answer.bytes)))),
  }))

/** A description in which some text is written otherwise, or left out. */
export const respelled = (what: RegExp, by: string): Mutant =>
  describedAs((text) => JSON.parse(text.replaceAll(what, by)))

/** A description without the operations of sessions. */
export const withoutSessions = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) =>
    String((value as { operationId?: unknown } | null)?.operationId).startsWith('sessions.')
      ? undefined
      : value,
  )

/** The address of the service, followed by its prefix, which the paths have as well. */
export const prefixTwice = answers(['transport.openapi'], (answer, { service }) => ({
  ...answer,
  bytes: Buffer.from(
    String(answer.bytes).replaceAll(
      `"url":"${service.publicUrl}"`,
      `"url":"${service.publicUrl}${service.dialect.prefix}"`,
    ),
  ),
}))
