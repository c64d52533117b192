import { escapeXml } from './auth-request.ts'
import type { Canonicalization } from './xmldsig.ts'
import { exclusive, xmlDsig } from './xmldsig.ts'

/** Transforms as markup. */

const xpathTransform = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const filter2 = 'http://www.w3.org/2002/06/xmldsig-filter2'

/** Ways to leave the signature out of what it covers. */
export type Exclusion = 'enveloped-signature' | 'xpath' | 'filter2'

const element = (name: string, uri: string, within = ''): string =>
  `<ds:${name} Algorithm="${uri}">${within}</ds:${name}>`

/** The element that names a canonicalization, with its list of prefixes. */
export const canonicalizationXml = (
  name: 'CanonicalizationMethod' | 'Transform',
  { uri, prefixes = [], unnamed }: Canonicalization,
): string =>
  unnamed && name === 'Transform'
    ? ''
    : element(
        name,
        uri,
        prefixes.length === 0
          ? ''
          : `<ec:InclusiveNamespaces xmlns:ec="${exclusive}" PrefixList="${prefixes.join(' ')}"></ec:InclusiveNamespaces>`,
      )

/** XPath 1.0: the nodes for which an expression is true. */
export const xpathXml = (expression: string, declarations = ''): string =>
  element(
    'Transform',
    xpathTransform,
    `<ds:XPath${declarations}>${escapeXml(expression)}</ds:XPath>`,
  )

export interface Filter {
  readonly filter: string
  readonly expression: string
  readonly declarations?: string
}

/** XPath Filter 2.0: united, subtracted or intersected subtrees. */
export const filter2Xml = (...filters: readonly Filter[]): string =>
  element(
    'Transform',
    filter2,
    filters
      .map(
        ({ filter, expression, declarations = '' }) =>
          `<f2:XPath xmlns:f2="${filter2}"${declarations}${filter === '' ? '' : ` Filter="${filter}"`}>${escapeXml(expression)}</f2:XPath>`,
      )
      .join(''),
  )

/** How Base64 text is written: in one line, or broken into lines, which mean nothing. */
export type Encoded = 'in one line' | 'in lines'

export const encodedAs = (text: string, how: Encoded): string => {
  const encoded = Buffer.from(text).toString('base64')
  return how === 'in lines' ? encoded.replace(/.{1,76}/g, '$&\n') : encoded
}

export const base64Xml = element('Transform', `${xmlDsig}base64`)

export const exclusionXml: Readonly<Record<Exclusion, string>> = {
  'enveloped-signature': element('Transform', `${xmlDsig}enveloped-signature`),
  xpath: xpathXml('not(ancestor-or-self::ds:Signature)'),
  filter2: filter2Xml({ filter: 'subtract', expression: '/descendant::ds:Signature' }),
}
