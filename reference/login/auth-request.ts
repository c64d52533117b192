import type { XmlDocument, XmlElement } from 'libxml2-wasm'
import type { AddressPolicy, ContextIdentifier } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import { refuse } from '../base/refusals.ts'
import { schemaFindings } from '../xml/schemas.ts'
import { childElements } from '../xml/xml.ts'

/** What an authentication request says, once it is known to be what was signed. */
export interface AuthenticationRequest {
  readonly challenge: string
  readonly context: ContextIdentifier
  readonly subjectBy: 'subject' | 'fingerprint'
  readonly policy?: AddressPolicy
}

const schemaFiles: Readonly<Record<string, string>> = {
  'http://ksef.mf.gov.pl/auth/token/2.0': 'auth-token-request-2.0.xsd',
  'http://ksef.mf.gov.pl/auth/token/2.1': 'auth-token-request-2.1.xsd',
}

const texts = (element: XmlElement | undefined, name: string): string[] =>
  element === undefined
    ? []
    : childElements(element)
        .filter((child) => child.name === name)
        .map((child) => child.content.trim())

/**
 * Reads a request element.
 * @throws refusals document-schema, subject-context-mismatch
 */
export const readRequest = (
  element: XmlElement,
  document: XmlDocument,
  policy: Policy,
): AuthenticationRequest => {
  const file = schemaFiles[element.namespaceUri]
  if (file === undefined) {
    throw refuse('document-schema', `the namespace ${element.namespaceUri} is not known`)
  }
  const isRoot = element.isSameNode(document.root)
  const findings = schemaFindings(isRoot ? document : element, file)
  if (!policy.documentConforms(findings)) throw refuse('document-schema', findings)
  const child = (name: string) => childElements(element).find((one) => one.name === name)
  const [identifier] = childElements(child('ContextIdentifier') ?? element)
  const kind = identifier?.name ?? ''
  if (!policy.contextKindAccepted(kind)) {
    throw refuse('subject-context-mismatch', `contexts of the kind ${kind} are not known here`)
  }
  const subjectType = child('SubjectIdentifierType')?.content.trim() ?? ''
  if (!policy.subjectKindAccepted(subjectType)) {
    throw refuse('document-schema', `the subject type ${subjectType} is not known`)
  }
  const rules = child('AuthorizationPolicy')
  const allowed = rules && childElements(rules)[0]
  return {
    challenge: child('Challenge')?.content.trim() ?? '',
    context: { type: kind as ContextIdentifier['type'], value: identifier?.content ?? '' },
    subjectBy: subjectType === 'certificateFingerprint' ? 'fingerprint' : 'subject',
    ...(allowed && {
      policy: {
        addresses: texts(allowed, 'Ip4Address'),
        ranges: texts(allowed, 'Ip4Range'),
        masks: texts(allowed, 'Ip4Mask'),
      },
    }),
  }
}
