/**
 * Verification of one document, in the documented order: size, decryption, hash and size, encoding, document type,
 * processing instructions, discouraged characters, well-formedness, schema, dates, check digits. What needs the
 * memory of the service (seller, attachment, duplicate) comes after, in `admit.ts`.
 * Source: specification, Errors and Limits; gap invoice-states.
 */

import type { FormId, InvoiceSchemaId, SessionForm } from '../../contract/environments.ts'
import { furtherForms, invoiceSchemas } from '../../contract/environments.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { XmlDocument } from 'libxml2-wasm'
import type { SessionLimits } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import type { LexicalFindings } from '../xml/markup.ts'
import { lexicalFindings, markupOf, withoutComments } from '../xml/markup.ts'
import { MalformedXml, withDocument } from '../xml/xml.ts'
import { explainContent, explainDigest } from './explain.ts'
import type { InvoiceFacts } from '../model/invoice-facts.ts'
import { readFormFacts } from './further-forms.ts'
import { readFacts } from './metadata.ts'

/** Why a document is rejected. */
export interface Fault {
  readonly refusal: RefusalId
  /** For everyone: the line of a schema error, the limit that was exceeded. */
  readonly details: readonly string[]
  /** For the journal, and for callers where the service explains itself. */
  readonly explanation?: string
  /** What could be read of the document. */
  readonly facts?: InvoiceFacts
  readonly plain?: Uint8Array
}

export interface Encryption {
  readonly key: Uint8Array
  readonly iv: Uint8Array
  readonly wrappedKey: Uint8Array
}

export interface Submission {
  readonly content: Uint8Array
  /** Absent where the content is plain. */
  readonly encryption?: Encryption
  /** Of the plain document; absent where nobody declares it. */
  readonly declared?: { readonly hash: string; readonly size: number }
  readonly schema: SessionForm
  readonly limits: SessionLimits
  /** Day of the verification in Europe/Warsaw, `YYYY-MM-DD`. */
  readonly today: string
  readonly checkDigits: boolean
}

export interface Verified {
  readonly plain: Uint8Array
  readonly facts: InvoiceFacts
}

export type Verdict = { readonly fault: Fault } | { readonly verified: Verified }

const reject = (
  refusal: RefusalId,
  details: string | readonly string[],
  more: Pick<Fault, 'explanation' | 'facts' | 'plain'> = {},
): { fault: Fault } => ({
  fault: { refusal, details: typeof details === 'string' ? [details] : details, ...more },
})

/**
 * More comments than any real document has. A validator joins the pieces of a text that they leave, each time from its
 * beginning: with a hundred thousand of them that takes seconds.
 */
const maxComments = 1_000

/** Begins with `<`, white space or a byte order mark. */
const looksLikeMarkup = (bytes: Uint8Array): boolean =>
  [0x3c, 0xef, 0xfe, 0xff, 0x20, 0x09, 0x0a, 0x0d].includes(bytes[0] ?? 0)

const tooLarge = (bytes: number, limit: number) =>
  reject('invoice-too-large', `The invoice has ${bytes} bytes, ${limit} are allowed`)

/** The plain document of a submission, or why there is none that fits what was declared. */
const openContent = (
  { content, encryption, declared }: Submission,
  policy: Policy,
): Uint8Array | { readonly fault: Fault } => {
  const undecryptable = (): { fault: Fault } =>
    reject('invoice-undecryptable', [], {
      explanation: explainContent(content, {
        ...encryption!,
        ...(declared !== undefined && { declaredHash: declared.hash }),
      }),
    })
  const plain =
    encryption === undefined
      ? content
      : policy.decryptContent(encryption.key, encryption.iv, content)
  if (plain === undefined) return undecryptable()
  if (declared === undefined) return plain
  const { hash, size } = declared
  const mismatch = (refusal: RefusalId, details: string) =>
    // Content that decrypts by accident is no document: then the key, the IV or the mode was wrong.
    encryption !== undefined && !looksLikeMarkup(plain)
      ? undecryptable()
      : reject(refusal, details, { explanation: explainDigest(hash, plain, content) })
  if (!policy.plainSizeMatches(size, plain)) {
    const details = `The invoice has ${plain.length} bytes, ${size} were declared`
    return mismatch('invoice-size-mismatch', details)
  }
  return policy.plainHashMatches(hash, plain)
    ? plain
    : mismatch('invoice-hash-mismatch', 'The SHA-256 of the invoice is not the declared one')
}

