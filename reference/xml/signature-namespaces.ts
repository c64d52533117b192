/** Namespaces of signed documents, by the prefixes that paths name them with. */
export const namespaces = {
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  xades: 'http://uri.etsi.org/01903/v1.3.2#',
  filter2: 'http://www.w3.org/2002/06/xmldsig-filter2',
} as const
