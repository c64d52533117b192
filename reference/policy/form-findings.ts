import type { XmlDocument } from 'libxml2-wasm'
import type { FormId } from '../../contract/environments.ts'
import { furtherForms } from '../../contract/environments.ts'
import type { InvoiceFacts } from '../model/invoice-facts.ts'

/** What keeps a document from being one of a form, one line each. */
export const formFindings = (
  document: XmlDocument,
  form: FormId,
  facts: InvoiceFacts,
): string[] => {
  const { root, namespace } = furtherForms[form]
  const found = document.root
  if (found.name !== root || found.namespaceUri !== namespace)
    return [`The root is {${found.namespaceUri}}${found.name}, {${namespace}}${root} is expected`]
  const missing = [
    facts.seller.nip === '' ? 'the NIP of the seller' : '',
    facts.number === '' ? 'the number' : '',
    /^\d{4}-\d{2}-\d{2}$/.test(facts.issueDate) ? '' : 'the day of issue',
  ].filter((what) => what !== '')
  return missing.map((what) => `The invoice lacks ${what}`)
}
