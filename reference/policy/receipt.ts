/**
 * Receipts (UPO 4-3): written from the records of accepted invoices and sealed by the service, XAdES enveloped.
 * Source: specification, What the service does (receipt); gap receipt-paths.
 */

import { createHash, createSign } from 'node:crypto'
import type { KeyObject, X509Certificate } from 'node:crypto'
import { XmlC14NMode } from 'libxml2-wasm'
import { formCodeOf } from '../../contract/environments.ts'
import type { Instant } from '../base/instants.ts'
import type { ContextIdentifier } from '../model/entities.ts'
import type { Issued, LoginProof, ReceiptPage, Session } from '../model/documents.ts'
import { utc, warsaw } from '../base/wording.ts'
import { withDocument } from '../xml/xml.ts'

const namespace = 'http://upo.schematy.mf.gov.pl/KSeF/v4-3'
const ds = 'http://www.w3.org/2000/09/xmldsig#'
const xades = 'http://uri.etsi.org/01903/v1.3.2#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const signedProperties = 'http://uri.etsi.org/01903#SignedProperties'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
}
const escaped = (text: string): string => text.replace(/[&<>\r]/g, (found) => escapes[found] ?? '')
const element = (name: string, text: string | number): string =>
  `<${name}>${escaped(String(text))}</${name}>`

const contextElements = {
  Nip: 'Nip',
  InternalId: 'IdWewnetrzny',
  NipVatUe: 'IdZlozonyVatUE',
  PeppolId: 'IdDostawcyUslugPeppol',
} as const satisfies Record<ContextIdentifier['type'], string>

const login = (context: ContextIdentifier, proof: LoginProof): string =>
  '<Uwierzytelnienie>' +
  `<IdKontekstu>${element(contextElements[context.type], context.value)}</IdKontekstu>` +
  ('token' in proof
    ? element('NumerReferencyjnyTokenaKSeF', proof.token)
    : element('SkrotDokumentuUwierzytelniajacego', proof.document)) +
  '</Uwierzytelnienie>'

const documentOf = ({ svcNumber, facts, hash, mode, invoicingAt, acquiredAt }: Issued): string =>
  '<Dokument>' +
  element('NipSprzedawcy', facts.seller.nip) +
  element('NumerKSeFDokumentu', svcNumber) +
  element('NumerFaktury', facts.number) +
  element('DataWystawieniaFaktury', facts.issueDate) +
  element('DataPrzeslaniaDokumentu', warsaw(invoicingAt)) +
  element('DataNadaniaNumeruKSeF', warsaw(acquiredAt)) +
  element('SkrotDokumentu', hash) +
  element('TrybWysylki', mode) +
  '</Dokument>'

/**
 * The receipt of accepted invoices of one session, not yet sealed.
 * @param page absent for the receipt of a single invoice
 */
export const receiptText = (
  session: Session,
  documents: readonly Issued[],
  page?: ReceiptPage,
): string => {
  const formCode = formCodeOf(session.schema)
  return (
    `<Potwierdzenie xmlns="${namespace}">` +
    element('NazwaPodmiotuPrzyjmujacego', 'Ministerstwo Finansów') +
    element('NumerReferencyjnySesji', session.referenceNumber) +
    login(session.context, session.proof) +
    (page === undefined
      ? ''
      : '<OpisPotwierdzenia>' +
        element('Strona', page.page) +
        element('LiczbaStron', page.pages) +
        element('ZakresDokumentowOd', page.first) +
        element('ZakresDokumentowDo', page.last) +
        element('CalkowitaLiczbaDokumentow', page.documents) +
        '</OpisPotwierdzenia>') +
    element(
      'NazwaStrukturyLogicznej',
      `Schemat_${formCode.systemCode.replace(' ', '')}_v${formCode.schemaVersion}.xsd`,
    ) +
    element('KodFormularza', formCode.systemCode) +
    documents.map(documentOf).join('') +
    '</Potwierdzenie>'
  )
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')

const canonical = (xml: string): string =>
  withDocument(Buffer.from(xml), ({ root }) =>
    root.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 }),
  )

const reference = (uri: string, type: string, transforms: readonly string[], value: string) =>
  `<ds:Reference URI="${uri}"${type}><ds:Transforms>` +
  transforms.map((name) => `<ds:Transform Algorithm="${name}"></ds:Transform>`).join('') +
  `</ds:Transforms><ds:DigestMethod Algorithm="${sha256}"></ds:DigestMethod>` +
  `<ds:DigestValue>${value}</ds:DigestValue></ds:Reference>`

/**
 * The receipt under the seal of the service: XAdES-BES, enveloped, exclusive canonicalization, RSA-SHA256.
 * @param text of `receiptText`
 * @param at the time of the signature
 */
export const sealReceipt = (
  text: string,
  seal: { readonly privateKey: KeyObject; readonly certificate: string },
  certificate: X509Certificate,
  at: Instant,
): Uint8Array => {
  const properties =
    `<xades:SignedProperties xmlns:xades="${xades}" Id="SignedProperties">` +
    '<xades:SignedSignatureProperties>' +
    `<xades:SigningTime>${utc(at)}</xades:SigningTime>` +
    '<xades:SigningCertificate><xades:Cert><xades:CertDigest>' +
    `<ds:DigestMethod xmlns:ds="${ds}" Algorithm="${sha256}"></ds:DigestMethod>` +
    `<ds:DigestValue xmlns:ds="${ds}">${createHash('sha256').update(certificate.raw).digest('base64')}</ds:DigestValue>` +
    '</xades:CertDigest><xades:IssuerSerial>' +
    `<ds:X509IssuerName xmlns:ds="${ds}">${escaped(certificate.issuer.split('\n').toReversed().join(', '))}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber xmlns:ds="${ds}">${BigInt(`0x${certificate.serialNumber}`)}</ds:X509SerialNumber>` +
    '</xades:IssuerSerial></xades:Cert></xades:SigningCertificate>' +
    '</xades:SignedSignatureProperties></xades:SignedProperties>'
  const signedInfo =
    `<ds:SignedInfo xmlns:ds="${ds}">` +
    `<ds:CanonicalizationMethod Algorithm="${exclusive}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${rsaSha256}"></ds:SignatureMethod>` +
    reference('', '', [enveloped, exclusive], digest(canonical(text))) +
    reference(
      '#SignedProperties',
      ` Type="${signedProperties}"`,
      [exclusive],
      digest(canonical(properties)),
    ) +
    '</ds:SignedInfo>'
  const value = createSign('sha256').update(canonical(signedInfo)).sign(seal.privateKey, 'base64')
  const signature =
    `<ds:Signature xmlns:ds="${ds}" Id="Signature">${signedInfo}` +
    `<ds:SignatureValue>${value}</ds:SignatureValue>` +
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${seal.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>` +
    `<ds:Object><xades:QualifyingProperties xmlns:xades="${xades}" Target="#Signature">` +
    `${properties}</xades:QualifyingProperties></ds:Object></ds:Signature>`
  const end = text.lastIndexOf('</Potwierdzenie>')
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>${text.slice(0, end)}${signature}${text.slice(end)}`,
  )
}
