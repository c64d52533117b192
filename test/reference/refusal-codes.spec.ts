import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { RefusalId } from '../../contract/errors.ts'
import { ksef } from '../../contract/dialects/ksef.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { answerOf } from '../../reference/base/refusals.ts'
import { createWire } from '../../reference/http/wire.ts'
import { published, publishedFile } from '../interop/published.ts'

/** The codes of refusals in ksef are those that the published description has for the operation. */

test.skip(!published, `${publishedFile} is not there`)

type Described = Readonly<
  Record<string, { readonly responses: Readonly<Record<string, { description?: string }>> }>
>

const shape = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

test('each refusal of an operation has a code that its table has', () => {
  const { paths } = JSON.parse(readFileSync(publishedFile, 'utf8')) as {
    paths: Readonly<Record<string, Described>>
  }
  const byShape = new Map(Object.entries(paths).map(([path, methods]) => [shape(path), methods]))
  const wire = createWire(ksef)
  const codeOf = (id: RefusalId, operation: OperationId): number | undefined => {
    try {
      const { status, code } = answerOf(id, ksef, operation)
      return status === 400 ? code : undefined
    } catch {
      // This refusal ends asynchronous work.
      return undefined
    }
  }
  const compared: string[] = []
  const unknown = operationIds.flatMap((operation) => {
    const route = wire.route(operation)
    const methods = byShape.get(shape((route?.paths[0] ?? '').slice(ksef.prefix.length)))
    if (route === undefined || methods === undefined) return []
    const text = methods[route.method.toLowerCase()]?.responses['400']?.description
    if (text === undefined) return []
    const codes = new Set(
      [...text.matchAll(/\|\s*(\d{4,5})\s*\|/g)].map(([, code]) => Number(code)),
    )
    const refusals = (endpoint(operation).refusals ?? []) as readonly RefusalId[]
    return refusals.flatMap((id) => {
      const code = codeOf(id, operation)
      if (code === undefined) return []
      compared.push(operation)
      return codes.has(code) ? [] : [`${operation}: ${id} has ${code}`]
    })
  })
  expect(unknown).toEqual([])
  expect(compared.length).toBeGreaterThan(50)
})
