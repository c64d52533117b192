import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { invoiceSchemas } from '../../contract/environments.ts'
import { corpus } from '../../generators/corpus/corpus.ts'
import { invoiceCoverage } from '../../generators/invoice/coverage.ts'
import { documents } from '../../generators/schema/arbitrary.ts'
import { contractSchema, invoiceSchema } from '../../generators/schema/contract.ts'
import type { Element } from '../../generators/schema/document.ts'
import { SchemaError } from '../../generators/schema/model.ts'
import { parseSchema } from '../../generators/schema/parse.ts'
import { parsePattern } from '../../generators/schema/parse-pattern.ts'
import { drawPattern, toRegExp } from '../../generators/schema/pattern.ts'
import { placesOf } from '../../generators/schema/places.ts'
import { drawn } from '../../generators/draw/arbitrary.ts'
import type { ReadElement } from '../../generators/schema/read-document.ts'
import { asRead } from '../../generators/schema/as-read.ts'
import { readXml } from '../../generators/schema/reader.ts'
import { serialize } from '../../generators/schema/serialize.ts'
import { validate } from '../../generators/schema/validate.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { judged } from './judge.ts'
import {
  compile,
  havePublished,
  provideBaseTypes,
  PUBLISHED,
  readOwn,
  readPublished,
} from './schema-equivalence/verdict.ts'
import { sampleSize } from '../sample.ts'

/** The schema compiler: its documents are valid, it names what it does not support, and it reaches all it can. */

const { seed } = runOptions
const publishedFile = {
  fa2: 'fa/schemat_FA(2)_v1-0E.xsd',
  fa3: 'fa/schemat_FA(3)_v1-0E.xsd',
} as const

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

for (const [file, root] of [
  ['fa3.xsd', 'Faktura'],
  ['fa2.xsd', 'Faktura'],
  ['auth-token-request-2.0.xsd', 'AuthTokenRequest'],
  ['auth-token-request-2.1.xsd', 'AuthTokenRequest'],
  ['upo-4-3.xsd', 'Potwierdzenie'],
] as const) {
  test(`documents drawn from ${file} are valid, and shrink to valid ones`, () => {
    const schema = contractSchema(file)
    const validator = compile(readOwn(file), `drawn-${file}`)
    const faults: string[] = []
    const result = fc.check(
      fc.property(documents(schema, root), (document) => {
        faults.push(...judged(validator, serialize(document)))
        return serialize(document).length < 1_500
      }),
      { seed, numRuns: sampleSize(200, 10) },
    )
    expect(faults).toEqual([])
    expect(result.numRuns).toBeGreaterThan(0)
  })
}

const samples = new URL('samples/', PUBLISHED)

/** Paths of the published examples that are not among those reached. */
const missedOf = (schema: 'fa2' | 'fa3', reached: ReadonlySet<string>): string[] => {
  const folder = new URL(`${schema}/`, samples)
  const paths = new Set<string>()
  for (const file of readdirSync(folder))
    collectPaths(readXml(readFileSync(new URL(file, folder), 'utf8')).root, 'Faktura', paths)
  return [...paths].filter((each) => !reached.has(each) && !each.includes('schemaLocation'))
}

for (const schema of ['fa3', 'fa2'] as const) {
  test(`coverage of ${schema}: everything is reached, every document is valid`, () => {
    const run = invoiceCoverage(schema, seed)
    const own = compile(readOwn(invoiceSchemas[schema].xsd), `coverage-${schema}`)
    const validators = [own]
    if (havePublished()) {
      provideBaseTypes()
      validators.push(compile(readPublished(publishedFile[schema]), `coverage-published-${schema}`))
    } else
      console.log(
        `the published schemas are not at ${PUBLISHED.pathname}: only the project's own judges`,
      )
    const faults: string[] = []
    const reached = new Set<string>()
    const values = new Map<string, Set<string>>()
    let count = 0
    for (const document of run.documents()) {
      count++
      const bytes = serialize(document)
      for (const validator of validators) faults.push(...judged(validator, bytes))
      const read = asRead(document)
      collectPaths(read, document.name, reached)
      collectValues(read, document.name, values)
    }
    expect(faults).toEqual([])
    const report = run.report()
    expect(count).toBeLessThanOrEqual(2_000)
    expect(report.documents).toBe(count)
    const explained = /no upper bound|occurrences are possible|leave no such value/
    expect(
      report.unreached.filter(({ reason }) => !explained.test(reason)),
      'each with its reason',
    ).toEqual([])
    // Counted again from the written documents, independently of the generator's own records.
    const places = placesOf(invoiceSchema(schema), 'Faktura').elements
    expect(places.filter(({ path }) => !reached.has(path))).toEqual([])
    const untried = places.flatMap(({ path, particle: { fixed, type } }) => {
      const simple = type()
      if (simple.kind !== 'atomic' || fixed !== undefined) return []
      const written = values.get(path) ?? new Set()
      return (simple.facets.enumeration ?? []).flatMap((each) =>
        written.has(each) ? [] : `${path}: ${each}`,
      )
    })
    expect(untried, 'every value of every enumeration, at every place').toEqual([])
    if (existsSync(samples))
      expect(missedOf(schema, reached), 'paths of the published examples').toEqual([])
    else console.log(`the published examples are not at ${samples.pathname}`)
  })
}

