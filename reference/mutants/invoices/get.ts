import { sha256Base64 } from '../../base/crypto.ts'
import { refuse } from '../../base/refusals.ts'
import { policy } from '../../policy/policy.ts'
import { keyOf, nipOf } from '../../model/entities.ts'
import type { Invoice, Session } from '../../model/documents.ts'
import { keptForAMonth } from '../ages.ts'
import type { Mutant } from '../mutant.ts'
import { keptForTheOriginal } from '../rejections.ts'
import { accepts, answers, bodies, calls, decidedBy, refuses } from '../rewrite.ts'
import { isAlone, isPackage, sentByAnother } from '../ways-of-sending.ts'

/** A `+` in a path is read as in a form; an encoded one is not. */
const plusAsSpace = (): Mutant => {
  let plain = false
  return {
    exchange(running, next) {
      plain = running.path.includes('+')
      return next(running)
    },
    call(call, next) {
      const { invoiceNumber } = call.path
      return plain && call.operation === 'invoices.byNumber' && invoiceNumber !== undefined
        ? next({
            ...call,
            path: { ...call.path, invoiceNumber: invoiceNumber.replaceAll('+', ' ') },
          })
        : next(call)
    },
  }
}

const numberInPath = /\/invoices\/([^/]*)$/

/** Paths of one spelling name no invoice. */
const unreadSpelling = (spelling: RegExp): Mutant => ({
  exchange(running, next) {
    if (spelling.test(numberInPath.exec(running.path)?.[1] ?? '')) throw refuse('invoice-unknown')
    return next(running)
  },
})

/** What was sent in one way is not found by its own number. */
const notByNumber = (isSuch: typeof isAlone): Mutant =>
  refuses(['invoices.byNumber'], 'invoice-unknown', ({ path, service: { state } }) =>
    state.issued
      .by('number', path['invoiceNumber'] ?? '')
      .some(({ session }) => isSuch(state.sessions.get(session))),
  )

/** What was sent in one way is visible to its seller only. */
const notForTheBuyer = (isSuch: Parameters<typeof sentByAnother>[2]): Mutant =>
  refuses(['invoices.bySvcNumber', 'invoices.statusBySvcNumber'], 'invoice-unknown', (call) =>
    sentByAnother(call, call.path['svcNumber'] ?? '', isSuch),
  )

/** Rejected documents of some kind are found by their number, as if they had been issued. */
const rejectedFound = (
  isSuch: (invoice: Invoice, session: Session | undefined) => boolean,
): Mutant =>
  accepts(['invoices.byNumber'], ['invoice-unknown'], ({ service: { state }, path }) => {
    const known = [...state.invoices.values()].find(
      (one) =>
        one.number === path['invoiceNumber'] &&
        one.status.code >= 400 &&
        isSuch(one, state.sessions.get(one.session)),
    )
    return known && { bytes: Buffer.from(`<Faktura><P_2>${known.number}</P_2></Faktura>`) }
  })

/** A search finds what was rejected of the packages of its context. */
const rejectedSearched: Mutant = bodies(
  ['queries.metadata'],
  ({ invoices }: { invoices: readonly unknown[] }, { caller, service: { state } }) => ({
    invoices: [
      ...invoices,
      ...[...state.invoices.values()].flatMap(({ number, status, session }) => {
        const sent = state.sessions.get(session)
        return caller !== undefined &&
          sent !== undefined &&
          isPackage(sent) &&
          status.code >= 400 &&
          keyOf(sent.context) === keyOf(caller.context)
          ? [{ svcNumber: session, invoiceNumber: number }]
          : []
      }),
    ],
  }),
)

/** Any context reads what was sent in one way. */
const forAnyone = (isSuch: typeof isAlone): Mutant =>
  calls(['invoices.bySvcNumber', 'invoices.statusBySvcNumber'], (call) => {
    const { issued, sessions } = call.service.state
    const session = issued.get(call.path['svcNumber'] ?? '')?.session ?? ''
    return isSuch(sessions.get(session))
      ? decidedBy(call, { mayReadInvoice: () => true, mayReadStatus: () => true })
      : call
  })

