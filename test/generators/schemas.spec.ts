import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { seededDraw } from '../../generators/draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { compileRoot, documents, freely } from '../../generators/schema/arbitrary.ts'
import { coverage } from '../../generators/schema/coverage.ts'
import { checkFillable } from '../../generators/schema/fillable.ts'
import { SchemaError } from '../../generators/schema/model.ts'
import { parseSchema } from '../../generators/schema/parse.ts'
import { serialize } from '../../generators/schema/serialize.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { judged } from './judge.ts'
import { compile } from './schema-equivalence/verdict.ts'

/** Schemas that are not ours: for the supported subset we generate documents that libxml2 accepts. */

const { seed } = runOptions

const restricted = (base: string, ...facets: readonly string[]) =>
  `<xsd:simpleType><xsd:restriction base="xsd:${base}">${facets
    .map((each) => `<xsd:${each.replace('=', ' value="')}"/>`)
    .join('')}</xsd:restriction></xsd:simpleType>`
const inSchema = (body: string) =>
  `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="urn:s" targetNamespace="urn:s" elementFormDefault="qualified">\n${body}\n</xsd:schema>`

/** Every ordered or measured type, with bounds that allow few values. */
const bounded: readonly string[] = [
  restricted('date', 'minInclusive=2024-02-28', 'maxInclusive=2024-03-01'),
  restricted('dateTime', 'minExclusive=2024-12-31T23:59:58Z', 'maxExclusive=2025-01-01T00:00:01Z'),
  restricted('gYear', 'minExclusive=2101'),
  restricted('gYearMonth', 'minInclusive=2024-11', 'maxInclusive=2025-02'),
  restricted('gMonthDay', 'minInclusive=--02-28', 'maxInclusive=--03-01'),
  restricted('gDay', 'maxInclusive=---03'),
  restricted('gMonth', 'minInclusive=--11'),
  restricted('time', 'minInclusive=08:00:00', 'maxInclusive=08:00:09'),
  restricted('float', 'minInclusive=-1.5', 'maxInclusive=1e3'),
  restricted('double', 'minExclusive=1000000'),
  restricted('decimal', 'minInclusive=0.001', 'maxInclusive=0.009'),
  restricted('decimal', 'enumeration=1.50', 'enumeration=2'),
  restricted('integer', 'totalDigits=20'),
  restricted('unsignedLong'),
  restricted('nonPositiveInteger', 'minExclusive=-3'),
  restricted('hexBinary', 'length=20'),
  restricted('base64Binary', 'minLength=16', 'maxLength=17'),
  restricted('anyURI', 'maxLength=30'),
  restricted('anyURI', 'length=5'),
  restricted('token', 'length=3'),
  restricted('string', 'whiteSpace=replace', 'minLength=1'),
  restricted('string', "pattern=[A-Z][a-ząćę'\\-]{1,20}( [A-Z][a-z]+)?", 'maxLength=12'),
  ...['boolean', 'duration', 'language', 'NMTOKEN', 'Name', 'NCName'].map((name) =>
    restricted(name),
  ),
]

const cases: Readonly<Record<string, readonly [root: string, text: string]>> = {
  'types within narrow bounds': [
    'All',
    inSchema(
      `<xsd:element name="All"><xsd:complexType><xsd:sequence>${bounded
        .map((type, i) => `<xsd:element name="v${i}" minOccurs="0">${type}</xsd:element>`)
        .join('\n')}
      <xsd:element name="never" minOccurs="0" maxOccurs="0" type="xsd:byte"/>
      <xsd:element name="list"><xsd:simpleType><xsd:restriction><xsd:simpleType><xsd:list itemType="xsd:int"/></xsd:simpleType><xsd:enumeration value="5 6"/><xsd:enumeration value="7"/></xsd:restriction></xsd:simpleType></xsd:element>
      <xsd:element name="either"><xsd:simpleType><xsd:restriction><xsd:simpleType><xsd:union memberTypes="xsd:int xsd:date"/></xsd:simpleType><xsd:enumeration value="5"/><xsd:enumeration value="2020-01-01"/></xsd:restriction></xsd:simpleType></xsd:element>
      </xsd:sequence></xsd:complexType></xsd:element>`,
    ),
  ],
  'choices in one line, repeated and nested': [
    'R',
    inSchema(
      `<xsd:element name="R"><xsd:complexType><xsd:choice minOccurs="2" maxOccurs="4"><xsd:element name="a" type="xsd:int"/><xsd:sequence maxOccurs="2"><xsd:element name="b" type="xsd:int"/><xsd:choice><xsd:element name="c" type="xsd:int"/><xsd:element name="d" type="xsd:int"/></xsd:choice></xsd:sequence><xsd:sequence><xsd:choice minOccurs="0"><xsd:element name="e" type="xsd:date"/><xsd:element name="f" type="xsd:time"/></xsd:choice><xsd:element name="g" type="xsd:gYear"/></xsd:sequence></xsd:choice><xsd:attribute name="q" form="qualified" type="xsd:NMTOKEN" use="required"/><xsd:attribute name="r" fixed="a b"/></xsd:complexType></xsd:element>`,
    ),
  ],
  'restrictions that take attributes away': [
    'R',
    inSchema(`<xsd:complexType name="B"><xsd:sequence><xsd:element name="x" type="P" minOccurs="0" maxOccurs="5"/></xsd:sequence><xsd:attribute name="k" type="xsd:date"/><xsd:attribute name="m" type="xsd:int"/></xsd:complexType>
    <xsd:complexType name="P"><xsd:simpleContent><xsd:extension base="xsd:decimal"><xsd:attribute name="cur" type="C" use="required"/></xsd:extension></xsd:simpleContent></xsd:complexType>
    <xsd:complexType name="S"><xsd:simpleContent><xsd:restriction base="P"><xsd:maxInclusive value="10"/><xsd:attribute name="cur" type="Pln" use="required"/></xsd:restriction></xsd:simpleContent></xsd:complexType>
    <xsd:simpleType name="C"><xsd:restriction base="xsd:token"><xsd:pattern value="[A-Z]{3}"/></xsd:restriction></xsd:simpleType>
    <xsd:simpleType name="Pln"><xsd:restriction base="C"><xsd:enumeration value="PLN"/></xsd:restriction></xsd:simpleType>
    <xsd:complexType name="L"><xsd:complexContent><xsd:restriction base="B"><xsd:sequence><xsd:element name="x" type="P" minOccurs="1" maxOccurs="2"/></xsd:sequence><xsd:attribute name="k" use="prohibited"/></xsd:restriction></xsd:complexContent></xsd:complexType>
    <xsd:element name="R"><xsd:complexType><xsd:complexContent><xsd:extension base="B"><xsd:sequence><xsd:element name="l" type="L"/><xsd:element name="s" type="S"/><xsd:element name="all"><xsd:complexType><xsd:all><xsd:element name="p" type="xsd:int" minOccurs="0"/><xsd:element name="q" type="xsd:int"/></xsd:all></xsd:complexType></xsd:element></xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType></xsd:element>`),
  ],
  'types that contain themselves many times, or must end in one branch': [
    'R',
    inSchema(`<xsd:complexType name="N"><xsd:sequence><xsd:element name="a" type="N" minOccurs="0" maxOccurs="unbounded"/><xsd:element name="b" type="N" minOccurs="0" maxOccurs="unbounded"/><xsd:element name="c" type="N" minOccurs="0" maxOccurs="5"/></xsd:sequence></xsd:complexType>
    <xsd:complexType name="E"><xsd:choice><xsd:element name="sum"><xsd:complexType><xsd:sequence><xsd:element name="l" type="E"/><xsd:element name="r" type="E"/></xsd:sequence></xsd:complexType></xsd:element><xsd:element name="not" type="E"/><xsd:element name="number" type="xsd:int"/></xsd:choice></xsd:complexType>
    <xsd:element name="R"><xsd:complexType><xsd:sequence><xsd:element name="tree" type="N"/><xsd:element name="term" type="E"/></xsd:sequence></xsd:complexType></xsd:element>`),
  ],
  'identities that few values meet, equal in more than their spelling': [
    'R',
    inSchema(`<xsd:simpleType name="Letter"><xsd:restriction base="xsd:token"><xsd:enumeration value="a"/><xsd:enumeration value="b"/></xsd:restriction></xsd:simpleType>
    <xsd:simpleType name="Byte"><xsd:restriction base="xsd:hexBinary"><xsd:pattern value="[aA][bB]|0[12]"/></xsd:restriction></xsd:simpleType>
    <xsd:simpleType name="Either"><xsd:union memberTypes="Few Letter"/></xsd:simpleType>
    <xsd:simpleType name="Few"><xsd:restriction base="xsd:decimal"><xsd:pattern value="0?[12](\\.0)?"/></xsd:restriction></xsd:simpleType>
    <xsd:simpleType name="Fews"><xsd:restriction><xsd:simpleType><xsd:list itemType="Few"/></xsd:simpleType><xsd:minLength value="1"/><xsd:maxLength value="2"/></xsd:restriction></xsd:simpleType>
    <xsd:element name="R"><xsd:complexType><xsd:sequence>
      <xsd:element name="flag" minOccurs="2" maxOccurs="4"><xsd:complexType><xsd:attribute name="k" type="Letter" use="required"/><xsd:attribute name="on" type="xsd:boolean" use="required"/></xsd:complexType></xsd:element>
      <xsd:element name="byte" type="Byte" minOccurs="2" maxOccurs="3"/>
      <xsd:element name="either" type="Either" minOccurs="2" maxOccurs="4"/>
      <xsd:element name="fews" type="Fews" minOccurs="2" maxOccurs="4"/>
      <xsd:element name="of" type="Byte" minOccurs="0" maxOccurs="3"/>
    </xsd:sequence></xsd:complexType>
    ${[
      ['flag', '@k', '@on'],
      ['either', '.'],
      ['fews', '.'],
    ]
      .map(
        ([name, ...fields]) =>
          `<xsd:unique name="u-${name}"><xsd:selector xmlns:s="urn:s" xpath="s:${name}"/>${fields
            .map((field) => `<xsd:field xpath="${field}"/>`)
            .join('')}</xsd:unique>`,
      )
      .join('')}
    <xsd:key name="bytes"><xsd:selector xmlns:s="urn:s" xpath="s:byte"/><xsd:field xpath="."/></xsd:key>
    <xsd:keyref name="of-bytes" refer="bytes"><xsd:selector xmlns:s="urn:s" xpath="s:of"/><xsd:field xpath="."/></xsd:keyref></xsd:element>`),
  ],
}

for (const [what, [root, text]] of Object.entries(cases)) {
  test(`documents of a schema with ${what} are valid, and reach everything`, () => {
    const schema = parseSchema({ text, file: 'here.xsd' })
    checkFillable(schema, root)
    const validator = compile(text, `schemas-${seedFrom(what)}`)
    const make = compileRoot(schema, root)
    for (let index = 0; index < 150; index++) {
      const bytes = serialize(make(seededDraw(seedFrom(seed, what, index))))
      expect(judged(validator, bytes), new TextDecoder().decode(bytes)).toEqual([])
    }
    const run = coverage({ schema, root, seed, maxDocuments: 2_000, base: freely })
    for (const document of run.documents())
      expect(judged(validator, serialize(document))).toEqual([])
    const missed = run
      .report()
      .unreached.filter(
        ({ reason }) => !/no upper bound|occurrences are possible|leave no such value/.test(reason),
      )
    expect(missed).toEqual([])
    expect(run.report().reached).toBeGreaterThan(0)
  })
}

test('a document of a recursive schema shrinks to a valid one', () => {
  const [root, text] = cases['types that contain themselves many times, or must end in one branch']!
  const validator = compile(text, 'schemas-shrunk')
  const result = fc.check(
    fc.property(
      documents(parseSchema({ text, file: 'here.xsd' }), root),
      (document) => !new TextDecoder().decode(serialize(document)).includes('<sum>'),
    ),
    { seed, numRuns: 200 },
  )
  const [least] = result.counterexample ?? []
  const bytes = serialize(least!)
  expect(judged(validator, bytes)).toEqual([])
  expect(new TextDecoder().decode(bytes)).toContain(
    '<term><sum><l><number>0</number></l><r><number>0</number></r></sum></term>',
  )
})

const inRoot = (content: string) =>
  inSchema(
    `<xsd:element name="a"><xsd:complexType><xsd:sequence>\n${content}\n</xsd:sequence></xsd:complexType></xsd:element>`,
  )

for (const [construct, text, line] of [
  ['cannot be met', inRoot('<xsd:element name="b" type="xsd:int" minOccurs="2"/>'), 3],
  ['cannot be met', inRoot('<xsd:element name="b" type="xsd:int" maxOccurs="many"/>'), 3],
  [
    'xsd:assertion',
    inRoot(`<xsd:element name="b">${restricted('int', 'assertion=1')}</xsd:element>`),
    3,
  ],
  [
    'xsd:minInclusive of a duration',
    inRoot(`<xsd:element name="b">${restricted('duration', 'minInclusive=P1D')}</xsd:element>`),
    3,
  ],
  [
    'element b: no value',
    inRoot(
      `<xsd:element name="b">${restricted('string', 'minLength=5', 'maxLength=3')}</xsd:element>`,
    ),
    3,
  ],
  [
    'take the same b',
    inRoot(
      '<xsd:element name="b" type="xsd:int" minOccurs="0"/>\n<xsd:element name="b" type="xsd:date"/>',
    ),
    4,
  ],
  [
    'take the same c',
    inRoot(
      '<xsd:sequence maxOccurs="3"><xsd:choice><xsd:element name="c" type="xsd:int"/><xsd:element name="d" type="xsd:int"/></xsd:choice></xsd:sequence>\n<xsd:element name="c" type="xsd:int"/>',
    ),
    4,
  ],
  ['needs itself', inRoot('<xsd:element ref="a"/>'), 2],
  [
    'contains itself',
    inSchema(
      '<xsd:group name="g"><xsd:sequence>\n<xsd:group ref="g"/></xsd:sequence></xsd:group><xsd:element name="a" type="xsd:int"/>',
    ),
    3,
  ],
  [
    'derived from itself',
    inSchema(
      '<xsd:element name="a" type="xsd:int"/>\n<xsd:complexType name="T"><xsd:complexContent><xsd:extension base="T"/></xsd:complexContent></xsd:complexType>',
    ),
    3,
  ],
] as const) {
  test(`what cannot be filled is named with its line: ${construct}, ${text.length}`, () => {
    let thrown: unknown
    try {
      checkFillable(parseSchema({ text, file: 'here.xsd' }), 'a')
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(SchemaError)
    expect((thrown as SchemaError).message).toContain(construct)
    expect((thrown as SchemaError).line).toBe(line)
  })
}
