import type { Wildcard } from './model.ts'

/** Whether a wildcard takes an element or attribute of a namespace. */
export function allowsNamespace(
  { allowed, targetNamespace }: Wildcard,
  namespace: string,
): boolean {
  switch (allowed) {
    case '##any':
      return true
    case '##other':
      return namespace !== '' && namespace !== targetNamespace
    default:
      return allowed.some(
        (each) =>
          namespace ===
          (each === '##targetNamespace' ? targetNamespace : each === '##local' ? '' : each),
      )
  }
}

/** A namespace that a wildcard takes, one that no schema knows where there is a choice. */
export function namespaceFor({ allowed, targetNamespace }: Wildcard): string {
  if (typeof allowed === 'string') return 'urn:example:extension'
  const [first = ''] = allowed
  return first === '##targetNamespace' ? targetNamespace : first === '##local' ? '' : first
}
