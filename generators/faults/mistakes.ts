/** What is wrong, and the text. */
export type Mistake = readonly [how: string, summary: string, text: string]

/** Values that people write, by the name of their type; each is a fault in one of the schemas at least. */
export const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  TNrNIP: [
    ['eleven-digits', 'has eleven digits', '52658776351'],
    ['country', 'begins with its country', 'PL5265877635'],
    ['dashes', 'has dashes', '526-587-76-35'],
    ['zeros', 'has zeros as second and third digit', '5005877638'],
    ['printed-pretty', 'on a separate line', '\n      5265877635\n    '],
  ],
  TNIPIdWew: [['four-digits', 'ends in four digits', '5265877635-1234']],
  TNrVatUE: [['lower-case', 'is in lower case', 'de12345']],
  TaxId: [['dash', 'has a dash', 'AB-12']],
  TKodKraju: [
    ['lower-case', 'is in lower case', 'pl'],
    ['three-letters', 'has three letters', 'POL'],
    ['name', 'is a name', 'Polska'],
  ],
  TKodyKrajowUE: [['left', 'is of a country that has left', 'GB']],
  TKodWaluty: [
    ['lower-case', 'is in lower case', 'pln'],
    ['symbol', 'is a symbol', 'zł'],
    ['later', 'is only in the later form', 'XCG'],
  ],
  TStawkaPodatku: [
    ['earlier', 'is only in the earlier form', '0'],
    ['later', 'is only in the later form', '0 KR'],
    ['without-blank', 'lacks its blank', '0KR'],
    ['decimal', 'has a decimal place', '23.0'],
    ['percent', 'has a percent sign', '23%'],
  ],
  TRodzajFaktury: [
    ['proforma', 'is a kind that is no invoice', 'PROFORMA'],
    ['lower-case', 'is in lower case', 'vat'],
  ],
  TOznaczenieProcedury: [['other', 'is a code of another document', 'MPP']],
  TWybor1_2: [
    ['zero', 'is zero', '0'],
    ['true', 'is "true"', 'true'],
  ],
  TRolaPodmiotu3: [
    ['later', 'is only in the later form', '11'],
    ['next', 'is the one after the last', '12'],
  ],
  TRolaPodmiotuUpowaznionego: [['next', 'is the one after the last', '4']],
  TFormaPlatnosci: [['next', 'is the one after the last', '8']],
  TLadunek: [['next', 'is the one after the last', '21']],
  TKwotowy: [
    ['plus', 'has a plus sign', '+492.00'],
    ['no-digit-before', 'has no digit before the point', '.50'],
    ['no-digit-behind', 'has no digit behind the point', '492.'],
  ],
  TDataT: [['year-12026', 'has a year of five digits', '12026-01-15']],
  TNumerKSeF: [
    ['lower-case', 'is in lower case', '5265877635-20260110-0100001af629-af'],
    ['without-dashes', 'has no dashes', '5265877635202601100100001AF629AF'],
    ['month-13', 'has a thirteenth month', '5265877635-20261310-0100001AF629-AF'],
  ],
  TZnakowy: [['blanks', 'is nothing but blanks', '   ']],
  TAdresEmail: [['without-at', 'has no at sign', 'example.com']],
  TNrRB: [['blanks', 'has blanks', '73 1111 1111 1111 1111 1111 1111']],
  SWIFT_Type: [
    ['ten-characters', 'has ten characters', 'WBKPPLPPXX'],
    ['lower-case', 'is in lower case', 'wbkpplpp'],
  ],
  TNrREGON: [['ten-digits', 'has ten digits', '9999999999']],
  LinkDoPlatnosci: [
    ['without-parameter', 'lacks its parameter', 'https://pay.example.com/p'],
    ['localhost', 'has a host without a point', 'https://localhost/p?IPKSeF=0123456789ABC'],
    ['many-labels', 'has a host of many labels and no parameter', `https://${'a.'.repeat(60)}a`],
  ],
}
