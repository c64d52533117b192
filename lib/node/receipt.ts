import { createHash } from 'node:crypto'
import { DOMParser, XMLSerializer } from '@xmldom/xmldom'
import { xadesNamespace } from './xades-parts.ts'
import { judgeXmlSignature, xmlDsig } from './xmldsig.ts'
import { validatorMissing, xsdValidator } from './xsd.ts'

/** The receipt (UPO) as the tester reads and judges it. Source: specification, Receipt. */

const receiptNamespace = 'http://upo.schematy.mf.gov.pl/KSeF/v4-3'

/** One accepted invoice, as its receipt names it. */
interface ReceiptDocument {
  readonly sellerNip: string
  readonly serviceNumber: string
  readonly invoiceNumber: string
  /** ISO date. */
  readonly issueDate: string
  readonly sentAt: string
  readonly numberedAt: string
  /** Base64 of the SHA-256 of the invoice. */
  readonly invoiceHash: string
  readonly mode: string
}

export interface Receipt {
  readonly receivedBy: string
  readonly sessionReferenceNumber: string
  readonly context: { readonly kind: string; readonly value: string } | undefined
  /** What the sender logged in by: the reference of a service token, or the SHA-256 of a document in Base64. */
  readonly loginProof: { readonly kind: 'token' | 'document'; readonly value: string } | undefined
  readonly formCode: string
  /** Only in the aggregate receipt of a session. */
  readonly page:
    | {
        readonly number: number
        readonly of: number
        readonly first: number
        readonly last: number
        /** On all pages. */
        readonly documents: number
      }
    | undefined
  readonly documents: readonly ReceiptDocument[]
  readonly signed: boolean
  /** What is wrong with the signature; empty when nothing is, or when there is none. */
  readonly signatureProblems: readonly string[]
  /** What is wrong with the document, the signature taken out; empty when nothing is, or when it was not validated. */
  readonly schemaProblems: readonly string[]
  /** Why the document was not validated; undefined when it was. */
  readonly notValidated: string | undefined
}

/**
 * Reads a receipt, checks its signature and validates it.
 * @throws when the document is not XML, has a document type, or has another root
 */
export function readReceipt(bytes: Uint8Array): Receipt {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (text.includes('<!DOCTYPE')) throw new Error('the receipt has a document type declaration')
  const document = parse(text)
  const root = document.documentElement
  if (root?.localName !== 'Potwierdzenie' || root.namespaceURI !== receiptNamespace) {
    throw new Error(`the receipt has another root: ${root?.nodeName ?? 'none'}`)
  }
  const signatures = Array.from(root.getElementsByTagNameNS(xmlDsig, 'Signature'))
  const signatureProblems = signatures.flatMap((signature) => judgeSignature(text, signature, root))
  if (signatures.length > 1) signatureProblems.push('there is more than one signature')
  const facts = readFacts(root)
  for (const signature of signatures) signature.parentNode?.removeChild(signature)
  const unsigned = withoutSuffix(new XMLSerializer().serializeToString(root))
  const notValidated = validatorMissing()
  return {
    ...facts,
    signed: signatures.length > 0,
    signatureProblems,
    schemaProblems: notValidated === undefined ? xsdValidator('upo').problems(unsigned) : [],
    notValidated,
  }
}

/** The service numbers in the text of a receipt, for receipts with so many invoices that parsing takes a minute. */
export const serviceNumbersIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/<(?:[\w.-]+:)?NumerKSeFDokumentu(?:\s[^>]*)?>\s*([^<]*?)\s*</g),
    ([, number = '']) => number,
  )

// The published schema fixes the name, and the test environments add their own to it all the same.
const withoutSuffix = (xml: string): string =>
  xml.replace(/(<NazwaPodmiotuPrzyjmujacego>Ministerstwo Finansów) - [^<]*</, '$1<')

