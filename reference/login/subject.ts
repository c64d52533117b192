import type { X509Certificate } from 'node:crypto'
import { decodeCertificate } from '../base/certificate.ts'
import { contextFits } from '../model/context-form.ts'
import type { SubjectAttributes, SubjectIdentifier } from '../model/entities.ts'

/** Who a certificate names. Source: gap certificate-subject. */

const names: Readonly<Record<string, keyof SubjectAttributes>> = {
  CN: 'commonName',
  C: 'countryName',
  GN: 'givenName',
  SN: 'surname',
  serialNumber: 'serialNumber',
  x500UniqueIdentifier: 'uniqueIdentifier',
  O: 'organizationName',
  organizationIdentifier: 'organizationIdentifier',
}

/** The attributes of the subject that the service knows. Of an attribute given twice the first counts. */
export const attributesOf = (certificate: X509Certificate): SubjectAttributes => {
  const subject = decodeCertificate(certificate).subject as Record<string, string | string[]>
  const attributes: Partial<Record<keyof SubjectAttributes, string>> = {}
  for (const [short, name] of Object.entries(names)) {
    const value = subject[short]
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) attributes[name] = first
  }
  return attributes
}

/** Whether a certificate names itself as issuer. (OpenSSL's own check also requires the key usage of an authority.) */
export const isSelfIssued = (certificate: X509Certificate): boolean =>
  certificate.issuer === certificate.subject

/** The Peppol provider that a subject names: the seal of an organization under the provider's id. */
export const providerOf = ({
  commonName = '',
  organizationName,
}: SubjectAttributes): SubjectIdentifier | undefined =>
  organizationName !== undefined && contextFits({ type: 'PeppolId', value: commonName })
    ? { type: 'PeppolId', value: commonName }
    : undefined

/** The NIP or PESEL that a subject names; undefined when it has none in a form that the service knows. */
export const identifierOf = (attributes: SubjectAttributes): SubjectIdentifier | undefined => {
  const { serialNumber = '', organizationIdentifier = '', givenName, surname } = attributes
  if (givenName !== undefined || surname !== undefined) {
    const pesel = /(?:PNOPL|PESEL).*?(\d{11})/.exec(serialNumber)?.[1]
    if (pesel !== undefined) return { type: 'Pesel', value: pesel }
    const nip = /(?:TINPL|NIP).*?(\d{10})/.exec(serialNumber)?.[1]
    return nip === undefined ? undefined : { type: 'Nip', value: nip }
  }
  const nip = /VATPL.*?(\d{10})/.exec(organizationIdentifier)?.[1]
  return nip === undefined ? undefined : { type: 'Nip', value: nip }
}
