import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { referenceKind } from '../../../lib/identifiers/reference-number.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { isFields } from '../coverage/reached.ts'
import type { Fields } from '../coverage/reached.ts'

/** What the filters of lists ask of a row, as far as the row tells it. */

/** Whether a row fits what was asked; undefined where that cannot be told. */
type Fits = (row: Fields, asked: unknown) => boolean | undefined

/** A filter of a list. */
interface Filter {
  readonly fits: Fits
  /** What to ask for in order to find a row; undefined where the row does not tell it. */
  readonly ask?: (row: Fields) => unknown
  /** What may be asked for besides, whatever the rows tell. */
  readonly besides?: readonly unknown[]
}

/** What a list can be asked for. */
export interface Asking {
  /** The rule by which filters keep the right rows. */
  readonly filters: RuleId
  readonly by: Readonly<Record<string, Filter>>
  /** The rule by which rows have an order, and the instant or day that they are ordered by. */
  readonly order?: { readonly rule: RuleId; readonly newestFirst: string }
}

const isSame = (one: unknown, other: unknown): boolean => {
  if (isFields(one) && isFields(other))
    return one['type'] === other['type'] && (one['value'] ?? null) === (other['value'] ?? null)
  return one === other
}

const equal = (field: string): Filter => ({
  fits: (row, asked) =>
    row[field] === undefined || row[field] === null ? undefined : isSame(row[field], asked),
  ask: (row) => row[field],
})

const oneOf = (field: string): Filter => ({
  fits: (row, asked) => {
    const wanted = Array.isArray(asked) ? asked : [asked]
    return row[field] === undefined || wanted.length === 0 ? undefined : wanted.includes(row[field])
  },
  ask: (row) => (typeof row[field] === 'string' ? [row[field]] : undefined),
})

/** What contains a text fits, in whatever case. */
const containing = (read: (row: Fields) => unknown): Filter => ({
  fits: (row, asked) => {
    const text = read(row)
    if (typeof text !== 'string' || typeof asked !== 'string') return undefined
    return text.toLowerCase().includes(asked.toLowerCase())
  },
  ask: read,
})

/** Services keep instants more exactly than they tell them, ms. */
const leeway = 1_000

/** Unix milliseconds; NaN for an instant without an offset, which may be in any zone. */
const instantOf = (text: unknown): number =>
  /[zZ]$|[+-]\d\d:?\d\d$/.test(String(text)) ? Date.parse(String(text)) : Number.NaN

/** Whether an instant lies on the right side of a bound; close to the bound that cannot be told. */
const beyond = (value: unknown, bound: unknown, side: 1 | -1): boolean | undefined => {
  const distance = (instantOf(value) - instantOf(bound)) * side
  return Number.isNaN(distance) || Math.abs(distance) < leeway ? undefined : distance > 0
}

const from = (field: string): Filter => ({
  fits: (row, asked) => beyond(row[field], asked, 1),
  ask: (row) => row[field],
})
const to = (field: string): Filter => ({
  fits: (row, asked) => beyond(row[field], asked, -1),
  ask: (row) => row[field],
})

export const all = (verdicts: readonly (boolean | undefined)[]): boolean | undefined =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true

/** The fields of metadata that each kind of date stands in. */
export const dates: Readonly<Record<string, string>> = {
  issue: 'issueDate',
  acquisition: 'acquisitionDate',
  invoicing: 'invoicingDate',
  permanentStorage: 'permanentStorageDate',
}

/** The two days on which an instant lies, in Warsaw and in UTC. */
const daysOf = (instant: string): string[] =>
  [isoDay(Date.parse(instant)), new Date(instant).toISOString().slice(0, 10)].toSorted()

