import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Authentication } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** What fails, or has no effect, for one kind of signer, or of context. */

const kinds: Readonly<Record<string, (login: Authentication) => boolean>> = {
  'own-certificates': ({ credential }) => credential === 'InternalCertificate',
  units: ({ context }) => context.type === 'InternalId',
  'eu-entities': ({ context }) => context.type === 'NipVatUe',
  'persons-by-pesel': ({ subject }) => subject?.type === 'Pesel',
  'persons-by-fingerprint': ({ subject, context }) =>
    subject?.type === 'Fingerprint' && context.type === 'Nip',
}

type Is = (login: Authentication) => boolean

const refused = (operation: OperationId, refusal: RefusalId, is: Is): Mutant =>
  refuses([operation], refusal, ({ caller }) => caller !== undefined && is(caller.authentication))

const steps: readonly (readonly [RuleId, (is: Is) => Mutant])[] = [
  ['auth.redeem.issues-pair', (is) => refused('auth.redeem', 'redeem-refused', is)],
  ['auth.refresh.repeatable', (is) => refused('auth.refresh', 'refresh-refused', is)],
  ['certificates.enrol', (is) => refused('certificates.enroll', 'enrollment-method-unfit', is)],
  ['certificates.revoke', (is) => refused('certificates.revoke', 'missing-permission', is)],
  [
    'auth.sessions.listed',
    (is) => ({
      policy: {
        loginListed: (login, viewer, now) => policy.loginListed(login, viewer, now) && !is(login),
      },
    }),
  ],
  [
    'auth.sessions.ended',
    (is) => ({
      at: ['auth.revokeCurrent'],
      call: (call, next) =>
        call.caller !== undefined && is(call.caller.authentication) ? {} : next(call),
    }),
  ],
]

/** What an owner does, refused to a login by a certificate of the service. */
const ofOwners: readonly (readonly [RuleId, OperationId])[] = [
  ['permissions.revoke.effective', 'permissions.revoke'],
  ['tokens.create.within-rights', 'tokens.create'],
]

/** Logins of a context that may pass although it is blocked. */
const passing: Readonly<Record<string, Is>> = {
  'own-certificates': kinds['own-certificates']!,
  'persons-by-pesel': kinds['persons-by-pesel']!,
  'persons-by-fingerprint': kinds['persons-by-fingerprint']!,
  'verified-chains': ({ verifyChain }) => verifyChain === true,
}

/** A block that such logins pass. */
const passes = (is: Is): Mutant => {
  let current: Authentication | undefined
  return {
    at: ['authentication'],
    tables: {
      // A login is read right before it is compared with the blocks.
      authentications: { read: (found) => (current = found) },
      blocks: { read: (found) => (current !== undefined && is(current) ? undefined : found) },
    },
  }
}

/** Logins of these kinds set no limits. */
const setters: Readonly<Record<string, Is>> = {
  units: kinds['units']!,
  'eu-entities': kinds['eu-entities']!,
  'service-tokens': ({ method }) => method === 'Token',
}

const setNothing = (is: Is): Mutant => ({
  at: ['testdata.setRateLimits', 'testdata.productionRateLimits', 'testdata.setSessionLimits'],
  call: (call, next) =>
    call.caller !== undefined && is(call.caller.authentication) ? {} : next(call),
})

const applied = (
  rule: RuleId,
  to: Readonly<Record<string, Is>>,
  missing: (is: Is) => Mutant,
): Generated[] =>
  Object.entries(to).map(([kind, is]) => generated('not-for', kind, [rule], missing(is)))

export const missingForSigners = (): Generated[] => [
  ...steps.flatMap(([rule, missing]) => applied(rule, kinds, missing)),
  ...ofOwners.flatMap(([rule, operation]) =>
    applied(rule, { 'own-certificates': kinds['own-certificates']! }, (is) =>
      refused(operation, 'missing-permission', is),
    ),
  ),
  ...applied('testdata.blocks', passing, passes),
  ...applied('testdata.limit-simulation', setters, setNothing),
]
