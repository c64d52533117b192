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
