/** Namespaces in XML 1.0: what a declaration may bind to what. */

export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const declarations = 'http://www.w3.org/2000/xmlns/'

const part = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})`
/** A URI reference (RFC 3986): with a scheme, or relative and without a colon in its first step. */
const uriReference = new RegExp(
  String.raw`^(?:[A-Za-z][A-Za-z0-9+.\-]*:|(?=${part}*(?:[/?#]|$)))` +
    String.raw`(?:${part}|[:/\[\]])*(?:\?(?:${part}|[:/?])*)?(?:#(?:${part}|[:/?])*)?$`,
)

/** Why a prefix (`''` for the default namespace) cannot be bound to a name; undefined where it can. */
export function namespaceFault(prefix: string, name: string): string | undefined {
  if (prefix === 'xmlns') return 'the prefix xmlns cannot be declared'
  if ((prefix === 'xml') !== (name === xmlNamespace))
    return 'the prefix xml and its namespace belong to each other'
  if (name === declarations) return `"${name}" cannot be bound to a prefix`
  return name === '' && prefix !== '' ? 'a prefix cannot be taken back' : undefined
}

/** Whether a name may be that of a namespace: a URI reference, or nothing. Not every parser checks this. */
export const isNamespaceName = (name: string): boolean => name === '' || uriReference.test(name)
