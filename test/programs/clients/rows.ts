/** The public clients that registries have, and how each is run. A client that is not here was never run. */

export interface ClientRow {
  readonly registry: 'npm' | 'PyPI' | 'crates.io'
  readonly package: string
  /** The version that is installed; the newest when absent. */
  readonly version?: string
  /** The host name of the test environment, where the client knows no other address. */
  readonly host?: string
  /** Packages that are installed beside it, with their versions; `/` precedes the features of a crate. */
  readonly beside?: readonly string[]
  /** Its flow, below `flows/`. */
  readonly flow: string
}

/** What `ksef-client` of PyPI signs with. */
const xades = ['lxml', 'xmlsec']

/** What runs an asynchronous crate. */
const tokio = 'tokio@1/full'

export const clientRows: readonly ClientRow[] = [
  { registry: 'npm', package: 'ksef-client-ts', flow: 'npm-ksef-client-ts.mjs' },
  // With xml-crypto 6.3 it signs a document that covers nothing.
  {
    registry: 'npm',
    package: 'ksef-client',
    beside: ['xml-crypto@6.1.2'],
    flow: 'npm-ksef-client.mjs',
  },
  { registry: 'PyPI', package: 'ksef-client', beside: xades, flow: 'pypi-ksef-client.py' },
  {
    registry: 'PyPI',
    package: 'ksef-client',
    version: '0.16.1',
    beside: xades,
    flow: 'pypi-ksef-client.py',
  },
  { registry: 'PyPI', package: 'ksef2-0-python', flow: 'pypi-ksef2-0-python.py' },
  { registry: 'PyPI', package: 'pyksef', flow: 'pypi-pyksef.py' },
  {
    registry: 'crates.io',
    package: 'ksef',
    host: 'api-test.ksef.mf.gov.pl',
    beside: [tokio, 'chrono@0.4'],
    flow: 'crates-ksef.rs',
  },
  {
    registry: 'crates.io',
    package: 'ksef-client',
    beside: [tokio],
    flow: 'crates-ksef-client.rs',
  },
]
