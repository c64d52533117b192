import { X509Certificate, createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '../../contract/types.ts'
import { nipCheckDigit } from '../base/identifiers.ts'
import type { Service } from '../call/service.ts'
import type {
  ContextIdentifier,
  Grant,
  IssuedCertificate,
  ServiceToken,
} from '../model/entities.ts'
import { nipOf } from '../model/entities.ts'
import { putGrants } from '../rights/operations.ts'
import type { Seed, SeedFile } from './seed-file.ts'
import { selfSigned } from '../keys/self-signed.ts'
import type { TokenRequest } from '../login/service-tokens.ts'
import { issueToken } from '../login/service-tokens.ts'
import { fingerprintOf } from '../base/certificate.ts'

/** Contexts that are ready to log in: owner, service token, certificate and key. */

export interface SeededContext {
  readonly kind: 'Nip'
  readonly value: string
  readonly token: string
  /** Paths of PEM files. */
  readonly certificate: string
  readonly key: string
}

const year = 365 * 24 * 3600 * 1000

/** The n-th NIP of a seed, with a valid check digit. */
const drawNip = (seed: number | string, n: number): string => {
  for (let attempt = 0; ; attempt++) {
    const digest = createHash('sha256').update(`nip ${seed} ${n} ${attempt}`).digest()
    const digits = [...digest.subarray(0, 9)].map((byte, at) =>
      at < 3 ? 1 + (byte % 9) : byte % 10,
    )
    const check = nipCheckDigit(digits)
    if (check < 10) return digits.join('') + String(check)
  }
}

const ownerPermissions: readonly Permission[] = [
  'InvoiceWrite',
  'InvoiceRead',
  'CredentialsManage',
  'CredentialsRead',
  'SubunitManage',
  'Introspection',
]

/** A token that a file requested. */
export interface SeededToken {
  readonly context: ContextIdentifier
  readonly token: string
}

export interface Seeds {
  create(request: Seed): Promise<SeededContext>
  /** Applies the permissions and tokens of a file; its contexts are created by `create`. */
  preload(file: SeedFile): readonly SeededToken[]
  /** Puts the tokens of the contexts created so far back into an emptied state. */
  restore(): void
  /** Removes the files. */
  dispose(): void
}

/** Certificates are valid for longer than clocks differ, and when the clock is set back to its start. */
const beforehand = 61 * 60 * 1000

/** A certificate of the service for the same key, for environments that refuse self-signed ones. */
const certify = async (
  service: Service,
  nip: string,
  subject: string,
  pem: string,
): Promise<{ readonly kept: IssuedCertificate; readonly certificatePem: string }> => {
  const now = service.clock.now()
  const publicKey = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  const validFrom = Math.floor(now / 1000) * 1000 - beforehand
  const issued = await service.keys.authority.issue({
    subject,
    publicKey,
    usage: 'Authentication',
    validFrom,
    validTo: validFrom + year,
  })
  const der = Buffer.from(issued.certificate, 'base64')
  const kept: IssuedCertificate = {
    serialNumber: issued.serialNumber,
    certificate: issued.certificate,
    name: 'made ahead',
    purpose: 'Authentication',
    subject: { type: 'Nip', value: nip },
    commonName: `Test seal ${nip}`,
    fingerprint: fingerprintOf(der),
    publicKey: publicKey.toString('base64'),
    requestedAt: now,
    validFrom,
    validTo: validFrom + year,
  }
  service.state.certificates.put(kept)
  return { kept, certificatePem: new X509Certificate(der).toString() }
}

/** The certificate files of contexts, in a folder of their own. */
const createFiles = () => {
  let folder: string | undefined
  return {
    write(nip: string, certificatePem: string, keyPem: string) {
      folder ??= mkdtempSync(join(tmpdir(), 'assay-'))
      const certificate = join(folder, `${nip}.crt.pem`)
      const key = join(folder, `${nip}.key.pem`)
      writeFileSync(certificate, certificatePem)
      writeFileSync(key, keyPem, { mode: 0o600 })
      return { certificate, key }
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const grantsIn = (file: SeedFile, { identifiers, clock }: Service): Grant[] =>
  (file.permissions ?? []).flatMap(({ context, subject, permissions, description = 'preloaded' }) =>
    permissions.map((permission) => ({
      id: identifiers.uuid(),
      kind: 'testdata',
      context,
      grantedIn: context,
      subject,
      permission,
      author: { type: 'System' },
      description,
      startsAt: clock.now(),
    })),
  )

/** Creates contexts for a service. */
export const createSeeds = (service: Service, seed: number | undefined): Seeds => {
  const files = createFiles()
  let created = 0
  const tokens: ServiceToken[] = []
  const grants: Grant[] = []
  const certificates: IssuedCertificate[] = []
  const issue = (request: Omit<TokenRequest, 'now' | 'active'>): string => {
    const { token, referenceNumber } = issueToken(service, {
      ...request,
      now: service.clock.now(),
      active: true,
    })
    const kept = service.state.tokens.get(referenceNumber)
    if (kept) tokens.push({ ...kept })
    return token
  }
  return {
    async create({ value, algorithm, permissions = ownerPermissions }) {
      const nip =
        value ?? drawNip(seed ?? Buffer.from(service.identifiers.bytes(8)).toString('hex'), created)
      created++
      const now = service.clock.now()
      const subject = `CN=Test seal ${nip}, 2.5.4.97=VATPL-${nip}, O=Test organisation ${nip}, C=PL`
      const own = await selfSigned({
        subject,
        validFrom: now - beforehand,
        validTo: now + 2 * year,
        ...(algorithm && { algorithm }),
      })
      let { certificatePem } = own
      if (!service.environment.selfSigned) {
        const issued = await certify(service, nip, subject, certificatePem)
        certificates.push(issued.kept)
        certificatePem = issued.certificatePem
      }
      const context = { type: 'Nip', value: nip } as const
      const description = 'made ahead'
      const token = issue({ context, author: context, permissions, description })
      return { kind: 'Nip', value: nip, token, ...files.write(nip, certificatePem, own.keyPem) }
    },
    preload(file) {
      grants.push(...grantsIn(file, service))
      putGrants(service, grants, service.clock.now())
      return (file.tokens ?? []).map(({ context, author, permissions, description, token }) => ({
        context,
        token: issue({
          context,
          author: author ?? { type: 'Nip', value: nipOf(context) },
          permissions,
          description: description ?? 'preloaded',
          ...(token !== undefined && { token }),
        }),
      }))
    },
    restore() {
      putGrants(service, grants, service.clock.now())
      for (const entry of certificates) service.state.certificates.put({ ...entry })
      for (const token of tokens) service.state.tokens.put({ ...token })
    },
    dispose: () => files.remove(),
  }
}
