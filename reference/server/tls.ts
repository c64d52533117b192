import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../keys/self-signed.ts'
import type { State } from '../model/state.ts'

/** The server's self-signed TLS certificate: callers are told where it is, so that they can trust it. */
export interface Tls {
  readonly certificatePem: string
  readonly keyPem: string
  /** Where the certificate is stored until `dispose`. */
  readonly certificatePath: string
  dispose(): void
}

interface Kept {
  readonly host: string
  readonly until: number
  readonly certificatePem: string
  readonly keyPem: string
}

const day = 24 * 3600 * 1000

/** The certificate for a host: that of an earlier process where the state has it, else a new one for a year. */
export const keepTls = async (state: State, host: string): Promise<Tls> => {
  // Callers check the certificate by their own clock, not by that of the service.
  const now = Date.now()
  const text = state.values.get('tls')?.value
  const known = text === undefined ? undefined : (JSON.parse(text) as Kept)
  let kept = known
  if (kept === undefined || kept.host !== host || kept.until < now + day) {
    const until = now + 365 * day
    const made = await selfSigned({
      subject: 'CN=Invoice Clearing Service',
      hosts: [...new Set(['localhost', '127.0.0.1', '::1', host])],
      validFrom: now - day,
      validTo: until,
      algorithm: 'P-256',
    })
    kept = { host, until, ...made }
    state.values.put({ id: 'tls', value: JSON.stringify(kept) })
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'))
  const certificatePath = join(folder, 'server.crt.pem')
  writeFileSync(certificatePath, kept.certificatePem)
  return {
    certificatePem: kept.certificatePem,
    keyPem: kept.keyPem,
    certificatePath,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}
