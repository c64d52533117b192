/** Further parties of an invoice, put into one that was made without. */

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const party = (value: string): string => {
  const name = value.includes('-') ? 'IDWew' : 'NIP'
  return partyBy(`<${name}>${value}</${name}>`, value)
}

const partyBy = (identifier: string, value: string): string =>
  `<DaneIdentyfikacyjne>${identifier}<Nazwa>Party ${value}</Nazwa></DaneIdentyfikacyjne>` +
  '<Adres><KodKraju>PL</KodKraju><AdresL1>ul. Polna 1</AdresL1></Adres>'

/** The invoice as one that the buyer issues in the name of the seller, or as one that it does not. */
export const selfInvoiced = (bytes: Uint8Array, does = true): Uint8Array =>
  encoder.encode(
    decoder.decode(bytes).replace(/<P_17>[12]<\/P_17>/, `<P_17>${does ? 1 : 2}</P_17>`),
  )

/** Adds a third party to an invoice, by default the recipient: a NIP, or the internal identifier of a unit. */
export const withThirdParty = (bytes: Uint8Array, value: string, role = 2): Uint8Array =>
  encoder.encode(
    decoder
      .decode(bytes)
      .replace(
        '</Podmiot2>',
        `</Podmiot2><Podmiot3>${party(value)}<Rola>${role}</Rola></Podmiot3>`,
      ),
  )

/** The invoice under another number. */
export const renumbered = (bytes: Uint8Array, prefix: string): Uint8Array =>
  encoder.encode(decoder.decode(bytes).replace(/(<(?:\w+:)?P_2>)/, `$1${prefix}/`))

/** The invoice with an authorized party (a tax representative unless it says otherwise) and no other. */
export const withAuthorizedParty = (bytes: Uint8Array, nip: string, role = 3): Uint8Array =>
  encoder.encode(
    decoder
      .decode(bytes)
      .replace(/<PodmiotUpowazniony>.*?<\/PodmiotUpowazniony>/s, '')
      .replace(
        '<Fa>',
        `<PodmiotUpowazniony>${party(nip)}<RolaPU>${role}</RolaPU></PodmiotUpowazniony><Fa>`,
      ),
  )

/** An identifier as the metadata report it, and as a document has it. */
export interface Identified {
  readonly identifier: { readonly type: string; readonly value?: string }
  readonly markup: string
}

export const element = (name: string, text: string): string => `<${name}>${text}</${name}>`

/** The identifiers that a document knows, all but the internal one with the same digits. */
export const identified = (nip: string): readonly Identified[] => [
  { identifier: { type: 'Nip', value: nip }, markup: element('NIP', nip) },
  {
    identifier: { type: 'VatUe', value: `DE${nip.slice(0, 9)}` },
    markup: element('KodUE', 'DE') + element('NrVatUE', nip.slice(0, 9)),
  },
  {
    identifier: { type: 'Other', value: nip },
    markup: element('KodKraju', 'US') + element('NrID', nip),
  },
  { identifier: { type: 'None' }, markup: element('BrakID', '1') },
]

export const partyOf = ({ markup }: Identified, name: string): string =>
  element('DaneIdentyfikacyjne', markup + element('Nazwa', name))

/** A document with another buyer. */
export const boughtBy = (text: string, kind: Identified, name: string): string =>
  text.replace(
    /(<Podmiot2>)<DaneIdentyfikacyjne>.*?<\/DaneIdentyfikacyjne>/s,
    (_, tag: string) => tag + partyOf(kind, name),
  )
