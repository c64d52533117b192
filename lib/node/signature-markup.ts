import { xmlDsig } from './xmldsig.ts'

/** Markup of signed documents, as forgers split and reassemble it. */

const signatureEnd = '</ds:Signature>'

export const objectXml = (contents: string, attributes = ''): string =>
  `<ds:Object xmlns:ds="${xmlDsig}"${attributes}>${contents}</ds:Object>`

/** Inserts markup as the last child of the signature, where no reference covers it. */
export const intoSignature = (document: string, markup: string): string =>
  document.replace(signatureEnd, () => markup + signatureEnd)

/** The signature of a signed document, taken out of it. */
export const signatureIn = (document: string): string =>
  document.slice(
    document.indexOf('<ds:Signature '),
    document.indexOf(signatureEnd) + signatureEnd.length,
  )
