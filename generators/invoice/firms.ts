import { bankOf, drawAccount } from '../../lib/identifiers/account.ts'
import { drawGs1 } from '../../lib/identifiers/gs1.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { drawRegon } from '../../lib/identifiers/regon.ts'
import { padded } from '../../lib/identifiers/padded.ts'
import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Place, Town } from './places.ts'
import { drawPlace, drawTelephone, drawTown, placeIn, villageNames } from './places.ts'

/** The public facts about a party: the same for the same number in every invoice. */
export interface Firm {
  readonly name: string
  /** The part that distinguishes its name from others. */
  readonly root: string
  readonly place: Place
  /** The postal address, where it is another one. */
  readonly letters?: Place
  /** Town that it issues invoices in. */
  readonly issuesIn: Town
  readonly email?: string
  readonly telephone?: string
  /** Location number of GS1. */
  readonly gln?: string
  /** A municipality buys for its schools, a VAT group for its members. */
  readonly kind: 'company' | 'municipality' | 'taxGroup'
  /** Liquidation, restructuring or bankruptcy (StatusInfoPodatnika 1 to 3). */
  readonly status?: string
  readonly regon: string
  readonly krs?: string
  readonly bdo?: string
  /** Share capital in PLN. */
  readonly capital?: string
  /** Its tax is due when it is paid (P_16). */
  readonly cashMethod: boolean
  readonly account: string
  readonly bank: { readonly name: string; readonly swift: string }
}

/** Names with the letters and signs that break careless software. */
const roots = [
  'Żuraw',
  'Łąka',
  'Źródło',
  'Świt',
  'Gęś',
  'Dąb',
  'Ćwiek',
  'Jaśmin',
  'Wrzos',
  'Kłos',
  'Sójka',
  'Śnieżka',
  'Żbik',
  'Zamość',
  'Wiśnia',
  'Brzeg',
  'Kuźnia',
  'Sęk',
  'Łoś',
  'Piława',
  'Ruń',
  'Oświt',
  'Dołęga',
  'Wieża',
] as const
/** How the name of a firm that sells all kinds of things begins. */
const traders = ['Przedsiębiorstwo Wielobranżowe', 'Firma Handlowo-Usługowa', 'P.H.U.'] as const
const patterns = [
  (root: string) => `${traders[0]} „${root}”`,
  (root: string) => `${traders[1]} ${root}`,
  (root: string) => `${traders[2]} "${root}"`,
  (root: string) => `${root} & Synowie`,
  (root: string) => `O'Hara ${root}`,
  (root: string) => `Grupa ${root}`,
] as const
/** Legal forms, and the minimum share capital in thousands of PLN, if any; only the last is in no court register. */
const forms = [
  ['sp. z o.o.', 5],
  ['S.A.', 100],
  ['sp. j.', 0],
  ['sp. k.', 0],
  ['s.c.', undefined],
] as const
/** What the name of a firm ends in, by its status from 1. */
const statuses = ['w likwidacji', 'w restrukturyzacji', 'w upadłości'] as const
const people = [
  'Jan Żółć',
  'Anna Świątek',
  "Patrick O'Neill",
  'Zofia Gęś',
  'Łukasz Ćma',
  'Małgorzata Wójcik-Źrebiec',
] as const

/** Firms of other member states, each with the VAT number that it has: check digits of its state. */
export const euFirms = [
  ['DE', '123456788', 'Schäfer Großhandel GmbH & Co. KG'],
  ['FR', '11123456782', "Établissements d'Hérouville SARL"],
  ['CZ', '12345679', 'Velkoobchod Černý s.r.o.'],
  ['AT', 'U12345675', 'Österreicher Handels GmbH'],
  ['NL', '123456782B01', "'t Hoekje B.V."],
  ['IT', '12345670157', "Officine D'Amico S.r.l."],
  ['EL', '123456783', 'Παπαδόπουλος Α.Ε.'],
] as const
/** Northern Ireland belongs to them for goods alone. */
export const northernIreland = ['XI', '123456782', "O'Hara Trading Ltd"] as const
/** Firms of third countries. */
export const foreignFirms = [
  ['US', 'Smith & Sons, Inc.'],
  ['GB', 'Harrington "Fine Goods" Ltd'],
  ['CH', 'Zürcher Handels AG'],
  ['UA', 'ТОВ «Зоря»'],
  ['JP', '\u{20BB7}野商店'],
  ['NO', 'Ås Handel AS'],
] as const

