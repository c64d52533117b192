import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Authentication } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Steps of a login that fail for one kind of signer, or of context. */

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

export const missingForSigners = (): Generated[] =>
  steps.flatMap(([rule, missing]) =>
    Object.entries(kinds).map(([kind, is]) => generated('not-for', kind, [rule], missing(is))),
  )