/** Of the invoices with a number a seller reads its own, whatever it bought. */
const ownBeforeBought = (): Mutant => {
  let nip: string | undefined
  return {
    at: ['invoices.byNumber'],
    call(call, next) {
      nip = call.caller && nipOf(call.caller.context)
      return next(call)
    },
    tables: {
      issued: {
        find(found) {
          const own = found.filter(({ facts }) => facts.seller.nip === nip)
          return own.length > 0 ? own : found
        },
      },
    },
  }
}

/** Documents that share a property are kept in one place: each has the content of the last. */
const keptBy = (property: (invoice: Invoice) => string | undefined): Mutant => ({
  at: ['invoices.bySvcNumber', 'export'],
  tables: {
    contents: {
      read(found, key, { contents, invoices }) {
        const invoice = invoices.get(key)
        const place = invoice && property(invoice)
        if (invoice === undefined || place === undefined) return found
        const last = invoices
          .by('session', invoice.session)
          .findLast((one) => one.svcNumber !== undefined && property(one) === place)
        return last === undefined ? found : contents.get(last.referenceNumber)
      },
    },
  },
})

/** Defects of who reads an invoice, and by which number. */
export const invoicesGetMutants = {
  'invoices.get.by-service-number/retrieved-reformatted': answers(
    ['invoices.byNumber', 'invoices.bySvcNumber'],
    (answer) => {
      const bytes = Buffer.from(`${Buffer.from(answer.bytes!).toString().trimEnd()}\n\n`)
      return { ...answer, bytes, headers: { 'x-ms-meta-hash': sha256Base64(bytes) } }
    },
  ),
  'invoices.get.by-service-number/line-ends-of-a-tar': {
    tables: {
      contents: {
        write(next, _before, { invoices, sessions }) {
          const session = sessions.get(invoices.get(next.invoice)?.session ?? '')
          if (session?.package?.compression !== 'TarGz' || next.form !== 'plain') return next
          const text = Buffer.from(next.bytes).toString().replaceAll('\r\n', '\n')
          return { ...next, bytes: Buffer.from(text) }
        },
      },
    },
  },
  'invoices.get.by-invoice-number/ambiguous-anywhere': refuses(
    ['invoices.byNumber'],
    'invoice-number-ambiguous',
    ({ path, service: { state } }) =>
      state.issued.by('number', path['invoiceNumber'] ?? '').length > 1,
  ),
  'invoices.get.by-invoice-number/plus-as-space': plusAsSpace(),
  'invoices.get.by-invoice-number/small-hexadecimal-digits':
    unreadSpelling(/%(?:[a-f][\da-f]|\d[a-f])/),
  'invoices.get.by-invoice-number/ambiguous-beside-a-rejected-one': {
    at: ['invoices.byNumber'],
    call(call, next) {
      const number = call.path['invoiceNumber']
      const rejected = [...call.service.state.invoices.values()].some(
        (one) => one.number === number && one.status.code > 200,
      )
      if (rejected) throw refuse('invoice-number-ambiguous')
      return next(call)
    },
  },
  'invoices.get.by-invoice-number/not-found-by-number': { policy: { numberMatches: () => false } },
  'invoices.get.by-invoice-number/first-of-several': { policy: { lookupAmbiguous: () => false } },
  'invoices.get.by-invoice-number/plus-is-a-space': calls(['invoices.byNumber'], (call) => ({
    ...call,
    path: { ...call.path, invoiceNumber: (call.path['invoiceNumber'] ?? '').replaceAll('+', ' ') },
  })),
  'invoices.get.by-invoice-number/of-the-first-seller': {
    at: ['invoices.byNumber'],
    tables: {
      issued: {
        find: (found) =>
          found.filter(({ facts }) => facts.seller.nip === found[0]?.facts.seller.nip),
      },
    },
  },
  'invoices.get.parties-only/seller-only-as-sender': {
    policy: {
      mayReadInvoice: (roles) => policy.mayReadInvoice({ ...roles, seller: false }),
    },
  },
  'invoices.get.parties-only/by-its-number-of-the-service': accepts(
    ['invoices.byNumber'],
    ['invoice-unknown'],
    ({ service, path }) => {
      const issued = service.state.issued.get(path['invoiceNumber'] ?? '')
      return issued && { bytes: Buffer.from('<Faktura/>') }
    },
  ),
  'invoices.get.parties-only/several-of-others-told': accepts(
    ['invoices.byNumber'],
    ['invoice-unknown'],
    ({ service, path }) => {
      if (service.state.issued.by('number', path['invoiceNumber'] ?? '').length > 1)
        throw refuse('invoice-number-ambiguous')
      return undefined
    },
  ),
  'invoices.get.parties-only/read-by-anyone': { policy: { mayReadInvoice: () => true } },
  'invoices.get.rejected-absent/receipt-without-bytes': accepts(
    ['receipts.invoice'],
    ['receipt-unknown'],
    () => ({ status: 204 }),
  ),
  'invoices.get.rejected-absent/rejected-retrievable': accepts(
    ['invoices.byNumber'],
    ['invoice-unknown'],
    ({ service, path }) => {
      const known = [...service.state.invoices.values()].find(
        ({ number, status }) => number === path['invoiceNumber'] && status.code >= 400,
      )
      return known && { bytes: Buffer.from(`<Faktura><P_2>${known.number}</P_2></Faktura>`) }
    },
  ),
  'invoices.get.by-invoice-number/not-sent-alone': notByNumber(isAlone),
  'invoices.get.by-invoice-number/not-in-packages': notByNumber(isPackage),
  'invoices.get.parties-only/sent-alone-not-for-the-buyer': {
    ...notForTheBuyer(isAlone),
    needs: 'invoices.send',
  },
  'invoices.get.parties-only/packages-not-for-the-buyer': notForTheBuyer(isPackage),
  'invoices.get.by-service-number/duplicate-kept-for-its-original': keptForTheOriginal(),
  'invoices.get.by-service-number/kept-by-base-name': keptBy(({ fileName }) =>
    fileName?.split('/').at(-1),
  ),
  'invoices.get.by-service-number/kept-by-name-in-small-letters': keptBy(({ fileName }) =>
    fileName?.toLowerCase(),
  ),
  'invoices.get.by-service-number/kept-without-its-ending': keptBy(({ fileName }) =>
    fileName?.replace(/\..*$/, ''),
  ),
  'invoices.get.by-service-number/kept-by-number': {
    at: ['invoices.bySvcNumber'],
    tables: {
      contents: {
        read(found, key, { contents, invoices, issued }) {
          const { number = '' } = invoices.get(key) ?? {}
          return contents.get(issued.by('number', number)[0]?.invoice ?? key) ?? found
        },
      },
    },
  },
  'invoices.get.rejected-absent/of-another-seller-retrievable': rejectedFound(
    ({ status }) => status.code === 410,
  ),
  'invoices.get.rejected-absent/rejected-in-packages-retrievable': rejectedFound(
    (_invoice, session) => isPackage(session),
  ),
  'invoices.get.rejected-absent/rejected-in-packages-searched': rejectedSearched,
  'invoices.get.rejected-absent/takes-the-place-of-the-first': {
    tables: {
      contents: {
        remove(key, { contents, issued }) {
          const { bytes } = contents.get(key) ?? {}
          const [, number] = /<P_2>(.*?)<\/P_2>/.exec(Buffer.from(bytes ?? []).toString()) ?? []
          const [first] = issued.by('number', number ?? '')
          const original = first && contents.get(first.invoice)
          if (bytes !== undefined && original !== undefined) contents.put({ ...original, bytes })
          return true
        },
      },
    },
  },
  'invoices.get.parties-only/packages-for-anyone': forAnyone(isPackage),
  'invoices.get.parties-only/sent-alone-for-anyone': {
    ...forAnyone(isAlone),
    needs: 'invoices.send',
  },
  'invoices.get.by-service-number/kept-for-a-month': keptForAMonth(['invoices.bySvcNumber']),
  'invoices.get.by-invoice-number/kept-for-a-month': keptForAMonth(['invoices.byNumber']),
  'invoices.get.by-invoice-number/own-before-bought': ownBeforeBought(),
  'invoices.get.by-invoice-number/short-numbers-only': refuses(
    ['invoices.byNumber'],
    'invoice-unknown',
    ({ path }) => (path['invoiceNumber'] ?? '').length > 100,
  ),
} as const satisfies Readonly<Record<string, Mutant>>
