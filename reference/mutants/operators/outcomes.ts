import { lifecycles } from '../../../contract/lifecycles.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import type { Fields } from '../rewrite.ts'
import { bodies } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Failures of asynchronous work that its status reports as success: whoever is refused is told that all went well. */

interface Work {
  /** The operations that report its state. */
  readonly at: readonly OperationId[]
  /** The rules that a failure keeps, by its state. */
  readonly rules: Readonly<Record<number, Rules>>
}

const undecided: Rules = ['invoices.rejected.may-be-resent']

const works: Partial<Record<Lifecycle, Work>> = {
  authentication: {
    at: ['auth.status'],
    rules: {
      415: [
        'auth.status.failure-is-final',
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
  batchSession: {
    at: ['sessions.status'],
    rules: {
      405: ['sessions.batch.part-checked', 'sessions.batch.close'],
      430: ['sessions.batch.hostile-archive'],
      435: ['sessions.status.moves-forward'],
      440: ['sessions.batch.close', 'sessions.status.moves-forward'],
      445: ['sessions.batch.close', 'sessions.status.moves-forward'],
    },
  },
  invoice: {
    at: ['invoices.inSession', 'invoices.status', 'invoices.statusBySvcNumber'],
    rules: {
      405: undecided,
      410: [...undecided, 'testdata.entities'],
      415: undecided,
      430: [
        'invoices.submit.hash-mismatch',
        'invoices.submit.size-mismatch',
        'invoices.submit.encrypted-metadata-mismatch',
        'invoices.submit.wrong-encryption',
        ...undecided,
      ],
      435: ['invoices.submit.wrong-encryption', 'invoices.submit.bad-base64', ...undecided],
      440: [
        'invoices.duplicate.rejected',
        'invoices.duplicate.triple',
        'invoices.duplicate.everywhere',
        ...undecided,
      ],
      450: [
        'invoices.content.invalid-rejected',
        'invoices.content.utf8-without-bom',
        'invoices.content.further-forms',
        'sessions.online.schema-calendar',
        ...undecided,
      ],
      500: undecided,
      550: undecided,
    },
  },
  operation: {
    at: ['operations.status'],
    rules: {
      400: ['permissions.grant.refusals', 'operations.status.reports'],
      410: ['permissions.grant.refusals', 'operations.status.reports'],
      420: ['permissions.grant.refusals', 'operations.status.reports'],
      430: ['permissions.grant.refusals', 'operations.status.reports'],
    },
  },
}

/** Every state of failure that a rule asks for, reported as success. */
export const falseSuccesses = (): Generated[] =>
  (Object.entries(works) as [Lifecycle, Work][]).flatMap(([lifecycle, { at, rules }]) => {
    const success = lifecycles[lifecycle].find(({ outcome }) => outcome === 'success')!
    return Object.entries(rules).map(([code, broken]) =>
      generated(
        'outcome',
        `${lifecycle}.${code}.success`,
        broken,
        bodies(at, ({ status }: Fields) =>
          (status as Fields | undefined)?.['code'] === Number(code)
            ? { status: { ...(status as Fields), code: success.code } }
            : {},
        ),
      ),
    )
  })
