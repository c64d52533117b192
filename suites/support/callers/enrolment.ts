import type { KeyObject } from 'node:crypto'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { settle } from '../../../lib/flows/settle.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { makeCsr } from '../../../lib/node/csr.ts'
import type { CsrOptions } from '../../../lib/node/csr.ts'
import { attributeTypes } from '../../../lib/node/distinguished-name.ts'
import { freshKey } from '../../../lib/node/pki.ts'
import type { Subject } from '../../../lib/node/distinguished-name.ts'
import type { Credentials } from '../../../lib/node/pki.ts'
import { Inconclusive, expectObject, expectOk, expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import { NotOffered } from '../run/not-offered.ts'
import { pagesByNumber } from '../answers/paged-lists.ts'

/** Applications for service certificates, and what comes of them. */

export interface Application extends Partial<CsrOptions> {
  readonly name?: string
  readonly type?: 'Authentication' | 'Offline'
  /** Base64, sent as it is. */
  readonly csr?: string
  /** ISO instant. */
  readonly validFrom?: string
}

/** Fast to make, and allowed. */
export const certificateKey = (): KeyObject => freshKey('p256')

/**
 * Only a caller who logged in with a certificate applies for another.
 * @throws {NotOffered} where the target's profile has only a service token
 */
export const requireCertificate = ({ identity }: Client): void => {
  if (identity.by === 'token')
    throw new NotOffered('the target does not offer: a login with a certificate')
}

/**
 * The attributes that a request must repeat.
 * @throws {Inconclusive} when the service does not report them
 */
export const attributesOf = async (api: Client): Promise<Subject> => {
  requireCertificate(api)
  const attributes = expectObject(
    await api.call('certificates.data'),
    'read the attributes of the caller',
  )
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name, value]) => name in attributeTypes && typeof value === 'string',
    ),
  )
}

/** Applies for a certificate, correctly except for what is given. */
export const applyFor = async (api: Client, given: Application = {}): Promise<Exchange> => {
  const { name = 'conformance check', type = 'Authentication', csr, validFrom, ...request } = given
  const made = async () =>
    makeCsr({
      subject: await attributesOf(api),
      privateKey: certificateKey(),
      ...request,
    }).toString('base64')
  return api.call('certificates.enroll', {
    body: {
      certificateName: name,
      certificateType: type,
      csr: csr ?? (await made()),
      ...(validFrom === undefined ? {} : { validFrom }),
    },
  })
}

/** How an application ends: refused at once, or in its final state. */
export const outcomeOfApplication = async (
  api: Client,
  started: Exchange,
): Promise<Exchange | Settled> => {
  // An answer that is empty begins nothing to await, and is no refusal either.
  if (started.status > 299 || started.text === '') return started
  const referenceNumber = expectText(started, 'apply for a certificate', 'referenceNumber')
  return settle(api, 'application', 'await the certificate', () =>
    api.call('certificates.enrollment', { path: { referenceNumber } }),
  )
}

export interface Issued {
  readonly serialNumber: string
  readonly credentials: Credentials
}

/**
 * Applies for a certificate and fetches it.
 * @throws {Inconclusive} when none is issued
 */
export const obtainCertificate = async (api: Client, given: Application = {}): Promise<Issued> => {
  const privateKey = given.privateKey ?? certificateKey()
  const outcome = await outcomeOfApplication(api, await applyFor(api, { ...given, privateKey }))
  if (!('succeeded' in outcome))
    throw new Inconclusive('apply for a certificate', 'a success (2xx)', outcome)
  return fetchCertificate(api, outcome, privateKey)
}

/**
 * Fetches the certificate of an application that has ended.
 * @throws {Inconclusive} when none was issued
 */
export const fetchCertificate = async (
  api: Client,
  outcome: Settled,
  privateKey: KeyObject,
): Promise<Issued> => {
  const serialNumber = outcome.body['certificateSerialNumber']
  if (!outcome.succeeded || typeof serialNumber !== 'string')
    throw new Inconclusive('await the certificate', 'a serial number', outcome.exchanges.at(-1))
  const step = 'retrieve the certificate'
  const answer = await api.call('certificates.retrieve', {
    body: { certificateSerialNumbers: [serialNumber] },
  })
  const { certificates } = expectObject(answer, step)
  const [found] = (certificates ?? []) as readonly { readonly certificate?: string }[]
  if (found?.certificate === undefined) throw new Inconclusive(step, 'the certificate', answer)
  return {
    serialNumber,
    credentials: { certificate: Buffer.from(found.certificate, 'base64'), privateKey },
  }
}

/** A certificate as the list shows it. */
export interface ListedCertificate {
  readonly certificateSerialNumber: string
  readonly status: string
  readonly validFrom: string
  readonly validTo: string
  readonly requestDate: string
  readonly name: string
}

/**
 * The caller's certificates.
 * @throws {Inconclusive} when they are not listed
 */
export const listCertificates = async (
  api: Client,
  filters: Readonly<Record<string, unknown>> = {},
): Promise<readonly ListedCertificate[]> => {
  const pages = await pagesByNumber(api, 'certificates.query', 'certificates', {
    body: filters,
    pageSize: 50,
  })
  return pages.flat() as unknown as readonly ListedCertificate[]
}

/** The certificate of a serial number in the list. */
export const listedAs = async (
  api: Client,
  serialNumber: string,
): Promise<ListedCertificate | undefined> =>
  (await listCertificates(api)).find(
    ({ certificateSerialNumber }) => certificateSerialNumber === serialNumber,
  )

/**
 * The states under which the list finds a certificate, each asked for alone.
 * @throws {Inconclusive} when they are not listed
 */
export const statesOf = async (api: Client, serialNumber: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const status of ['Active', 'Blocked', 'Revoked', 'Expired']) {
    const rows = await listCertificates(api, { status })
    if (rows.some(({ certificateSerialNumber }) => certificateSerialNumber === serialNumber))
      found.push(status)
  }
  return found
}

/**
 * Revokes a certificate and waits until it is revoked; returns the states that were seen.
 * @throws {Inconclusive} when that is refused, or has no end
 */
export const revokeCertificate = async (
  api: Client,
  certificateSerialNumber: string,
): Promise<string[]> => {
  const answer = await api.call('certificates.revoke', {
    path: { certificateSerialNumber },
    body: { revocationReason: 'Superseded' },
  })
  expectOk(answer, 'revoke the certificate')
  const { seen, done } = await poll(
    async () => (await listedAs(api, certificateSerialNumber))?.status ?? 'absent',
    (status) => status !== 'Blocked',
    { ...api.polling, times: 20, sleep: api.sleep },
  )
  if (!done) throw new Inconclusive('await the revocation', 'an end of it')
  return [...seen]
}
