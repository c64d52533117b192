import { policy } from '../../policy/policy.ts'
import { firstOfEach } from '../by-number.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import { accepts, answers, bodies, calls, ignores, lists, records } from '../rewrite.ts'

/** Beside a filter, a caller finds those alone that its own context created. */
const ownBeside = (...filters: readonly string[]): Mutant =>
  calls(['invoices.queryCollectives'], (call) => {
    const body = call.body as Fields
    const isGiven = filters.some((name) => (body[name] ?? undefined) !== undefined)
    return isGiven ? { ...call, body: { createdInCurrentContext: true, ...body } } : call
  })

/** Only the first and the last invoice are compared. */
const endsCompared: Mutant = calls(['invoices.createCollective'], (call) => {
  const body = call.body as { readonly invoices: readonly { readonly svcNumber: string }[] }
  const [first, last] = [body.invoices[0], body.invoices.at(-1)]
  const isOfOne = first?.svcNumber.slice(0, 10) === last?.svcNumber.slice(0, 10)
  return isOfOne && body.invoices.length > 2
    ? { ...call, body: { ...body, invoices: [first, last] } }
    : call
})

/** The answer with an identifier that the service has not stored. */
const madeUp = { body: { collectiveIdentifierNumber: '5265877635-IZ202606-65ED02180000-1B' } }

/** An identifier names who created it. */
const namedAfterItsCreator = (): Mutant => {
  let creator = ''
  return {
    at: ['invoices.createCollective'],
    call(call, next) {
      creator = call.caller?.context.value ?? ''
      return next(call)
    },
    policy: {
      collectiveNumber: (_nip, day, technical) => policy.collectiveNumber(creator, day, technical),
    },
  }
}

/** Defects of collective identifiers. */
export const invoicesCollectiveMutants = {
  'invoices.collective.created/check-sum-wrong': bodies(
    ['invoices.createCollective'],
    ({ collectiveIdentifierNumber: number }: { readonly collectiveIdentifierNumber: string }) => ({
      collectiveIdentifierNumber: `${number.slice(0, 33)}${number.endsWith('00') ? '01' : '00'}`,
    }),
  ),
  'invoices.collective.created/named-after-its-creator': namedAfterItsCreator(),
  'invoices.collective.created/unknown-accepted': accepts(
    ['invoices.createCollective'],
    ['invoice-not-collectable'],
    () => madeUp,
  ),
  'invoices.collective.created/the-first-seen': accepts(
    ['invoices.createCollective'],
    ['invoice-not-collectable'],
    (call) => {
      const { invoices } = call.body as { readonly invoices: readonly { svcNumber: string }[] }
      const issued = invoices.flatMap(
        ({ svcNumber }) => call.service.state.issued.get(svcNumber) ?? [],
      )
      const [first] = issued
      const parties = [first?.facts.seller.nip, first?.facts.buyer.identifier.value]
      return issued.length === invoices.length && parties.includes(call.caller?.context.value)
        ? madeUp
        : undefined
    },
  ),
  'invoices.collective.created/several-sellers': { policy: { sameSeller: () => true } },
  'invoices.collective.created/ends-compared': endsCompared,
  'invoices.collective.created/more-than-500': {
    limits: { 'collective.invoices': (max) => max + 1 },
  },
  'invoices.collective.created/once-too-often': {
    limits: { 'collective.perInvoice': (max) => max + 1 },
  },
  'invoices.collective.created/refused-too-soon': {
    limits: { 'collective.perInvoice': (max) => max - 1 },
  },
  'invoices.collective.listed/filters-ignored': ignores(
    ['invoices.queryCollectives'],
    'invoiceCountFrom',
    'invoiceCountTo',
    'collectiveIdentifierNumber',
    'createdInCurrentContext',
  ),
  'invoices.collective.listed/own-alone-by-number': ownBeside('collectiveIdentifierNumber'),
  'invoices.collective.listed/own-alone-by-count': ownBeside('invoiceCountFrom', 'invoiceCountTo'),
  'invoices.collective.listed/upper-count-lost-with-the-lower': calls(
    ['invoices.queryCollectives'],
    (call) => {
      const body = call.body as Readonly<Record<string, unknown>>
      const both = body['invoiceCountFrom'] !== undefined
      return both ? { ...call, body: { ...body, invoiceCountTo: undefined } } : call
    },
  ),
  'invoices.collective.listed/hundredths-cut-off': records(
    ['invoices.ofCollective'],
    'invoices',
    ({ payment }: { readonly payment?: { readonly amount: number } }) =>
      payment === undefined
        ? {}
        : { payment: { ...payment, amount: Math.trunc(payment.amount * 100) / 100 } },
  ),
  'invoices.collective.listed/payment-lost': records(['invoices.ofCollective'], 'invoices', {
    payment: null,
  }),
  'invoices.collective.listed/payments-to-every-party': answers(
    ['invoices.ofCollective'],
    ({ body, ...answer }, { service, path }) => {
      const { invoices = [] } =
        service.state.collectives.get(String(path['collectiveIdentifierNumber'])) ?? {}
      const paid = new Map(invoices.map((one) => [one.svcNumber, one.payment ?? null]))
      const shown = (body as { readonly invoices: readonly Fields[] }).invoices
      return {
        ...answer,
        body: {
          ...(body as Fields),
          invoices: shown.map((row) => ({ ...row, payment: paid.get(String(row['svcNumber'])) })),
        },
      }
    },
  ),
  'invoices.collective.listed/by-the-number-of-the-seller': bodies(
    ['invoices.ofCollective'],
    ({ invoices }: { readonly invoices: readonly Fields[] }, { service: { state } }) => ({
      invoices: firstOfEach(
        invoices,
        ({ svcNumber }) => state.issued.get(String(svcNumber))?.facts.number,
      ),
    }),
  ),
  'invoices.collective.listed/not-by-invoice': lists(
    ['invoices.collectivesOf'],
    'collectiveIdentifiers',
    () => [],
  ),
} as const satisfies Readonly<Record<string, Mutant>>
