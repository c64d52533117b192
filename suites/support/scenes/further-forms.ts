import type { FormId } from '../../../contract/environments.ts'
import { furtherForms } from '../../../contract/environments.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import type { CertificateOptions } from '../../../lib/node/pki.ts'
import type { Rng } from '../../../lib/random.ts'
import { notApplicable } from '../run/not-offered.ts'
import type { Me, OwnContext } from '../service/contexts.ts'
import { contextWith } from '../service/contexts.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { ownCertificate } from '../steps/seals.ts'
import { accept } from '../steps/steps.ts'
import type { Target } from '../service/target.ts'

/** Invoices in the forms besides FA, as short as they can be, and the Peppol providers that send some of them. */

interface Facts {
  readonly seller: string
  readonly number: string
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly buyer?: string
  /** The kind of an invoice for a farmer: `VAT_RR` when absent. */
  readonly kind?: 'VAT_RR' | 'KOR_VAT_RR'
}

const anyBuyer = '1111111111'

const ublCommon = 'urn:oasis:names:specification:ubl:schema:xsd'

const party = (role: string, nip: string): string =>
  `<a:${role}><a:Party><a:PartyTaxScheme><b:CompanyID>PL${nip}</b:CompanyID>` +
  '<a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:PartyTaxScheme></a:Party>' +
  `</a:${role}>`

const ubl = (form: 'pef' | 'pefKor', { seller, number, day, buyer = anyBuyer }: Facts): string => {
  const { root, namespace } = furtherForms[form]
  const amounts = ['TaxExclusiveAmount>100', 'TaxInclusiveAmount>123', 'PayableAmount>123']
  return (
    `<${root} xmlns="${namespace}" xmlns:a="${ublCommon}:CommonAggregateComponents-2" xmlns:b="${ublCommon}:CommonBasicComponents-2">` +
    `<b:ID>${number}</b:ID><b:IssueDate>${day}</b:IssueDate>` +
    '<b:DocumentCurrencyCode>PLN</b:DocumentCurrencyCode>' +
    party('AccountingSupplierParty', seller) +
    party('AccountingCustomerParty', buyer) +
    '<a:TaxTotal><b:TaxAmount currencyID="PLN">23</b:TaxAmount></a:TaxTotal><a:LegalMonetaryTotal>' +
    amounts
      .map((amount) =>
        `<b:${amount}</b:${amount.split('>')[0]}>`.replace('>', ' currencyID="PLN">'),
      )
      .join('') +
    `</a:LegalMonetaryTotal></${root}>`
  )
}

const farmer = ({ seller, number, day, buyer = anyBuyer, kind = 'VAT_RR' }: Facts): string =>
  `<Faktura xmlns="${furtherForms.faRr.namespace}"><Naglowek>` +
  '<KodFormularza kodSystemowy="FA_RR (1)" wersjaSchemy="1-1E">FA_RR</KodFormularza>' +
  `<WariantFormularza>1</WariantFormularza><DataWytworzeniaFa>${day}T08:00:00Z</DataWytworzeniaFa></Naglowek>` +
  `<Podmiot1><DaneIdentyfikacyjne><NIP>${seller}</NIP><Nazwa>Seller</Nazwa></DaneIdentyfikacyjne></Podmiot1>` +
  `<Podmiot2><DaneIdentyfikacyjne><NIP>${buyer}</NIP><Nazwa>Buyer</Nazwa></DaneIdentyfikacyjne></Podmiot2>` +
  `<FakturaRR><KodWaluty>PLN</KodWaluty><P_4A>${day}</P_4A><P_4B>${day}</P_4B><P_4C>${number}</P_4C>` +
  '<P_11_1>100.00</P_11_1><P_11_2>7.00</P_11_2><P_12_1>107.00</P_12_1>' +
  `<RodzajFaktury>${kind}</RodzajFaktury></FakturaRR></Faktura>`

/** An invoice in a form. */
export const invoiceIn = (form: FormId, facts: Facts): Uint8Array =>
  new TextEncoder().encode(form === 'faRr' ? farmer(facts) : ubl(form, facts))

/**
 * Has an invoice of a context accepted in each form besides FA.
 * @returns the service numbers, by the value of the form
 * @throws an error with the outcome "not applicable" where the dialect has no such forms
 */
export const acceptInEveryForm = async (
  { api, context }: Me,
  { rng, target }: { readonly rng: Rng; readonly target: Target },
): Promise<readonly { readonly type: string; readonly svcNumber: string }[]> => {
  if (target.dialect.forms === undefined) {
    throw notApplicable('the dialect has no form but FA')
  }
  const all = []
  for (const form of target.dialect.forms) {
    const { formCode } = furtherForms[form]
    const session = await openOnline(api, { formCode })
    const facts = { seller: context.nip, number: rng.digits(12), day: isoDay(target.now()) }
    const { svcNumber } = await accept({ api, session }, invoiceIn(form, facts))
    all.push({ type: formCode.value, svcNumber })
  }
  return all
}

/** The name of the organization on a provider's certificate. */
export const providerName = (id: string): string => `Provider ${id}`

/**
 * A Peppol provider that the service has not met, in its own context.
 * @throws {NotOffered} where the target accepts no self-signed seal
 */
export const newProvider = (rng: Rng, target: Target): OwnContext =>
  providerWith(`PPL${rng.digits(6)}`, target)

/**
 * A Peppol provider with a certificate for some time.
 * @throws {NotOffered} where the target accepts no self-signed seal
 */
export const providerWith = (
  value: string,
  target: Target,
  dates: Pick<CertificateOptions, 'notBefore' | 'notAfter'> = {},
  name = providerName(value),
): OwnContext => {
  const subject = {
    organizationName: name,
    commonName: value,
    countryName: 'PL',
  }
  const credentials = ownCertificate(target, { subject, ...dates })
  return contextWith({ type: 'PeppolId', value }, credentials, target.now)
}