function collectPaths(node: ReadElement, path: string, into: Set<string>): void {
  into.add(path)
  for (const { name } of node.attributes) into.add(`${path}/@${name}`)
  for (const each of node.children) collectPaths(each, `${path}/${each.name}`, into)
}

function collectValues(node: ReadElement, path: string, into: Map<string, Set<string>>): void {
  if (node.children.length === 0) {
    const values = into.get(path) ?? new Set()
    into.set(path, values.add(node.text))
  }
  for (const each of node.children) collectValues(each, `${path}/${each.name}`, into)
}

const schemaText = (body: string) =>
  `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">\n${body}\n</xsd:schema>`
const inRoot = (content: string) =>
  schemaText(
    `<xsd:element name="a"><xsd:complexType>\n${content}\n</xsd:complexType></xsd:element>`,
  )

for (const [construct, text, line] of [
  [
    'xsd:any processContents="strict"',
    inRoot('<xsd:sequence>\n<xsd:any namespace="urn:b"/></xsd:sequence>'),
    4,
  ],
  [
    'xsd:element has no attribute minOcurs',
    inRoot('<xsd:sequence>\n<xsd:element name="b" type="xsd:int" minOcurs="0"/></xsd:sequence>'),
    4,
  ],
  [
    'is defined twice',
    schemaText('<xsd:element name="a" type="xsd:int"/>\n<xsd:element name="a" type="xsd:int"/>'),
    3,
  ],
  [
    'is abstract, and nothing replaces it',
    schemaText(
      '<xsd:element name="h" abstract="true" type="xsd:int"/><xsd:element name="a"><xsd:complexType><xsd:sequence>\n<xsd:element ref="h"/></xsd:sequence></xsd:complexType></xsd:element>',
    ),
    3,
  ],
  [
    '\\b is not supported',
    schemaText(
      '<xsd:simpleType name="t"><xsd:restriction base="xsd:string">\n<xsd:pattern value="a\\b"/></xsd:restriction></xsd:simpleType>',
    ),
    3,
  ],
  ['xsd:NOTATION', schemaText('\n<xsd:element name="a" type="xsd:NOTATION"/>'), 3],
  [
    'xsd:key',
    schemaText('<xsd:element name="a" type="xsd:string">\n<xsd:key name="k"/></xsd:element>'),
    3,
  ],
  ['xsd:redefine', schemaText('\n<xsd:redefine schemaLocation="x.xsd"/>'), 3],
  [
    'xsd:pattern',
    schemaText(
      '<xsd:simpleType name="t"><xsd:restriction base="xsd:string">\n<xsd:pattern value="[a"/></xsd:restriction></xsd:simpleType>',
    ),
    3,
  ],
  ['type b:T', schemaText('<xsd:element name="a" xmlns:b="urn:b"\n type="b:T"/>'), 2],
  ['"x.xsd" cannot be read', schemaText('\n<xsd:include schemaLocation="x.xsd"/>'), 3],
] as const) {
  test(`an unsupported construct is named with its line: ${construct}`, () => {
    let thrown: unknown
    try {
      parseSchema({ text, file: 'here.xsd' })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(SchemaError)
    expect((thrown as SchemaError).message).toContain(construct)
    expect((thrown as SchemaError).line).toBe(line)
  })
}

test('supports lists, groups, nested unions, recursion, imports and attribute groups', () => {
  const other = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:types">
    <xsd:simpleType name="Code"><xsd:restriction base="xsd:token"><xsd:pattern value="[A-Z]{2}-\\d{3,5}"/></xsd:restriction></xsd:simpleType>
    <xsd:simpleType name="Either"><xsd:union memberTypes="xsd:boolean"><xsd:simpleType><xsd:restriction base="xsd:int"><xsd:minInclusive value="5"/><xsd:maxExclusive value="9"/></xsd:restriction></xsd:simpleType></xsd:union></xsd:simpleType>
  </xsd:schema>`
  const main = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:types" xmlns="urn:main" targetNamespace="urn:main" elementFormDefault="qualified">
    <xsd:import namespace="urn:types" schemaLocation="types.xsd"/>
    <xsd:attributeGroup name="marks"><xsd:attribute name="code" type="t:Code" use="required"/><xsd:attribute name="at" type="xsd:gYearMonth"/></xsd:attributeGroup>
    <xsd:group name="pair"><xsd:sequence><xsd:element name="x" type="t:Either"/><xsd:element name="y" type="xsd:base64Binary" minOccurs="0"/></xsd:sequence></xsd:group>
    <xsd:complexType name="Node"><xsd:sequence><xsd:group ref="pair" maxOccurs="2"/><xsd:element name="node" type="Node" minOccurs="0" maxOccurs="unbounded"/></xsd:sequence><xsd:attributeGroup ref="marks"/></xsd:complexType>
    <xsd:element name="tree"><xsd:complexType><xsd:complexContent><xsd:extension base="Node"><xsd:choice minOccurs="0" maxOccurs="3"><xsd:element name="day" type="xsd:gMonthDay"/><xsd:element name="numbers"><xsd:simpleType><xsd:restriction><xsd:simpleType><xsd:list itemType="xsd:unsignedByte"/></xsd:simpleType><xsd:maxLength value="4"/></xsd:restriction></xsd:simpleType></xsd:element></xsd:choice></xsd:extension></xsd:complexContent></xsd:complexType></xsd:element>
  </xsd:schema>`
  const schema = parseSchema({ text: main, file: 'main.xsd' }, (location) =>
    location === 'types.xsd' ? { text: other, file: 'types.xsd' } : undefined,
  )
  const made = fc.sample(documents(schema, 'tree'), { seed, numRuns: 200 })
  const objections = made.flatMap((document) => validate(schema, asRead(document)))
  expect(objections).toEqual([])
  const names = new Set<string>()
  const visit = (at: Element) => {
    names.add(at.name)
    if (typeof at.content !== 'string') at.content.forEach(visit)
  }
  made.forEach(visit)
  expect([...names].toSorted()).toEqual(['day', 'node', 'numbers', 'tree', 'x', 'y'])
})

test('text drawn from a pattern matches it, including nested character classes', () => {
  for (const source of [
    '[a-z-[aeiou]]{3,5}',
    '\\i\\c*',
    '(\\d|[A-Z]|\\+|\\*){1,12}',
    '[^\\s?#]*x',
    '\\p{Lu}\\P{Lu}+',
    '[\\w\\-.]+@[\\w.]+',
    '(a|b(c|d)?)*e{2,}',
    '[\\d-[5]]',
    '\\(\\[\\]\\)',
  ]) {
    const node = parsePattern(source)
    const expression = toRegExp(node)
    for (const text of fc.sample(
      drawn((draw) => drawPattern(node, draw)),
      { seed, numRuns: 50 },
    )) {
      expect(text, source).toMatch(expression)
    }
  }
})

test('our validator and libxml2 agree on generated and malformed documents', () => {
  const schema = invoiceSchema('fa3')
  const validator = compile(readOwn('fa3.xsd'), 'agree-fa3')
  const faults: string[] = []
  for (const { bytes, line } of corpus({ schema: 'fa3', seed, count: 100 })) {
    const text = new TextDecoder().decode(bytes)
    // Removes one element at random: some may be missing, others may not.
    const elements = [...text.matchAll(/<(P_\w+|NIP|Nazwa|KodKraju|JST|Rola)>[^<]*<\/\1>/g)]
    const chosen = elements[line.seed % elements.length] ?? elements[0]!
    const less = text.replace(chosen[0], '')
    const ours = validate(schema, readXml(less).root).length === 0
    const theirs = judged(validator, new TextEncoder().encode(less)).length === 0
    if (ours !== theirs)
      faults.push(`${line.file} without ${chosen[0]}: ours ${ours}, theirs ${theirs}`)
  }
  expect(faults).toEqual([])
})