const inRange: Fits = (row, asked) => {
  if (!isFields(asked)) return undefined
  const { dateType, from: first, to: last } = asked
  const field = dates[String(dateType)]
  if (field === undefined || typeof first !== 'string' || Number.isNaN(instantOf(first)))
    return undefined
  const open = typeof last !== 'string' || Number.isNaN(instantOf(last))
  if (field !== 'issueDate')
    return all([
      beyond(row[field], first, 1),
      open ? undefined : beyond(row[field], last, -1),
      // Up to the mark of what is complete.
      asked['restrictToPermanentStorageHwmDate'] === true ? undefined : true,
    ])
  const day = String(row[field])
  const [earliest = '', surely = ''] = daysOf(first)
  const [, latest = ''] = open ? [] : daysOf(last)
  return all([
    day < earliest ? false : day > surely ? true : undefined,
    open ? undefined : day > latest ? false : day < latest ? true : undefined,
  ])
}

const amounts: Readonly<Record<string, string>> = {
  Brutto: 'grossAmount',
  Netto: 'netAmount',
  Vat: 'vatAmount',
}

const inAmounts: Fits = (row, asked) => {
  if (!isFields(asked)) return undefined
  const amount = Number(row[amounts[String(asked['type'])] ?? ''])
  const within = (bound: unknown, side: 1 | -1) =>
    typeof bound !== 'number' ? true : amount === bound ? undefined : (amount - bound) * side > 0
  return Number.isNaN(amount) ? undefined : all([within(asked['from'], 1), within(asked['to'], -1)])
}

/** The numbers of invoices have spellings besides that of the rows. */
const ofNumber: Fits = (row, asked) => (row['svcNumber'] === asked ? true : undefined)

const ofSeller: Fits = (row, asked) =>
  isFields(row['seller']) ? row['seller']['nip'] === asked : undefined

const ofBuyer: Fits = (row, asked) => {
  const buyer = isFields(row['buyer']) ? row['buyer']['identifier'] : undefined
  if (!isFields(buyer) || !isFields(asked)) return undefined
  if (buyer['type'] !== asked['type']) return false
  const { value } = asked
  return value === undefined || value === null ? true : buyer['value'] === value
}

const ofForm: Fits = (row, asked) =>
  isFields(row['formCode']) ? row['formCode']['value'] === asked : undefined

const searched = {
  dateRange: { fits: inRange },
  svcNumber: { fits: ofNumber, ask: (row) => row['svcNumber'] },
  invoiceNumber: equal('invoiceNumber'),
  amount: { fits: inAmounts, ask: (row) => ({ type: 'Brutto', from: row['grossAmount'] }) },
  sellerNip: {
    fits: ofSeller,
    ask: ({ seller }) => (isFields(seller) ? seller['nip'] : undefined),
  },
  buyerIdentifier: {
    fits: ofBuyer,
    ask: ({ buyer }) => (isFields(buyer) ? buyer['identifier'] : undefined),
  },
  currencyCodes: oneOf('currency'),
  invoicingMode: equal('invoicingMode'),
  isSelfInvoicing: equal('isSelfInvoicing'),
  formType: { fits: ofForm, ask: () => 'FA' },
  invoiceTypes: oneOf('invoiceType'),
  hasAttachment: equal('hasAttachment'),
} as const satisfies Readonly<Record<string, Filter>>

/** The group of states that a session is in, by which the list is filtered. */
const outcomeOf = ({ status }: Fields): string | undefined => {
  const code = isFields(status) ? Number(status['code']) : Number.NaN
  if (Number.isNaN(code)) return undefined
  if (code < 200) return 'InProgress'
  return code === 200 ? 'Succeeded' : code === 440 ? 'Cancelled' : 'Failed'
}

const outcome: Filter = {
  fits: (row, asked) => {
    const [group, wanted] = [outcomeOf(row), Array.isArray(asked) ? asked : [asked]]
    return group === undefined || wanted.length === 0 ? undefined : wanted.includes(group)
  },
  ask: (row) => [outcomeOf(row)],
}

const typeOfSession = (row: Fields): string | undefined =>
  ({ SO: 'Online', SB: 'Batch' })[referenceKind(String(row['referenceNumber'])) ?? '']

