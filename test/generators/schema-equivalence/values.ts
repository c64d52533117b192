/**
 * Values at and beyond the edges of the simple types of the schemas: each list is for one kind of
 * value, and every value is tried in places of every other kind as well.
 */
const LENGTHS = [0, 1, 2, 9, 10, 13, 14, 16, 17, 20, 21, 32, 33, 34, 35, 50, 51, 240, 241, 255, 256]
const LONG_LENGTHS = [257, 512, 513, 3500, 3501]

const texts = [...LENGTHS, ...LONG_LENGTHS].flatMap((length) => [
  'x'.repeat(length),
  '7'.repeat(length),
  'ż '.repeat(length).slice(0, length),
  '\u{1F4C4}'.repeat(length),
])

const numbers = `
  0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 20 21 22 23 99 100 101 127 128 255 256 -1 -0 01 +1 +2 1.0 1. .5 +5 050 1e3 0x1
  0.0 0.1 0.12 0.123 0.123456 0.1234567 0.12345678 0.123456789 -0.01 -.1 1,5 NaN INF ٣ 1٣
  99.999999 99.9999999 100.0 100.000000 100.000001 100.0000001 000100 -0.000001 12345.6789
  9999999999999 99999999999999 100000000000000 999999999999999 9999999999999999 99999999999999999
  9999999999999999.99 99999999999999999.9 99999999999999.99999999 999999999999999.99999999
  9999999999999999.999999 12345678901234567890123 -9999999999999999.99
`

const DAYS = `
  1899-12-31 1900-01-01 1989-12-31 1990-01-01 2005-12-31 2006-01-01 2016-06-30 2016-07-01 2021-09-30 2021-10-01
  2021-12-31 2022-01-01 2025-08-31 2025-09-01 2026-06-15 2050-01-01 2050-01-02 2050-12-31 2051-01-01
`
  .trim()
  .split(/\s+/)

const dates = [
  ...DAYS.flatMap((day) => [day, `${day}Z`, `${day}+01:00`]),
  ...'2024-02-29 2023-02-29 2026-13-01 2026-1-01 2026-01-32 12026-01-01 -2026-01-01 0000-01-01 20260101 26-01-01 2026-٠1-01'.split(
    ' ',
  ),
]

const instants = [
  ...DAYS.flatMap((day) =>
    ['00:00:00', '00:00:00Z', '23:59:59Z', '23:59:59.001Z', '23:59:60Z', '00:00:00+14:00'].map(
      (time) => `${day}T${time}`,
    ),
  ),
  ...'T24:00:00Z T24:00:01Z T08:00 T08:00:00.Z T08:00:00.123456789Z T08:00:00-14:00 T08:00:00+14:01 T8:00:00Z t08:00:00z'
    .split(' ')
    .map((time) => `2026-06-15${time}`),
]

const NIPS =
  '5265877635 1111111111 5٢65877635 0265877635 5005877635 5015877635 5105877635 526587763 52658776350 52658776٣٥ M123456789 ABC1234567'
const SUFFIXES = ['-12346', '-1234', '-123456', '-1234x', '12346']

const serviceNumbers = [
  ...NIPS.split(' ').map((nip) => `${nip}-20260615-0100001AF629-AF`),
  ...`20190615-0100001AF629-AF 20200615-0100001AF629-AF 21000615-010000-1AF629-AF 30001231-0100001AF629-AF
    20260015-0100001AF629-AF 20261301-0100001AF629-AF 20260600-0100001AF629-AF 20260631-0100001AF629-AF
    20260632-0100001AF629-AF 20260615-0100001af629-AF 20260615-0100001AF629-A 20260615-0100001AF629AF
    20260615-0100001AF62G-AF 20260615-010000--1AF629-AF 2026061٥-0100001AF629-AF`
    .split(/\s+/)
    .map((rest) => `5265877635-${rest}`),
]

const references = `
  20260615-CR-0123456789-ABCDEF0123-4D 20260615-SO-0123456789-ABCDEF0123-4D 20260615-93-0123456789-ABCDEF0123-4D
  20190615-CR-0123456789-ABCDEF0123-4D 00000000-CR-0123456789-ABCDEF0123-4D 20260615-cr-0123456789-ABCDEF0123-4D
  20260615-CR-0123456789-ABCDEF0123-4d 20260615-CR-0123456789-ABCDEF012G-4D 20260615-CR-012345678-ABCDEF0123-4D
  20260615-CR-0123456789-ABCDEF0123-4 20261315-CR-0123456789-ABCDEF0123-4D 36950822-EU-9D5A28BFDA-47C899773E-5C
  2026061٥-CR-0123456789-ABCDEF0123-4D
`

const VAT_NUMBERS = `
  ATU12345678 AT12345678 BE0123456789 BE1123456789 BE2123456789 BG123456789 BG1234567890 BG12345678 CY12345678L
  CZ12345678 CZ1234567890 CZ1234567 DE123456789 DE12345678 DK12345678 EE123456789 EL123456789 GR123456789 ESX12345678
  ES12345678X ESX1234567X ES123456789 FI12345678 FRAB123456789 FRab123456789 HR12345678901 HU12345678 IE1234567AB
  IE1+23456A IE1A23456A IE1234567A IT12345678901 LT123456789 LT123456789012 LT1234567890 LU12345678 LV12345678901
  MT12345678 NLA+*456789B01 NL123456789B0 PT123456789 RO12 RO1 RO1234567890 RO12345678901 SE123456789012 SI12345678
  SK1234567890 XI123456789 XI123456789012 XIGD123 XIHA123 XIGD1234 XX123456789 DE12345678٩ GB123456789 U12345678 A+*9 a1
`

