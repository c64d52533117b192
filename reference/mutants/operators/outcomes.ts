import type { OperationId } from '../../../contract/endpoints.ts'
import { lifecycles } from '../../../contract/lifecycles.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Lifecycle, State } from '../../../contract/types.ts'
import type { Fields } from '../rewrite.ts'
import { bodies } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Failures of asynchronous work that its status reports as success. */

interface Work {
  /** The operations that report its state. */
  readonly at: readonly OperationId[]
  /** The rule that every failure breaks that is reported as success. */
  readonly always: RuleId
  /** The further rules that it breaks, by the state of the failure. */
  readonly rules?: Readonly<Record<number, readonly RuleId[]>>
}

const works: Partial<Record<Lifecycle, Work>> = {
  authentication: {
    at: ['auth.status'],
    always: 'auth.status.failure-is-final',
    rules: {
      415: [
        'auth.xades.context-kinds',
        'auth.xades.fingerprint',
        'auth.xades.subject-type',
        'permissions.revoke.effective',
      ],
      450: [
        'auth.token.wrong-encryption-refused',
        'auth.token.wrong-timestamp-refused',
        'auth.token.unusable-refused',
        'auth.token.plaintext-form',
        'auth.token.other-context-refused',
        'auth.challenge.unknown-refused',
        'auth.challenge.single-use',
      ],
      460: [
        'auth.xades.tampered-refused',
        'auth.xades.incomplete-signature-refused',
        'auth.xades.wrapping-refused',
        'auth.xades.certificate-dates',
        'auth.xades.weak-key-refused',
        'auth.xades.fingerprint',
      ],
      480: ['testdata.blocks'],
    },
  },
  onlineSession: {
    at: ['sessions.status'],
    always: 'sessions.status.moves-forward',
    rules: { 415: ['sessions.online.bad-key-refused'] },
  },
  batchSession: {
    at: ['sessions.status'],
    always: 'sessions.status.moves-forward',
    rules: {
      405: ['sessions.batch.part-checked', 'sessions.batch.close'],
      415: ['sessions.batch.bad-key-refused'],
      430: ['sessions.batch.hostile-archive'],
      440: ['sessions.batch.close'],
      445: ['sessions.batch.close'],
    },
  },
  invoice: {
    at: ['invoices.inSession', 'invoices.status', 'invoices.statusBySvcNumber'],
    always: 'invoices.rejected.may-be-resent',
    rules: {
      410: ['testdata.entities'],
      430: [
        'invoices.submit.hash-mismatch',
        'invoices.submit.size-mismatch',
        'invoices.submit.encrypted-metadata-mismatch',
        'invoices.submit.wrong-encryption',
      ],
      435: ['invoices.submit.wrong-encryption', 'invoices.submit.bad-base64'],
      440: [
        'invoices.duplicate.rejected',
        'invoices.duplicate.triple',
        'invoices.duplicate.everywhere',
      ],
      450: [
        'invoices.content.invalid-rejected',
        'invoices.content.utf8-without-bom',
        'invoices.content.further-forms',
        'sessions.online.schema-calendar',
      ],
    },
  },
  export: {
    at: ['exports.status'],
    always: 'exports.status.moves-forward',
    rules: { 415: ['exports.create.accepted'] },
  },
  operation: {
    at: ['operations.status'],
    always: 'operations.status.reports',
    rules: {
      400: ['permissions.grant.refusals'],
      410: ['permissions.grant.refusals'],
      420: ['permissions.grant.refusals'],
      430: ['permissions.grant.refusals'],
    },
  },
  application: { at: ['certificates.enrollment'], always: 'certificates.enrol' },
}

/** Every failure of asynchronous work, reported as success. */
export const falseSuccesses = (): Generated[] =>
  (Object.entries(works) as [Lifecycle, Work][]).flatMap(([lifecycle, work]) => {
    const states = lifecycles[lifecycle]
    const success = states.find(({ outcome }) => outcome === 'success')!
    const pending = states.filter(({ outcome }) => outcome === 'pending')
    return states
      .filter(({ code, outcome }) => outcome === 'failure' && pending.some(leadsTo(code)))
      .map(({ code }) => falseSuccess(lifecycle, work, code, success.code))
  })

const leadsTo =
  (code: number) =>
  (state: State): boolean =>
    state.outcome === 'pending' && state.next.includes(code)

const falseSuccess = (
  lifecycle: Lifecycle,
  { at, always, rules }: Work,
  code: number,
  success: number,
): Generated => {
  const [first, ...others] = rules?.[code] ?? []
  const broken: Rules = first === undefined ? [always] : [first, ...others, always]
  return generated('outcome', `${lifecycle}.${code}.success`, broken, {
    ...bodies(at, ({ status }: Fields) =>
      (status as Fields | undefined)?.['code'] === code
        ? { status: { ...(status as Fields), code: success } }
        : {},
    ),
  })
}
