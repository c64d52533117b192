import { escapeXml } from './auth-request.ts'
import { xmlDsig } from './xmldsig.ts'

/** Markup of the parts of a signature that need no computation. */

export const xadesNamespace = 'http://uri.etsi.org/01903/v1.3.2#'

/** An attribute, after a blank; nothing where it has no value. */
export const attributeXml = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeXml(value)}"`

/** The key info of a signature: its certificates, DER, under an Id where a reference covers it. */
export const keyInfoXml = (certificates: readonly Buffer[], id: string | undefined): string => {
  const list = certificates.map(
    (der) => `<ds:X509Certificate>${der.toString('base64')}</ds:X509Certificate>`,
  )
  // Its canonical form declares the prefix, wherever that is declared in the document.
  const named = id === undefined ? '' : ` xmlns:ds="${xmlDsig}" Id="${id}"`
  return `<ds:KeyInfo${named}><ds:X509Data>${list.join('')}</ds:X509Data></ds:KeyInfo>`
}

/** The object that holds the signed properties, and unsigned ones. */
export const qualifyingProperties = (
  properties: string,
  target: string,
  unsigned?: string,
): string =>
  [
    '<ds:Object>',
    `<xades:QualifyingProperties xmlns:xades="${xadesNamespace}" Target="#${target}">`,
    properties,
    unsigned === undefined
      ? ''
      : `<xades:UnsignedProperties>${unsigned}</xades:UnsignedProperties>`,
    '</xades:QualifyingProperties>',
    '</ds:Object>',
  ].join('')

/** The markup of a signature with another prefix for its elements than `ds`; with none when it is empty. */
export const withPrefix = (markup: string, prefix = 'ds'): string => {
  const [name, declared] = prefix === '' ? ['', 'xmlns'] : [`${prefix}:`, `xmlns:${prefix}`]
  return markup.replaceAll(/(<\/?)ds:/g, `$1${name}`).replaceAll(' xmlns:ds=', ` ${declared}=`)
}

/** The object of the properties in front of the one with the request: the order of objects means nothing. */
export const propertiesFirst = (document: string): string =>
  document.replace(/(<ds:Object [^]*<\/ds:Object>)(<ds:Object>[^]*<\/ds:Object>)/, '$2$1')

/** Breaks the text of an element of a signature, by its local name, into lines. */
export const lineBreaks =
  (name: string, lineEnd: string) =>
  (document: string): string =>
    document.replaceAll(
      new RegExp(`(<\\w*:?${name}>)([^<]*)`, 'g'),
      (_, start: string, text: string) =>
        `${start}${lineEnd}${text.replaceAll(/.{1,76}/g, `$&${lineEnd}`)}`,
    )

const hour = 3_600_000

/** The signing time, written this many hours ahead of UTC; in UTC when absent. `fraction`: of a second. */
export const timeXml = ({
  signingTime,
  offset,
  fraction,
}: {
  signingTime: number
  offset?: number
  fraction?: string
}) => {
  const zone = (hours: number): string =>
    `${hours < 0 ? '-' : '+'}${new Date(Math.abs(hours) * hour).toISOString().slice(11, 16)}`
  const exact = new Date(signingTime + (offset ?? 0) * hour).toISOString()
  const written =
    fraction === undefined ? exact : exact.replace(/\.\d{3}(?=Z)/, fraction && `.${fraction}`)
  const text = offset === undefined ? written : written.replace('Z', zone(offset))
  return `<xades:SigningTime>${text}</xades:SigningTime>`
}
