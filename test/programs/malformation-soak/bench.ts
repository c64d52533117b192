import { createPublicKey } from 'node:crypto'
import { svc } from '../../../contract/dialects/svc.ts'
import type { EnvironmentId } from '../../../contract/environments.ts'
import { refusal } from '../../../contract/errors.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import { schema } from '../../../contract/schemas.ts'
import type { Client } from '../../../lib/client.ts'
import { certificateDer, spkiOf } from '../../../lib/der.ts'
import { readError } from '../../../lib/errors.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { chooseKey, fetchKeys } from '../../../lib/flows/keys.ts'
import type { KeyUsage } from '../../../lib/flows/keys.ts'
import { fingerprint } from '../../../lib/node/certificate.ts'
import { toCredentials } from '../../../lib/node/credentials.ts'
import { statedContext } from '../../../lib/node/target.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { freshKey } from '../../../lib/node/pki.ts'
import { Inconclusive, expectOk } from '../../../lib/outcome.ts'
import type { JournalEntry } from '../../../reference/model/journal.ts'
import { createReference } from '../../../reference/service/reference.ts'
import { contextWith } from '../../../suites/support/service/contexts.ts'
import type { OwnContext } from '../../../suites/support/service/contexts.ts'
import { openInProcess, startedInProcess } from '../../../suites/support/service/target.ts'
import { clientInProcess, loginBy } from '../../client-in-process.ts'

/** A reference in this process with its limits off, and clients that have logged in. */

export interface Keys {
  readonly tokenSpki: Uint8Array
  readonly sessionSpki: Uint8Array
  readonly strangerSpki: Uint8Array
}

export interface SoakBench {
  /** Speaks for nobody. */
  readonly api: Client
  /** Speaks for the owner of a context; a fresh login at each call. */
  readonly login: () => Promise<{ readonly me: Client; readonly accessToken: string }>
  readonly own: OwnContext
  readonly serviceToken: string
  /** A client of somebody who may manage the permissions of an entity of another country. */
  readonly loginForVatUe: () => Promise<Client>
  readonly keys: Keys
  /** What the journal has noted since it was last asked. */
  readonly news: () => readonly JournalEntry[]
  readonly close: () => Promise<void>
}

/** How something ended: refused at once, or later in a state. */
export type Ended = Exchange | { readonly status: { readonly code: number } }

/**
 * Opens a bench.
 * @param startAt Unix milliseconds; the day on which embedded runs start when absent
 */
export async function openBench(
  seed: number,
  environment: EnvironmentId = 'test',
  startAt: number = startedInProcess.startAt,
): Promise<SoakBench> {
  const service = await createReference({ seed, ...startedInProcess, environment, startAt })
  const inProcess = await openInProcess({ seed, dialect: 'svc' }, [], service)
  const { now, advance, close } = inProcess
  const api = clientInProcess(inProcess)
  const seeded = await service.control.createContext({ algorithm: 'P-256' })
  const { value, token } = seeded
  const { credentials } = statedContext(seeded)
  if (credentials === undefined) throw new Error('the reference stated no certificate')
  const own = contextWith({ type: 'Nip', value }, toCredentials(credentials), now)
  const spki = async (usage: KeyUsage) => {
    const chosen = chooseKey(await fetchKeys(api), usage, now())
    if (chosen === undefined) throw new Inconclusive(`choose a key for ${usage}`, 'one valid now')
    return spkiOf(certificateDer(nodeCodec, chosen.certificate))
  }
  const stranger = createPublicKey(freshKey('rsa')).export({ type: 'spki', format: 'der' })
  const login = () => loginBy(api, own)
  let seen = 0
  return {
    api,
    own,
    serviceToken: token,
    async loginForVatUe() {
      const { me } = await login()
      const { examples } = schema('GrantEuAdministration') as { examples: [object] }
      const context = { type: 'NipVatUe' as const, value: `${value}-DE123456789` }
      const subject = { type: 'Fingerprint', value: fingerprint(own.credentials.certificate) }
      const body = { ...examples[0], subjectIdentifier: subject, contextIdentifier: context }
      expectOk(await me.call('permissions.grantEuAdministration', { body }), 'grant an entity')
      await advance(10_000)
      const subjectIdentifierType = 'certificateFingerprint'
      const { me: representative } = await loginBy(api, own, { context, subjectIdentifierType })
      return representative
    },
    keys: {
      tokenSpki: await spki('SvcTokenEncryption'),
      sessionSpki: await spki('SymmetricKeyEncryption'),
      strangerSpki: new Uint8Array(stranger),
    },
    login,
    news() {
      const entries = service.journal.after(seen)
      seen = service.journal.last()
      return entries
    },
    close,
  }
}

/**
 * Why work did not end in the refusal that a class states; undefined if it did exactly that. The reference answers with
 * the first status and code of the row, and its journal names the row.
 */
export function complaintAbout(
  bench: SoakBench,
  ended: Ended,
  wanted: RefusalId,
): string | undefined {
  const { answer, state } = refusal(wanted)
  const noted = bench
    .news()
    .filter(({ kind, refusal: noticed }) => kind === 'broken' || noticed !== undefined)
  const broken = noted.find(({ kind }) => kind === 'broken')
  if (broken) return `the reference failed: ${String(broken['error'])}`
  const ids = noted.map((entry) => String(entry['refusal']))
  const journal = ids.length > 0 ? `, ${ids.join(', ')}` : ''
  if ('request' in ended) {
    const { status } = ended
    const code = readError(ended, svc)?.code
    if (status < 300) return `accepted (${status}) instead of ${wanted}`
    const [last] = ids.slice(-1)
    if (last === wanted && status === answer?.statuses[0] && code === answer.codes[0])
      return undefined
    // Violations of a body's schema get a general answer, if the row of the refusal allows it.
    const general = last === 'invalid-input' && answer?.statuses.includes(status)
    if (general && answer?.codes.some((each) => each === code)) return undefined
    return `answered ${status}, code ${code}${journal} instead of ${wanted}: ${ended.text.slice(0, 300)}`
  }
  const { code } = ended.status
  if (code === state?.codes[0] && (ids.length === 0 || ids.includes(wanted))) return undefined
  return `ended in ${code}${journal} instead of ${wanted} (${state?.codes[0] ?? 'refused at once'})`
}
