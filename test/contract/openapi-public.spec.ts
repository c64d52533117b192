import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { diffOpenApi } from '../../cli/contract/diff.ts'
import type { Difference } from '../../cli/contract/diff.ts'
import { dialects } from '../../contract/dialects.ts'
import { publishedFolder } from '../../lib/node/published.ts'

// The dialect ksef agrees with the published description, operation by operation and field by field, and the comparison
// detects changes to it.

const published = path.join(publishedFolder, 'openapi-2.7.0.json')
const readPublished = (): unknown => JSON.parse(readFileSync(published, 'utf8'))
const inWords = ({ kind, where, expected, found, accepted }: Difference): string =>
  `${kind} at ${where}: contract ${expected ?? 'nothing'}, published ${found ?? 'nothing'}${accepted === undefined ? '' : ` (${accepted})`}`

test.describe('the published description of API 2.7.0', () => {
  test.skip(!existsSync(published), `${published} is missing (docs/guides/public-data.md)`)

  test('differs from dialect ksef only where that is accepted', () => {
    const differences = diffOpenApi(readPublished(), dialects.ksef)
    console.log(differences.map(inWords).join('\n'))
    expect(differences.filter(({ accepted }) => accepted === undefined).map(inWords)).toEqual([])
    // A reason that explains nothing any more is stale.
    const reasons = new Set(differences.map(({ accepted }) => accepted))
    expect(
      dialects.ksef.accepted?.map(({ reason }) => reason).filter((one) => !reasons.has(one)),
    ).toEqual([])
  })

  test('differs from dialect svc in breaking ways', () => {
    const breaking = diffOpenApi(readPublished(), dialects.svc).filter((one) => one.breaking)
    expect(breaking.map(({ where }) => where)).toContain('GET /health')
  })

  interface Nested {
    [name: string]: Nested & string[]
  }
  const changes: readonly {
    readonly name: string
    readonly change: (schemas: Nested, paths: Nested) => void
    readonly kind: string
    readonly where: string
  }[] = [
    {
      name: 'a removed field',
      change: (schemas) => {
        delete schemas['SessionStatusResponse']?.['properties']?.['dateUpdated']
      },
      kind: 'field-removed',
      where: 'GET /sessions/{} answer.dateUpdated',
    },
    {
      name: 'a narrowed enumeration',
      change: (schemas) => {
        schemas['CompressionType']?.['enum']?.pop()
      },
      kind: 'enum-narrowed',
      where: 'POST /invoices/exports request.compressionType',
    },
    {
      name: 'a new required field',
      change: (schemas) => {
        const request = schemas['GenerateTokenRequest']
        if (request?.['properties']) request['properties']['purpose'] = { type: 'string' } as never
        request?.['required']?.push('purpose')
      },
      kind: 'required-added',
      where: 'POST /tokens request.purpose',
    },
    {
      name: 'a removed operation',
      change: (_, paths) => {
        delete paths['/tokens']?.['get']
      },
      kind: 'operation-removed',
      where: 'GET /tokens',
    },
  ]
  for (const { name, change, kind, where } of changes) {
    test(`${name} is breaking`, () => {
      const document = readPublished() as {
        readonly components: { readonly schemas: Nested }
        readonly paths: Nested
      }
      change(document.components.schemas, document.paths)
      const breaking = diffOpenApi(document, dialects.ksef).filter((one) => one.breaking)
      expect(breaking[0]).toMatchObject({ breaking: true })
      expect(breaking).toContainEqual(expect.objectContaining({ kind, where }))
    })
  }
})