const grantRules = {
  filters: 'permissions.query.narrowed',
  order: { rule: 'permissions.query.paged', newestFirst: 'startDate' },
} as const
const ofGrants = {
  authorIdentifier: equal('authorIdentifier'),
  authorizedIdentifier: equal('authorizedIdentifier'),
  contextIdentifier: equal('contextIdentifier'),
  targetIdentifier: { ...equal('targetIdentifier'), besides: [{ type: 'AllPartners' }] },
  permissionTypes: oneOf('permissionScope'),
  permissionState: { ...equal('permissionState'), besides: ['Inactive'] },
} as const

/** A permission to work for a client is one in the context of that client too. */
const ofContextOrClient: Filter = {
  fits: (row, asked) => {
    const verdicts = ['contextIdentifier', 'targetIdentifier'].map((field) =>
      equal(field).fits(row, asked),
    )
    return verdicts.includes(true) || verdicts.every((fits) => fits === false)
      ? verdicts.includes(true)
      : undefined
  },
  ask: (row) => row['contextIdentifier'],
}

export const asking: Readonly<Partial<Record<OperationId, Asking>>> = {
  'queries.metadata': { filters: 'queries.metadata.filters', by: searched },
  'queries.general': { filters: 'queries.general.date-range', by: searched },
  'sessions.list': {
    filters: 'sessions.list.complete',
    by: {
      sessionType: {
        fits: (row, asked) => typeOfSession(row) === asked,
        ask: typeOfSession,
      },
      referenceNumber: equal('referenceNumber'),
      dateCreatedFrom: from('dateCreated'),
      dateCreatedTo: to('dateCreated'),
      dateModifiedFrom: from('dateUpdated'),
      dateModifiedTo: to('dateUpdated'),
      statuses: outcome,
    },
  },
  'auth.sessions': {
    filters: 'auth.sessions.listed',
    by: {},
    order: { rule: 'auth.sessions.listed', newestFirst: 'startDate' },
  },
  'tokens.list': {
    filters: 'tokens.list.narrowed',
    by: {
      status: oneOf('status'),
      description: containing((row) => row['description']),
      authorIdentifier: containing(({ authorIdentifier: author }) =>
        isFields(author) ? author['value'] : undefined,
      ),
      authorIdentifierType: {
        fits: ({ authorIdentifier: author }, asked) =>
          isFields(author) ? author['type'] === asked : undefined,
        ask: ({ authorIdentifier: author }) => (isFields(author) ? author['type'] : undefined),
      },
    },
    order: { rule: 'tokens.list.narrowed', newestFirst: 'dateCreated' },
  },
  'certificates.query': {
    filters: 'certificates.listed',
    by: {
      certificateSerialNumber: equal('certificateSerialNumber'),
      name: containing((row) => row['name']),
      type: equal('type'),
      status: { ...equal('status'), besides: ['Revoked', 'Expired'] },
      expiresAfter: from('validTo'),
    },
  },
  'permissions.queryPersonal': {
    ...grantRules,
    by: { ...ofGrants, contextIdentifier: ofContextOrClient },
  },
  'permissions.queryPersons': { ...grantRules, by: ofGrants },
  'permissions.querySubunits': {
    ...grantRules,
    by: { subunitIdentifier: equal('subunitIdentifier') },
  },
  'permissions.queryAuthorizations': {
    ...grantRules,
    by: {
      authorizingIdentifier: equal('authorizingEntityIdentifier'),
      authorizedIdentifier: equal('authorizedEntityIdentifier'),
      permissionTypes: oneOf('authorizationScope'),
    },
  },
  'permissions.queryEu': {
    ...grantRules,
    by: {
      vatUeIdentifier: containing((row) => row['vatUeIdentifier']),
      authorizedFingerprintIdentifier: containing((row) => row['authorizedFingerprintIdentifier']),
      permissionTypes: oneOf('permissionScope'),
    },
  },
}
