import type { Element } from '../schema/document.ts'
import { children } from '../schema/document.ts'
import type { DoubtfulRow } from './doubtful-row.ts'
import { fa, line, notes, removed } from './doubtful-row.ts'
import {
  elementAt,
  hasPlace,
  like,
  NoSuchPlaceError,
  replaceAt,
  textOf,
  withChildren,
  withText,
} from './edit.ts'

/** Rates, flags, dates, references and parties that contradict the rest of an invoice, or each other. */

const swapped = (document: Element, path: string, a: string, b: string): Element => {
  const [first, second] = [textOf(document, `${path}/${a}`), textOf(document, `${path}/${b}`)]
  if (first === second) throw new NoSuchPlaceError(`${path} begins and ends at the same time`)
  return withText(withText(document, `${path}/${a}`, second), `${path}/${b}`, first)
}

export const doubtfulStatements: readonly DoubtfulRow[] = [
  {
    id: 'former-rate',
    summary: 'a tax rate of years ago on an invoice of today',
    warns: 'former-rate',
    kind: 'VAT',
    path: `${line}/P_12`,
    text: (old) => (old === '23' ? '22' : undefined),
  },
  {
    id: 'reverse-charge-flag',
    summary: 'a line is under reverse charge and the flag says no',
    warns: 'reverse-charge-flag',
    path: `${notes}/P_18`,
    text: (old) => (old === '1' ? '2' : undefined),
  },
  {
    id: 'split-payment-flag',
    summary: 'split payment is due and the flag says no',
    warns: 'split-payment-flag',
    kind: 'VAT',
    path: `${notes}/P_18A`,
    text: (old) => (old === '1' ? '2' : undefined),
  },
  {
    id: 'exemption-flag',
    summary: 'a line is exempt and no basis is given',
    warns: 'exemption-flag',
    path: `${notes}/Zwolnienie`,
    change: (document, path) => {
      elementAt(document, `${path}/P_19`)
      return withChildren(document, path, ([first]) => [like(first!, 'P_19N', '1')])
    },
  },
  {
    id: 'margin-flag',
    summary: 'goods are sold at a margin and the flag says no',
    warns: 'margin-flag',
    path: `${notes}/PMarzy`,
    change: (document, path) => {
      elementAt(document, `${path}/P_PMarzy`)
      return withChildren(document, path, ([first]) => [like(first!, 'P_PMarzyN', '1')])
    },
  },
  {
    id: 'supply-buyer',
    summary: 'an intra-EU supply to a buyer without a number of another member state',
    warns: 'supply-buyer',
    kind: 'VAT',
    schemas: ['fa3'],
    path: 'Faktura/Podmiot2/DaneIdentyfikacyjne',
    change: (document, path) => {
      if (textOf(document, `${line}/P_12`) !== '0 WDT') throw new NoSuchPlaceError('no supply')
      elementAt(document, `${path}/NrVatUE`)
      return withChildren(document, path, ([country, number, ...others]) => [
        like(country!, 'NrID', number!.content),
        ...others,
      ])
    },
  },
  {
    id: 'period-reversed',
    summary: 'the period of supply ends before it begins',
    warns: 'period-reversed',
    path: `${fa}/OkresFa`,
    change: (document, path) => swapped(document, path, 'P_6_Od', 'P_6_Do'),
  },
  {
    id: 'transport-reversed',
    summary: 'a transport ends before it begins',
    warns: 'transport-reversed',
    kind: 'VAT',
    path: `${fa}/WarunkiTransakcji/Transport`,
    change: (document, path) =>
      swapped(document, path, 'DataGodzRozpTransportu', 'DataGodzZakTransportu'),
  },
  {
    id: 'corrected-later',
    summary: 'a correction of an invoice that was issued after it',
    warns: 'corrected-later',
    kind: 'KOR',
    path: `${fa}/DaneFaKorygowanej/DataWystFaKorygowanej`,
    text: (_, document) => `${Number(textOf(document, `${fa}/P_1`).slice(0, 4)) + 1}-01-02`,
  },
  {
    id: 'created-long-before',
    summary: 'a document that was created years before its day of issue',
    warns: 'created-long-before',
    schemas: ['fa2'],
    path: 'Faktura/Naglowek/DataWytworzeniaFa',
    text: () => '2022-03-01T12:00:00Z',
  },
  {
    id: 'correction-reference',
    summary: 'a correction that names no invoice',
    warns: 'correction-reference',
    kind: 'KOR',
    path: `${fa}/DaneFaKorygowanej`,
    change: (document, path) => {
      const names = [
        'OkresFaKorygowanej',
        'Podmiot1K',
        'Podmiot2K',
        'PrzyczynaKorekty',
        'TypKorekty',
      ]
      if (names.slice(0, 3).some((name) => hasPlace(document, `${fa}/${name}`)))
        throw new NoSuchPlaceError('more belongs to the reference')
      return names
        .slice(3)
        .reduce(
          (made, name) => (hasPlace(made, `${fa}/${name}`) ? removed(made, `${fa}/${name}`) : made),
          removed(document, path),
        )
    },
  },
  {
    id: 'correction-of-nothing',
    summary: 'a correction that changes nothing',
    warns: 'correction-of-nothing',
    kind: 'KOR',
    path: `${fa}/Podmiot2K`,
    change: removed,
  },
  {
    id: 'advance-order',
    summary: 'an advance without the order that it is for',
    warns: 'advance-order',
    kind: 'ZAL',
    path: `${fa}/Zamowienie`,
    change: removed,
  },
  {
    id: 'settlement-advance',
    summary: 'a settlement that names no advance',
    warns: 'settlement-advance',
    kind: 'ROZ',
    path: `${fa}/FakturaZaliczkowa`,
    change: removed,
  },
  {
    id: 'advance-twice',
    summary: 'a settlement that settles an advance twice',
    warns: 'advance-twice',
    kind: 'ROZ',
    path: `${fa}/FakturaZaliczkowa`,
    change: (document, path) => replaceAt(document, path, (old) => [old, old]),
  },
  {
    id: 'no-lines',
    summary: 'an invoice without lines, and with a total',
    warns: 'no-lines',
    kind: 'VAT',
    path: line,
    change: removed,
  },
  {
    id: 'simplified-limit',
    summary: 'a simplified invoice above its limit',
    warns: 'simplified-limit',
    kind: 'UPR',
    path: `${fa}/P_15`,
    text: (_, document) =>
      children(elementAt(document, fa)).some(({ name }) => name.startsWith('P_13'))
        ? undefined
        : '450.01',
  },
  {
    id: 'line-number-twice',
    summary: 'two lines with one number',
    warns: 'line-number-twice',
    kind: 'VAT',
    path: `${line}/NrWierszaFa`,
    text: (_, document) =>
      children(elementAt(document, fa)).filter(({ name }) => name === 'FaWiersz').length > 1
        ? '2'
        : undefined,
  },
  {
    id: 'line-reference',
    summary: 'a description of a line that is not there',
    warns: 'line-reference',
    path: `${fa}/DodatkowyOpis/NrWiersza`,
    text: () => '9999',
  },
  {
    id: 'self-sale',
    summary: 'the buyer is the seller',
    warns: 'self-sale',
    path: 'Faktura/Podmiot2/DaneIdentyfikacyjne/NIP',
    text: (_, document) => textOf(document, 'Faktura/Podmiot1/DaneIdentyfikacyjne/NIP'),
  },
  {
    id: 'marker-role',
    summary: 'a buyer of a VAT group without the member of the group',
    warns: 'marker-role',
    schemas: ['fa3'],
    path: 'Faktura/Podmiot2/GV',
    text: (old) => (old === '2' ? '1' : undefined),
  },
  {
    id: 'account-check-digits',
    summary: 'the check digits of an account number do not agree',
    warns: 'account-check-digits',
    path: `${fa}/Platnosc/RachunekBankowy/NrRB`,
    text: (old) => old.slice(0, -1) + String((Number(old.at(-1)) + 1) % 10),
  },
  {
    id: 'account-length',
    summary: 'an account number of one digit too few',
    warns: 'account-length',
    path: `${fa}/Platnosc/RachunekBankowy/NrRB`,
    text: (old) => `PL${old.slice(0, -1)}`,
  },
  {
    id: 'payment-id',
    summary: 'the identifier of a payment is not that of its link',
    warns: 'payment-id',
    schemas: ['fa3'],
    path: `${fa}/Platnosc/IPKSeF`,
    text: (old) => old.slice(0, -1) + String((Number(old.at(-1)) + 1) % 10),
  },
]