/** Why a document is rejected before it is parsed, if it is. */
const lexicalFault = (
  plain: Uint8Array,
  lexical: LexicalFindings,
  policy: Policy,
): { readonly fault: Fault } | undefined => {
  const { declaredEncoding, declaredVersion, doctype, processingInstruction } = lexical
  if (!policy.declaredEncodingAccepted(declaredEncoding))
    return reject('invoice-encoding', `The declaration names the encoding ${declaredEncoding}`)
  const invalid = (details: string) => reject('invoice-invalid', details)
  if (!policy.xmlVersionAccepted(declaredVersion))
    return invalid(`The declaration names XML ${declaredVersion}, 1.0 is expected`)
  if (!policy.doctypeAccepted(doctype))
    return invalid('The document has a document type declaration')
  if (!policy.processingInstructionAccepted(processingInstruction))
    return invalid(`The document has a processing instruction, ${processingInstruction}`)
  const character = policy.discouragedCharacter(plain)
  return character === undefined
    ? undefined
    : invalid(`The document has the discouraged character ${character}`)
}

/** Verifies a submission by every check that needs nothing but the document. */
export const verify = (submission: Submission, policy: Policy): Verdict => {
  const { content, limits, declared, schema } = submission
  const maxBytes = Math.max(limits.maxInvoiceWithAttachmentBytes, limits.maxInvoiceBytes)
  const declaredSize = declared?.size ?? content.length
  if (!policy.attachmentInvoiceFits(declaredSize, maxBytes)) return tooLarge(declaredSize, maxBytes)
  const plain = openContent(submission, policy)
  if ('fault' in plain) return plain
  if (!policy.attachmentInvoiceFits(plain.length, maxBytes)) return tooLarge(plain.length, maxBytes)

  const encodingFault = policy.encodingFault(plain)
  if (encodingFault !== undefined) return reject('invoice-encoding', encodingFault)
  const markup = markupOf(plain)
  const lexical = lexicalFindings(markup)
  const fault = lexicalFault(plain, lexical, policy)
  if (fault !== undefined) return fault
  try {
    return withDocument(plain, (document): Verdict => {
      if (schema in furtherForms)
        return verifyForm(document, schema as FormId, plain, submission, policy)
      const { xsd } = invoiceSchemas[schema as InvoiceSchemaId]
      const findings =
        lexical.comments > maxComments
          ? withDocument(Buffer.from(withoutComments(markup), 'latin1'), (bare) =>
              policy.schemaFindings(bare, xsd),
            )
          : policy.schemaFindings(document, xsd)
      const facts = readFacts(markup)
      return findings.length > 0
        ? reject('invoice-invalid', findings, { facts, plain })
        : verifyFacts(facts, plain, submission, policy)
    })
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error
    return reject('invoice-invalid', error.details)
  }
}

/** The same for a form whose schema the project does not have: its root, and what the service reads of it. */
const verifyForm = (
  document: XmlDocument,
  form: FormId,
  plain: Uint8Array,
  submission: Submission,
  policy: Policy,
): Verdict => {
  const facts = readFormFacts(document, form)
  const findings = policy.formFindings(document, form, facts)
  return findings.length > 0
    ? reject('invoice-invalid', findings, { facts, plain })
    : verifyFacts(facts, plain, submission, policy)
}

const verifyFacts = (
  facts: InvoiceFacts,
  plain: Uint8Array,
  submission: Submission,
  policy: Policy,
): Verdict => {
  const { limits, today, checkDigits } = submission
  if (!facts.attachment && !policy.plainInvoiceFits(plain.length, limits.maxInvoiceBytes))
    return tooLarge(plain.length, limits.maxInvoiceBytes)
  if (!policy.issueDateAccepted(facts.issueDate, today)) {
    return reject(
      'invoice-invalid',
      `P_1: ${facts.issueDate} lies after the day of the acceptance, ${today}`,
      { facts, plain },
    )
  }
  const nips: [string, string | undefined][] = [
    ['Podmiot1', facts.seller.nip],
    ['Podmiot2', nipOf(facts.buyer.identifier)],
    ...facts.thirdParties.map(({ identifier }): [string, string | undefined] => [
      'Podmiot3',
      nipOf(identifier),
    ]),
    ['PodmiotUpowazniony', facts.authorized?.nip],
  ]
  for (const [where, nip] of nips) {
    if (nip !== undefined && !policy.nipAccepted(nip, checkDigits))
      return reject('invoice-invalid', `${where}: ${nip} has a wrong check digit`, {
        facts,
        plain,
      })
  }
  return { verified: { plain, facts } }
}

const nipOf = ({ type, value }: { type: string; value?: string }): string | undefined =>
  type === 'Nip' ? value : type === 'InternalId' ? value?.slice(0, 10) : undefined
