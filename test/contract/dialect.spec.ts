import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { dialectOf } from '../../contract/dialects.ts'
import { fromWire, toWire } from '../../lib/wire.ts'
import { createWire } from '../../reference/http/wire.ts'
import { projectRoot } from '../sources.ts'

// Tester and reference translate on their own; the known answers between them are written by hand.

interface Vector {
  readonly name: string
  readonly dialect: string
  readonly schema: string | null
  readonly direction: 'both' | 'write' | 'read'
  readonly canonical: unknown
  readonly wire: unknown
}

const root = projectRoot()
const { vectors } = JSON.parse(
  readFileSync(path.join(root ?? '.', 'contract/vectors/dialect.json'), 'utf8'),
) as { readonly vectors: readonly Vector[] }

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
  for (const vector of vectors) {
    test(`${who}: ${vector.name}`, () => {
      const dialect = dialectOf(vector.dialect)
      if (dialect === undefined) throw new Error(`no dialect ${vector.dialect}`)
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