const identifiers = `
  P123456789 PPL123456 Ppl123456 PPL12345 PPL1234567 ^PPL123456$ PPL123456$ QPL123456
  123456785 12345678 12345678512345 1234567851234 0000123456 00001234567
  BREXPLPW BREXPLPWXXX BREXPLPWXX brexplpw BREX1LPW BREXPLP9 BREXPLPWxxx
  73111111111111111111111111 PL73111111111111111111111111 pl73111111111111111111111111
  a@b anna@example.com @b.c a@ a@@b ab@c AB-12 AB12 zażółć
  https://pay.example.com/go?IPKSeF=123abcDEF4567 http://a.pl?x=1&amp;IPKSeF=123abcDEF4567&amp;y=2#z
  ftp://a.pl?IPKSeF=123abcDEF4567 https://a.pl/go?IPKSeF=123abcDEF456 https://a.pl:123456/?IPKSeF=123abcDEF4567
  https://localhost/?IPKSeF=123abcDEF4567 https://a.pl:80/p/q?a=&amp;IPKSeF=123abcDEF4567 https://a.pl/?xIPKSeF=123abcDEF4567
  https://-a.pl/?IPKSeF=123abcDEF4567 https://a.p/?IPKSeF=123abcDEF4567 123abcDEF4567 123abcDEF456 12aabcDEF4567
  47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU
  Online Offline online certificateSubject certificateFingerprint CertificateSubject FA fa date datetime decimal
  Ministerstwo&#32;Finansów Ministerstwo
`

const addresses = `
  0.0.0.0 1.2.3.4 255.255.255.255 256.1.1.1 1.2.3.256 1.2.3 1.2.3.4.5 01.2.3.4 1.2.3.04 1.2.3.4. .1.2.3.4 1.2.3.٤ ::1
  10.20.30.40 99.100.199.200 249.250.255.25 260.1.1.1 300.1.1.1
  1.2.3.4-5.6.7.8 1.2.3.4-1.2.3.256 1.2.3.4- 1.2.3.4-5.6.7 1.2.3.4–5.6.7.8 1.2.3.4/0 1.2.3.4/9 1.2.3.4/10 1.2.3.4/19
  1.2.3.4/24 1.2.3.4/29 1.2.3.4/30 1.2.3.4/32 1.2.3.4/33 1.2.3.4/01 1.2.3.4/ 1.2.3.256/8 /24
`

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}

/** Markup of every value to try, ready to stand as the content of an element. */
export const VALUES: readonly string[] = [
  ...new Set([
    ...texts,
    ...words(numbers),
    ...dates,
    ...instants,
    ...words(NIPS).flatMap((nip) => ['', ...SUFFIXES].map((suffix) => nip + suffix)),
    ...serviceNumbers,
    ...words(references),
    ...words(VAT_NUMBERS).flatMap((number) => [
      number,
      `5265877635-${number}`,
      `5265877635-${number}$`,
      `5٢65877635-${number}`,
      `5265877635-${number.replace(/\d$/, '٣')}`,
      `5265877635-${number}0`,
    ]),
    ...words(identifiers),
    ...[252, 253, 254].map((length) => `a@${'b'.repeat(length)}`),
    ...words(addresses),
    'Ministerstwo Finansów',
    'Ministerstwo  Finansów',
    'Ministerstwo Finansów - TE',
    ' ',
    '\n',
    '&#9;',
    '&#160;',
    '&#13;',
    '<![CDATA[]]>',
    '<!-- nothing -->',
    '<?nothing?>',
  ]),
]

/** Ways to surround or break a value by white space and markup that may or may not matter. */
export const DISGUISES: readonly ((value: string) => string)[] = [
  (value) => ` ${value}`,
  (value) => `${value} `,
  (value) => `\n  ${value}\n`,
  (value) => `&#9;${value}`,
  (value) => `${value}&#10;`,
  (value) => `${value}&#13;`,
  (value) => `&#160;${value}`,
  (value) => value.replace(' ', '  '),
  (value) => value.replace(' ', '&#10;'),
  (value) => value.replace(' ', ''),
  (value) => `<![CDATA[${value}]]>`,
  (value) => `<!-- a comment -->${value}`,
  (value) => `${value.slice(0, 1)}<!-- a comment -->${value.slice(1)}`,
  (value) => `${value.slice(0, 1)}<?target data?>${value.slice(1)}`,
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  (value) => value.slice(1),
  (value) => value.slice(0, -1),
  (value) => value + value,
  (value) => `${value}x`,
  (value) => `${value}0`,
  (value) => `0${value}`,
  (value) => `-${value}`,
  (value) => `+${value}`,
  (value) => `${value}.0`,
  (value) => value.replace('1', '٣'),
]
