import { expect, test } from '@playwright/test'
import type { Dialect } from '../../contract/dialect.ts'
import { dialects } from '../../contract/dialects.ts'
import { schema, schemaIds } from '../../contract/schemas.ts'
import { schemaJudge } from '../../lib/node/schema.ts'
import { fromWire, toWire } from '../../lib/wire.ts'

// Every example of the contract goes out and comes back, in every dialect.

const examples = schemaIds.flatMap((id) =>
  ((schema(id)?.['examples'] ?? []) as unknown[])
    .filter((example): example is object => typeof example === 'object' && example !== null)
    .map((example) => ({ id, example })),
)

for (const dialect of Object.values<Dialect>(dialects)) {
  test(`${dialect.id}: what is written is read back, except what the wire format lacks`, () => {
    expect(examples.length).toBeGreaterThan(50)
    for (const { id, example } of examples) {
      const wire = toWire(example, id, dialect)
      const back = fromWire(wire, id, dialect)
      expect(toWire(back, id, dialect), id).toEqual(wire)
      expect(fromWire(toWire(back, id, dialect), id, dialect), id).toEqual(back)
    }
  })

  test(`${dialect.id}: what is written conforms to the schemas of the wire`, () => {
    const judge = schemaJudge(dialect)
    // An example may lack what only this dialect requires.
    const whole = examples.filter(({ id, example }) =>
      (dialect.requires?.[id] ?? []).every((name) => Object.keys(example).includes(name)),
    )
    const faults = whole.flatMap(({ id, example }) =>
      judge.wireProblems(id, toWire(example, id, dialect)).map((fault) => `${id}: ${fault}`),
    )
    expect(faults).toEqual([])
  })
}

test('svc: every example is read back unchanged', () => {
  for (const { id, example } of examples) {
    expect(fromWire(toWire(example, id, dialects.svc), id, dialects.svc), id).toEqual(example)
  }
})