function parse(text: string) {
  const faults: string[] = []
  const note = (message: string) => faults.push(message)
  const document = new DOMParser({
    errorHandler: { warning: () => {}, error: note, fatalError: note },
  }).parseFromString(text, 'text/xml')
  if (faults.length > 0) throw new Error(`the receipt is not well-formed: ${faults[0]}`)
  return document
}

function judgeSignature(text: string, signature: Element, root: Element): string[] {
  const certificate = textOf(signature, xmlDsig, 'X509Certificate')?.replace(/\s/g, '')
  if (certificate === undefined) return ['the signature names no certificate']
  const { problem, covered } = judgeXmlSignature(text, signature, pem(certificate))
  const problems = problem === undefined ? [] : [problem]
  const id = root.getAttribute('Id')
  if (!covered.includes('') && !(id && covered.includes(`#${id}`))) {
    problems.push('no reference of the signature covers the document')
  }
  return [...problems, ...judgeProperties(signature, covered, certificate)]
}

function judgeProperties(
  signature: Element,
  covered: readonly string[],
  certificate: string,
): string[] {
  const problems: string[] = []
  const properties = signature.getElementsByTagNameNS(xadesNamespace, 'SignedProperties').item(0)
  if (!properties) return ['the signature has no signed properties']
  if (!covered.includes(`#${properties.getAttribute('Id') ?? ''}`)) {
    problems.push('no reference covers the signed properties')
  }
  const digest = textOf(properties, xmlDsig, 'DigestValue')
  const actual = createHash('sha256').update(Buffer.from(certificate, 'base64')).digest('base64')
  if (digest !== actual) {
    problems.push(
      'the signed properties name another certificate, or by another digest than SHA-256',
    )
  }
  return problems
}

const loginProofOf = (token: string, document: string): Receipt['loginProof'] =>
  token === ''
    ? document === ''
      ? undefined
      : { kind: 'document', value: document }
    : { kind: 'token', value: token }

function readFacts(root: Element) {
  const value = (name: string, parent = root) => textOf(parent, receiptNamespace, name) ?? ''
  const context = child(root, 'IdKontekstu')
  const kind = context && Array.from(context.childNodes).find((node) => node.nodeType === 1)
  const page = child(root, 'OpisPotwierdzenia')
  return {
    receivedBy: value('NazwaPodmiotuPrzyjmujacego'),
    sessionReferenceNumber: value('NumerReferencyjnySesji'),
    context: kind
      ? { kind: (kind as Element).localName, value: kind.textContent ?? '' }
      : undefined,
    loginProof: loginProofOf(
      value('NumerReferencyjnyTokenaKSeF'),
      value('SkrotDokumentuUwierzytelniajacego'),
    ),
    formCode: value('KodFormularza'),
    page: page
      ? {
          number: Number(value('Strona', page)),
          of: Number(value('LiczbaStron', page)),
          first: Number(value('ZakresDokumentowOd', page)),
          last: Number(value('ZakresDokumentowDo', page)),
          documents: Number(value('CalkowitaLiczbaDokumentow', page)),
        }
      : undefined,
    documents: Array.from(
      root.getElementsByTagNameNS(receiptNamespace, 'Dokument'),
      (document) => ({
        sellerNip: value('NipSprzedawcy', document),
        serviceNumber: value('NumerKSeFDokumentu', document),
        invoiceNumber: value('NumerFaktury', document),
        issueDate: value('DataWystawieniaFaktury', document),
        sentAt: value('DataPrzeslaniaDokumentu', document),
        numberedAt: value('DataNadaniaNumeruKSeF', document),
        invoiceHash: value('SkrotDokumentu', document),
        mode: value('TrybWysylki', document),
      }),
    ),
  }
}

const child = (parent: Element, name: string): Element | null =>
  parent.getElementsByTagNameNS(receiptNamespace, name).item(0)

const textOf = (parent: Element, namespace: string, name: string): string | undefined =>
  parent.getElementsByTagNameNS(namespace, name).item(0)?.textContent?.trim()

const pem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n').trim()}\n-----END CERTIFICATE-----\n`
