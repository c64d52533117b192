import type { Context } from '../flows/login.ts'

/** The document that asks for an authentication, before it is signed. */
export interface AuthRequest {
  readonly challenge: string
  readonly context: Context | { readonly type: string; readonly value: string }
  readonly subjectIdentifierType: string
  /** Addresses that the tokens may be used from. */
  readonly allowedIps?: {
    readonly addresses?: readonly string[]
    readonly ranges?: readonly string[]
    readonly masks?: readonly string[]
  }
  /** Namespace; that of version 2.1 when absent. */
  readonly namespace?: string
}

export const authNamespaces = {
  '2.0': 'http://ksef.mf.gov.pl/auth/token/2.0',
  '2.1': 'http://ksef.mf.gov.pl/auth/token/2.1',
} as const

/** Text as it stands between tags or inside an attribute. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

/** The root element, without an XML declaration. Source: specification, Authentication request document. */
export function authRequestXml(request: AuthRequest): string {
  const { challenge, context, subjectIdentifierType, allowedIps } = request
  const lists = [
    ...(allowedIps?.addresses ?? []).map((ip) => element('Ip4Address', ip)),
    ...(allowedIps?.ranges ?? []).map((range) => element('Ip4Range', range)),
    ...(allowedIps?.masks ?? []).map((mask) => element('Ip4Mask', mask)),
  ].join('')
  return [
    `<AuthTokenRequest xmlns="${request.namespace ?? authNamespaces['2.1']}">`,
    element('Challenge', challenge),
    `<ContextIdentifier>${element(context.type, context.value)}</ContextIdentifier>`,
    element('SubjectIdentifierType', subjectIdentifierType),
    allowedIps === undefined
      ? ''
      : `<AuthorizationPolicy><AllowedIps>${lists}</AllowedIps></AuthorizationPolicy>`,
    '</AuthTokenRequest>',
  ].join('')
}

/** The elements of a request with a prefix instead of the default namespace. */
export const prefixed = (root: string): string =>
  root.replaceAll(/(<\/?)(?=[A-Z])/g, '$1auth:').replace(' xmlns=', ' xmlns:auth=')
