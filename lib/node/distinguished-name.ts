/** Names in certificates, as attributes and as text. */

/** Attribute types (OIDs) of a subject, by the names of contract and standards. */
export const attributeTypes = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  countryName: '2.5.4.6',
  organizationName: '2.5.4.10',
  organizationalUnitName: '2.5.4.11',
  givenName: '2.5.4.42',
  uniqueIdentifier: '2.5.4.45',
  organizationIdentifier: '2.5.4.97',
} as const
export type AttributeName = keyof typeof attributeTypes
export type Subject = Readonly<Partial<Record<AttributeName, string>>>

/** How Node writes attribute types. */
const writtenTypes: Readonly<Record<AttributeName, string>> = {
  commonName: 'CN',
  surname: 'SN',
  serialNumber: 'serialNumber',
  countryName: 'C',
  organizationName: 'O',
  organizationalUnitName: 'OU',
  givenName: 'GN',
  uniqueIdentifier: 'x500UniqueIdentifier',
  organizationIdentifier: 'organizationIdentifier',
}

export type Attribute = readonly [AttributeName, string]

/** The attributes of a name, in the order of {@link attributeTypes} unless another is given. */
export const attributesOf = (subject: Subject, order = Object.keys(attributeTypes)): Attribute[] =>
  (order as AttributeName[]).flatMap((name) => {
    const value = subject[name]
    return value === undefined ? [] : [[name, value] as const]
  })

/** A distinguished name as text: the attributes, the last one first. Source: RFC 4514. */
export const nameText = (attributes: readonly Attribute[]): string =>
  attributes
    .toReversed()
    .map(([type, value]) => {
      const escaped = value.replaceAll(/^[ #]|[,+"\\<>;]| $/g, String.raw`\$&`)
      return `${writtenTypes[type]}=${escaped}`
    })
    .join(',')
