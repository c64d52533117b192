import type { Content, Invoice, Issued, Session } from '../model/documents.ts'
import { nipOf } from '../model/entities.ts'
import type { InvoiceFacts } from '../model/invoice-facts.ts'
import type { State } from '../model/state.ts'
import type { Policy } from '../policy/policy.ts'
import { policy as sound } from '../policy/policy.ts'
import { readFacts } from '../verification/metadata.ts'
import { markupOf } from '../xml/markup.ts'
import type { Mutant } from './mutant.ts'

/** What two facets of an invoice, or one and a fault, have in common: there alone a combined defect shows. */

/** An invoice as far as facets look at it. */
interface One {
  readonly session: Session
  readonly invoice: Invoice
  /** Undefined where the document cannot be read. */
  readonly facts: InvoiceFacts | undefined
  readonly text: string
}

type Is = (one: One) => boolean

const sellerOf = ({ facts, text }: One): string | undefined =>
  facts?.seller.nip ??
  /<(?:\w+:)?Podmiot1>.*?<(?:\w+:)?NIP>(\d{10})/s.exec(
    text.replaceAll(/<!\[CDATA\[|\]\]>/g, ''),
  )?.[1]

const isSentBySeller: Is = (one) => nipOf(one.session.context) === sellerOf(one)
const isPackage: Is = ({ session }) => session.kind === 'batch'
const isOffline: Is = ({ invoice }) => invoice.offline && invoice.corrects === undefined
const isAlone: Is = ({ session }) => session.kind === 'online' && session.key.length === 0
const ofKind =
  (form: RegExp): Is =>
  ({ facts }) =>
    form.test(facts?.kind ?? '')
const toBuyer =
  (type: string): Is =>
  ({ facts }) =>
    facts?.buyer.identifier.type === type
const writtenWith =
  (form: RegExp): Is =>
  ({ text }) =>
    form.test(text)
const numbered =
  (form: RegExp): Is =>
  ({ facts }) =>
    form.test(facts?.number ?? '')

/** Days from its issue to the opening of its session. */
const age = ({ facts, session }: One): number =>
  facts === undefined ? 0 : (session.openedAt - Date.parse(facts.issueDate)) / 86_400_000

export const facets = {
  interactive: (one) => !isPackage(one) && !isOffline(one) && !isAlone(one),
  batch: (one) => isPackage(one) && !isOffline(one),
  alone: isAlone,
  offline: (one) => isOffline(one) && !isPackage(one),
  'offline-batch': (one) => isOffline(one) && isPackage(one),
  correction: ({ invoice }) => invoice.corrects !== undefined,
  'by-agent': (one) => !isSentBySeller(one),
  'by-unit': ({ session }) => session.context.type === 'InternalId',
  'by-token': ({ session }) => 'token' in session.proof,
  'by-person': (one) =>
    one.session.context.type === 'Nip' &&
    isSentBySeller(one) &&
    one.session.subject.value !== sellerOf(one),
  corrected: ofKind(/^KOR/),
  advance: ofKind(/ZAL/),
  settlement: ofKind(/ROZ/),
  simplified: ofKind(/UPR/),
  'eu-buyer': toBuyer('VatUe'),
  'other-buyer': toBuyer('Other'),
  'no-buyer': toBuyer('None'),
  'last-year': (one) => age(one) > 100,
  'days-ago': (one) => age(one) > 1 && age(one) < 100,
  'longest-number': numbered(/^.{256}$/su),
  'lower-case': numbered(/^c/),
  escaped: numbered(/[<&]/),
  euro: ({ facts }) => facts?.currency === 'EUR',
  yen: ({ facts }) => facts?.currency === 'JPY',
  crlf: writtenWith(/\r\n/),
  references: writtenWith(/&#x\w+;/),
  prefixed: writtenWith(/^<fa:Faktura/),
  quotes: writtenWith(/^<\?xml version='/),
  'after-rejected': ({ session }) => session.rejected > 0,
} as const satisfies Readonly<Record<string, Is>>

export type Facet = keyof typeof facets

export const meets =
  (...names: readonly Facet[]): Is =>
  (one) =>
    names.every((name) => facets[name](one))

const factsIn = (bytes: Uint8Array): InvoiceFacts | undefined => {
  try {
    return readFacts(markupOf(bytes))
  } catch {
    return undefined
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** An accepted invoice. */
export const oneOf = (issued: Issued, state: State): One | undefined => {
  const session = state.sessions.get(issued.session)
  const invoice = state.invoices.get(issued.invoice)
  const bytes = state.contents.get(issued.invoice)?.bytes
  if (session === undefined || invoice === undefined || bytes === undefined) return undefined
  return { session, invoice, facts: issued.facts, text: textOf(bytes) }
}

/** Whether an accepted invoice is meant; false for one that is not there. */
export const isMeant = (issued: Issued | undefined, state: State, is: Is): boolean => {
  const one = issued && oneOf(issued, state)
  return one !== undefined && is(one)
}

/** The invoice that is in verification. */
export interface Verified {
  /** The invoice, if it is meant. */
  readonly meant: () => One | undefined
  readonly isMeant: () => boolean
  /** Whether an accepted one is meant, by its service number. */
  readonly wasMeant: (svcNumber: string, is: Is) => boolean
}

/** Decisions about those documents alone that are meant, when they are verified. */
export const inVerification = (
  is: Is,
  change: (verified: Verified) => Partial<Policy>,
  claims?: (verified: Verified) => NonNullable<Mutant['tables']>['claims'],
): Mutant => {
  let found: { readonly content: Content; readonly state: State } | undefined
  let plain: Uint8Array | undefined
  const one = (): One | undefined => {
    const invoice = found?.state.invoices.get(found.content.invoice)
    const session = invoice && found?.state.sessions.get(invoice.session)
    return session === undefined || plain === undefined
      ? undefined
      : { session, invoice: invoice!, facts: factsIn(plain), text: textOf(plain) }
  }
  const meant = (): One | undefined => {
    const now = one()
    return now !== undefined && is(now) ? now : undefined
  }
  const verified: Verified = {
    meant,
    isMeant: () => meant() !== undefined,
    wasMeant: (svcNumber, wasOne) =>
      found !== undefined && isMeant(found.state.issued.get(svcNumber), found.state, wasOne),
  }
  const policy = change(verified)
  const ofClaims = claims?.(verified)
  return {
    at: ['invoice'],
    policy: {
      ...policy,
      // Sees each plain document first.
      encodingFault(bytes) {
        plain = bytes
        return (policy.encodingFault ?? sound.encodingFault)(bytes)
      },
    },
    tables: {
      contents: {
        read(content, _key, state) {
          if (content !== undefined) found = { content, state }
          plain = undefined
          return content
        },
      },
      ...(ofClaims !== undefined && { claims: ofClaims }),
    },
  }
}
