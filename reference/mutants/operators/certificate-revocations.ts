import type { IssuedCertificate } from '../../model/entities.ts'
import { refuses } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Revocations that are refused, or never end, for one kind of certificate or for one reason. */

const kinds: Readonly<Record<string, (certificate: IssuedCertificate, now: number) => boolean>> = {
  offline: ({ purpose }) => purpose === 'Offline',
  'of-persons': ({ subject }) => subject.type !== 'Nip',
  'before-their-start': ({ validFrom }, now) => validFrom > now,
}

const reasons = ['Unspecified', 'KeyCompromise'] as const

export const missingRevocations = (): Generated[] => [
  ...Object.entries(kinds).flatMap(([kind, is]) => [
    generated(
      'revocation',
      `refused-${kind}`,
      ['certificates.revoke'],
      refuses(['certificates.revoke'], 'certificate-not-revocable', ({ service, path, now }) => {
        const found = service.state.certificates.get(path['certificateSerialNumber'] ?? '')
        return found !== undefined && is(found, now)
      }),
    ),
    generated('revocation', `unended-${kind}`, ['certificates.revoke'], {
      tables: {
        certificates: {
          write: (next, before) =>
            next.revokedAt !== undefined && is(next, next.revokedAt) ? before : next,
        },
      },
    }),
  ]),
  ...reasons.map((reason) =>
    generated(
      'revocation',
      `refused-as-${reason}`,
      ['certificates.revoke'],
      refuses(['certificates.revoke'], 'invalid-input', ({ body }) => {
        const { revocationReason } = (body ?? {}) as { readonly revocationReason?: unknown }
        return revocationReason === reason
      }),
    ),
  ),
]
