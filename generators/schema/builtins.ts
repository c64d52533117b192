import type { AtomicType, Facets, ListType, Primitive, WhiteSpace } from './model.ts'

export const xsdNamespace = 'http://www.w3.org/2001/XMLSchema'

const none = { patterns: [] } as const
const of = (
  primitive: Primitive,
  whiteSpace: WhiteSpace = 'collapse',
  facets: Partial<Facets> = {},
): AtomicType => ({ kind: 'atomic', primitive, facets: { ...none, whiteSpace, ...facets } })

const whole = (minInclusive?: string, maxInclusive?: string): AtomicType =>
  of('integer', 'collapse', {
    fractionDigits: 0,
    ...(minInclusive !== undefined && { minInclusive }),
    ...(maxInclusive !== undefined && { maxInclusive }),
  })

const ncName = of('string', 'collapse', { patterns: [['[\\i-[:]][\\c-[:]]*']] })
const nmToken = of('string', 'collapse', { patterns: [['\\c+']] })
const listOf = (item: AtomicType): ListType => ({
  kind: 'list',
  item,
  facets: { ...none, whiteSpace: 'collapse', minLength: 1 },
})

/** The built-in types of XML Schema 1.0 that are supported. ENTITY, ENTITIES and NOTATION need a DTD, and are not. */
export const builtins: Readonly<Record<string, AtomicType | ListType>> = {
  ID: { ...ncName, id: 'ID' },
  IDREF: { ...ncName, id: 'IDREF' },
  IDREFS: listOf({ ...ncName, id: 'IDREF' }),
  NMTOKENS: listOf(nmToken),
  QName: of('QName'),
  anySimpleType: of('string', 'preserve'),
  string: of('string', 'preserve'),
  normalizedString: of('string', 'replace'),
  token: of('string'),
  language: of('string', 'collapse', { patterns: [['[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*']] }),
  NMTOKEN: nmToken,
  Name: of('string', 'collapse', { patterns: [['\\i\\c*']] }),
  NCName: ncName,
  boolean: of('boolean'),
  decimal: of('decimal'),
  integer: whole(),
  nonPositiveInteger: whole(undefined, '0'),
  negativeInteger: whole(undefined, '-1'),
  nonNegativeInteger: whole('0'),
  positiveInteger: whole('1'),
  long: whole('-9223372036854775808', '9223372036854775807'),
  int: whole('-2147483648', '2147483647'),
  short: whole('-32768', '32767'),
  byte: whole('-128', '127'),
  unsignedLong: whole('0', '18446744073709551615'),
  unsignedInt: whole('0', '4294967295'),
  unsignedShort: whole('0', '65535'),
  unsignedByte: whole('0', '255'),
  double: of('double'),
  float: of('double'),
  date: of('date'),
  dateTime: of('dateTime'),
  time: of('time'),
  gYear: of('gYear'),
  gYearMonth: of('gYearMonth'),
  gMonthDay: of('gMonthDay'),
  gDay: of('gDay'),
  gMonth: of('gMonth'),
  duration: of('duration'),
  anyURI: of('anyURI'),
  hexBinary: of('hexBinary'),
  base64Binary: of('base64Binary'),
}
