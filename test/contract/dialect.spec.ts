import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Dialect } from '../../contract/dialect.ts'
import { dialectOf, dialects, withoutAdditions } from '../../contract/dialects.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { Endpoint } from '../../contract/types.ts'
import { wireSchema, wireSchemas } from '../../contract/wire-schemas.ts'
import { fromWire, toWire } from '../../lib/wire.ts'
import { createWireSchemas } from '../../reference/http/wire-schemas.ts'
import { createWire } from '../../reference/http/wire.ts'
import { projectRoot } from '../sources.ts'

// Tester and reference translate independently; the expected translations are written by hand.

interface Vector {
  readonly name: string
  readonly dialect: string
  readonly schema: string | null
  readonly direction: 'both' | 'write' | 'read'
  readonly canonical: unknown
  readonly wire: unknown
}

const root = projectRoot()
const known = JSON.parse(
  readFileSync(path.join(root ?? '.', 'contract/vectors/dialect.json'), 'utf8'),
) as { readonly vectors: readonly Vector[]; readonly schemas: readonly SchemaVector[] }

const translators = {
  tester: {
    write: toWire,
    read: fromWire,
  },
  reference: {
    write: (body: unknown, schema: string | undefined, dialect: Parameters<typeof createWire>[0]) =>
      createWire(dialect).write(schema, body),
    read: (body: unknown, schema: string | undefined, dialect: Parameters<typeof createWire>[0]) =>
      createWire(dialect).read(schema, body),
  },
}

for (const [who, translator] of Object.entries(translators)) {
  for (const vector of known.vectors) {
    test(`${who}: ${vector.name}`, () => {
      const spoken = dialectOf(vector.dialect)
      if (spoken === undefined) throw new Error(`no dialect ${vector.dialect}`)
      // Only the service writes what later versions added.
      const dialect = withoutAdditions(spoken)
      const schema = vector.schema ?? undefined
      const before = JSON.stringify([vector.canonical, vector.wire])
      if (vector.direction !== 'read') {
        expect(translator.write(vector.canonical, schema, dialect)).toEqual(vector.wire)
      }
      if (vector.direction !== 'write') {
        expect(translator.read(vector.wire, schema, dialect)).toEqual(vector.canonical)
      }
      expect(JSON.stringify([vector.canonical, vector.wire]), 'the input is untouched').toBe(before)
    })
  }
}

interface SchemaVector {
  readonly name: string
  readonly dialect: string
  readonly schema: string
  readonly wire: object
}

/** Neither examples nor the order of `required` matter. */
const comparable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(comparable)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== 'examples')
      .map(([keyword, value]) => [
        keyword,
        keyword === 'required' && Array.isArray(value)
          ? [...new Set<string>(value)].toSorted()
          : comparable(value),
      ]),
  )
}

for (const { name, dialect: id, schema, wire } of known.schemas) {
  test(`schemas: ${name}`, () => {
    const dialect = withoutAdditions(dialectOf(id) ?? dialects.svc)
    expect(comparable(wireSchemas(dialect)[schema])).toEqual(comparable(wire))
    expect(comparable(createWireSchemas(dialect).all[schema])).toEqual(comparable(wire))
  })
}

/** Uses every kind of row. */
const invented: Dialect = {
  ...dialects.svc,
  id: 'invented',
  fields: { challenge: 'question', formCode: 'form', status: 'state' },
  values: { usage: { SvcTokenEncryption: 'Tokens' }, status: { Active: 'on' } },
  moves: {
    OpenOnlineSession: { initVector: 'a.b.vector', encryptedSymmetricKey: 'a.key' },
    ChallengeAnswer: { timestampMs: 'timestamp.ms' },
  },
  omits: { ChallengeAnswer: ['clientIp'] },
  constants: {
    OpenOnlineSession: { 'a.version': 2, kind: { name: 'online', nested: { x: true } } },
  },
  requires: { OpenOnlineSession: ['publicKeyId'] },
  schemas: { PublicKeyId: { type: 'integer' } },
}

for (const dialect of [...Object.values<Dialect>(dialects), invented]) {
  test(`tester and reference derive the same schemas of ${dialect.id}`, () => {
    const reference = createWireSchemas(dialect)
    expect(comparable(reference.all)).toEqual(comparable(wireSchemas(dialect)))
    for (const { name, schema } of Object.values<Endpoint>(endpoints).flatMap(
      ({ parameters = [] }) => parameters,
    )) {
      expect(comparable(reference.of(schema, name)), name).toEqual(
        comparable(wireSchema(schema, name, dialect)),
      )
    }
  })
}
