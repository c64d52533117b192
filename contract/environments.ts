/** Environments and the calendar. Source: specification, What the service does; Authentication; Versioning. */

export interface Environment {
  /** Self-generated certificates are accepted as equal to qualified ones. */
  readonly selfSigned: boolean
  /** The test-data operations exist. */
  readonly testdata: boolean
  /** The check digit of NIPs in invoices is enforced. */
  readonly nipChecksum: boolean
  /** How many times production's rate limits the environment allows by default. */
  readonly rateFactor: number
  /** First instant from which public key certificates are listed. */
  readonly keysFrom: string
  /** Schemas whose form codes are accepted on any day; all others go by the calendar. */
  readonly schemasAlways?: readonly ('fa2' | 'fa3')[]
  readonly summary: string
}

export const environments = {
  test: {
    selfSigned: true,
    testdata: true,
    nipChecksum: false,
    rateFactor: 10,
    keysFrom: '2025-09-01T00:00:00+02:00',
    summary: 'integration tests',
  },
  demo: {
    selfSigned: false,
    testdata: false,
    nipChecksum: false,
    rateFactor: 1,
    keysFrom: '2025-09-01T00:00:00+02:00',
    summary: 'tests with data like real ones',
  },
  production: {
    selfSigned: false,
    testdata: false,
    nipChecksum: true,
    rateFactor: 1,
    keysFrom: '2026-02-01T00:00:00+01:00',
    summary: 'documents with legal effect',
  },
} as const satisfies Record<string, Environment>

export type EnvironmentId = keyof typeof environments

export interface FormCode {
  readonly systemCode: string
  readonly schemaVersion: string
  readonly value: string
}

export interface SchemaInForce {
  readonly id: 'fa2' | 'fa3'
  readonly formCode: FormCode
  /** File below contract/xsd. */
  readonly xsd: string
  readonly namespace: string
  readonly root: string
  /** First and last day, dates of Europe/Warsaw, both inclusive; open where absent. */
  readonly from?: string
  readonly until?: string
}

export const invoiceSchemas = {
  fa2: {
    id: 'fa2',
    formCode: { systemCode: 'FA (2)', schemaVersion: '1-0E', value: 'FA' },
    xsd: 'fa2.xsd',
    namespace: 'http://crd.gov.pl/wzor/2023/06/29/12648/',
    root: 'Faktura',
    until: '2026-01-31',
  },
  fa3: {
    id: 'fa3',
    formCode: { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' },
    xsd: 'fa3.xsd',
    namespace: 'http://crd.gov.pl/wzor/2025/06/25/13775/',
    root: 'Faktura',
    from: '2026-02-01',
  },
} as const satisfies Record<string, SchemaInForce>

/** An invoice form; the project need not have its schema. */
export interface Form {
  readonly formCode: FormCode
  readonly namespace: string
  readonly root: string
  /** False where batch sessions do not accept it. */
  readonly batch: boolean
}

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd'

/** Forms that only some dialects have. */
export const furtherForms = {
  pef: {
    formCode: { systemCode: 'PEF (3)', schemaVersion: '2-1', value: 'PEF' },
    namespace: `${ubl}:Invoice-2`,
    root: 'Invoice',
    batch: false,
  },
  pefKor: {
    formCode: { systemCode: 'PEF_KOR (3)', schemaVersion: '2-1', value: 'PEF' },
    namespace: `${ubl}:CreditNote-2`,
    root: 'CreditNote',
    batch: false,
  },
  faRr: {
    formCode: { systemCode: 'FA_RR (1)', schemaVersion: '1-1E', value: 'FA_RR' },
    namespace: 'http://crd.gov.pl/wzor/2026/03/06/14189/',
    root: 'Faktura',
    batch: true,
  },
} as const satisfies Record<string, Form>

export type FormId = keyof typeof furtherForms

/** Any form that a session may have. */
export type SessionForm = InvoiceSchemaId | FormId

/** The form code of each of them. */
export const formCodeOf = (form: SessionForm): FormCode =>
  ({ ...invoiceSchemas, ...furtherForms })[form].formCode

export type InvoiceSchemaId = keyof typeof invoiceSchemas

/** The time zone of every calendar day. */
export const zone = 'Europe/Warsaw'

/** Last day on which service tokens are accepted. */
export const tokensUntil = '2026-12-31'
