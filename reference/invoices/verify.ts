/**
 * Verification of one document, in the documented order: size, decryption, hash and size, encoding, document type,
 * processing instructions, discouraged characters, well-formedness, schema, dates, check digits. What needs the
 * memory of the service (seller, attachment, duplicate) comes after, in `admit.ts`.
 * Source: specification, Errors and Limits; gap invoice-states.
 */

import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { SessionLimits } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import { lexicalFindings, markupOf, withoutComments } from '../xml/markup.ts'
import { MalformedXml, withDocument } from '../xml/xml.ts'
import { explainContent, explainDigest } from './decrypt.ts'
import type { InvoiceFacts } from '../model/invoice-facts.ts'
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
  readonly schema: InvoiceSchemaId
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
 * More comments than anybody writes. A validator joins the pieces of a text that they leave, each time from its
 * beginning: with a hundred thousand of them that takes seconds.
 */
const mostComments = 1_000

/** Begins with `<`, white space or a byte order mark. */
const looksLikeMarkup = (bytes: Uint8Array): boolean =>
  [0x3c, 0xef, 0xfe, 0xff, 0x20, 0x09, 0x0a, 0x0d].includes(bytes[0] ?? 0)

const tooLarge = (bytes: number, limit: number) =>
  reject('invoice-too-large', `The invoice has ${bytes} bytes, ${limit} are allowed`)

/** Judges a submission by every check that needs nothing but the document. */
export const verify = (submission: Submission, policy: Policy): Verdict => {
  const { content, encryption, limits } = submission

  const declaredSize = submission.declared?.size ?? content.length
  const most = Math.max(limits.maxInvoiceWithAttachmentBytes, limits.maxInvoiceBytes)
  if (!policy.attachmentInvoiceFits(declaredSize, most)) return tooLarge(declaredSize, most)

  const plain =
    encryption === undefined
      ? content
      : policy.decryptContent(encryption.key, encryption.iv, content)
  if (plain === undefined) {
    const explanation = explainContent(content, {
      ...encryption!,
      ...(submission.declared !== undefined && { declaredHash: submission.declared.hash }),
    })
    return reject('invoice-undecryptable', [], { explanation })
  }

  if (submission.declared !== undefined) {
    const { hash, size } = submission.declared
    const asMeant = (refusal: RefusalId, details: string) => {
      // What decrypts by accident is no document: then the key, the IV or the mode is what was wrong.
      if (encryption !== undefined && !looksLikeMarkup(plain)) {
        const explanation = explainContent(content, { ...encryption, declaredHash: hash })
        return reject('invoice-undecryptable', [], { explanation })
      }
      return reject(refusal, details, { explanation: explainDigest(hash, plain, content) })
    }
    if (!policy.plainSizeMatches(size, plain)) {
      return asMeant(
        'invoice-size-mismatch',
        `The invoice has ${plain.length} bytes, ${size} were declared`,
      )
    }
    if (!policy.plainHashMatches(hash, plain))
      return asMeant('invoice-hash-mismatch', 'The SHA-256 of the invoice is not the declared one')
  }
  if (!policy.attachmentInvoiceFits(plain.length, most)) return tooLarge(plain.length, most)

  const encodingFault = policy.encodingFault(plain)
  if (encodingFault !== undefined) return reject('invoice-encoding', encodingFault)
  const markup = markupOf(plain)
  const lexical = lexicalFindings(markup)
  if (!policy.declaredEncodingAccepted(lexical.declaredEncoding)) {
    return reject(
      'invoice-encoding',
      `The declaration names the encoding ${lexical.declaredEncoding}`,
    )
  }
  if (!policy.xmlVersionAccepted(lexical.declaredVersion)) {
    return reject(
      'invoice-invalid',
      `The declaration names XML ${lexical.declaredVersion}, 1.0 is expected`,
    )
  }
  if (!policy.doctypeAccepted(lexical.doctype))
    return reject('invoice-invalid', 'The document has a document type declaration')
  if (!policy.processingInstructionAccepted(lexical.processingInstruction)) {
    return reject(
      'invoice-invalid',
      `The document has a processing instruction, ${lexical.processingInstruction}`,
    )
  }
  const character = policy.discouragedCharacter(plain)
  if (character !== undefined)
    return reject('invoice-invalid', `The document has the discouraged character ${character}`)

  try {
    return withDocument(plain, (document): Verdict => {
      const { xsd } = invoiceSchemas[submission.schema]
      const findings =
        lexical.comments > mostComments
          ? withDocument(Buffer.from(withoutComments(markup), 'latin1'), (bare) =>
              policy.schemaFindings(bare, xsd),
            )
          : policy.schemaFindings(document, xsd)
      if (findings.length > 0) {
        return reject('invoice-invalid', findings, { facts: readFacts(markup), plain })
      }
      return judgeFacts(readFacts(markup), plain, submission, policy)
    })
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error
    return reject('invoice-invalid', error.details)
  }
}

const judgeFacts = (
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