export const personName = (draw: Draw): string => draw.pick(people)
export const schoolName = (draw: Draw): string => `Szkoła Podstawowa nr ${draw.int(1, 3)}`

/** A name as part of an Internet address. */
const label = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll(/[^A-Za-z]+/g, '')
    .toLowerCase()

export const personEmail = (name: string): string => `${label(name)}@poczta.example`

function company(draw: Draw, root: string): Pick<Firm, 'name' | 'krs' | 'capital'> {
  const name = draw.pick(patterns)(root)
  const [form, capital] = draw.pick(forms)
  return {
    name: `${name} ${form}`,
    ...(capital !== undefined && { krs: padded(draw.int(10_000, 999_999), 10) }),
    ...(capital && { capital: `${draw.int(capital, 900)} 000` }),
  }
}

/** The party that a NIP belongs to. */
export function firmOf(nip: string): Firm {
  const draw = seededDraw(seedFrom('firm', nip))
  const kind = draw.pick<Firm['kind']>([
    ...Array<'company'>(30).fill('company'),
    'municipality',
    'taxGroup',
  ])
  const root = draw.pick(roots)
  const village = draw.pick(villageNames)
  const own =
    kind === 'company'
      ? company(draw, root)
      : { name: kind === 'municipality' ? `Gmina ${village}` : `Grupa VAT „${root}”` }
  const town = kind === 'municipality' ? village : drawTown(draw)
  const place = placeIn(draw, town)
  const account = drawAccount(draw)
  const status = 'krs' in own && draw.chance(2) ? draw.int(1, statuses.length) : undefined
  return {
    ...own,
    ...(status !== undefined && {
      name: `${own.name} ${statuses[status - 1]}`,
      status: String(status),
    }),
    root,
    kind,
    place,
    issuesIn: town,
    ...(draw.chance(10) && { letters: placeIn(draw, town) }),
    ...(draw.chance(70) && {
      email: `biuro@${label(kind === 'municipality' ? village : root)}.example`,
    }),
    ...(draw.chance(60) && { telephone: drawTelephone(draw, 'PL', town) }),
    ...(draw.chance(8) && { gln: drawGs1(draw) }),
    regon: drawRegon(draw),
    ...(draw.chance(30) && { bdo: padded(draw.int(1, 999_999), 9) }),
    account,
    bank: bankOf(account),
    cashMethod: draw.chance(4),
  }
}

/** What is known of a firm abroad, by the number that it has there. */
export function firmAbroad(country: string, number: string): Omit<Contact, 'name'> {
  const draw = seededDraw(seedFrom('firm', country, number))
  return {
    place: drawPlace(draw, country === 'EL' ? 'GR' : country),
    ...(draw.chance(60) && { telephone: drawTelephone(draw, country === 'EL' ? 'GR' : country) }),
  }
}

/** Whom an invoice is sent to. */
export type Contact = Pick<Firm, 'name' | 'place' | 'letters' | 'email' | 'telephone' | 'gln'>

/** A NIP of a company, not of a municipality or a group. */
export function drawCompany(draw: Draw): string {
  for (;;) {
    const nip = drawNip(draw)
    if (firmOf(nip).kind === 'company') return nip
  }
}

/** A NIP of a company that sells all kinds of things. */
export function drawTrader(draw: Draw): string {
  for (;;) {
    const nip = drawCompany(draw)
    const { name } = firmOf(nip)
    if (traders.some((trader) => name.startsWith(trader))) return nip
  }
}
