import type { Dialect } from '../../../contract/dialect.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds, pageSizesOf } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import { refusals } from '../../../contract/errors.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import { formRules, forms } from './refusal-forms.ts'
import { refusalIds, rulesOf } from './refusal-rules.ts'

/** Refusals that an operation does not make, or makes in another form. */

/** Of the public operations the specification limits one. */
const isLimited = (operation: OperationId): boolean => {
  const { rate } = endpoint(operation)
  return rate === 'public' ? operation === 'auth.challenge' : rate !== 'unlimited'
}

/** The refusals of every operation of its kind. */
const general = (operation: OperationId): readonly RefusalId[] => {
  const row = endpoint(operation)
  const hasBearer = row.bearer !== 'none' && row.bearer !== 'link'
  return [
    ...(hasBearer ? (['wrong-token', 'rubbish-token'] as const) : []),
    ...(row.permissions === undefined ? [] : (['missing-permission'] as const)),
    ...(row.request?.media === 'application/json'
      ? (['media-type', 'unreadable-body', 'invalid-input'] as const)
      : pageSizesOf(operation) === undefined
        ? []
        : (['invalid-input'] as const)),
    ...(isLimited(operation) ? (['rate-limited'] as const) : []),
  ]
}

/** Refusals that only some dialects make. */
const madeWhere: Partial<Record<RefusalId, (dialect: Dialect) => boolean>> = {
  'subject-context-mismatch': ({ providers }) => providers !== true,
}

/** Why a dialect does not make a refusal. */
export const absenceOf =
  (refusal: RefusalId) =>
  (dialect: Dialect): string | undefined =>
    dialect.deferred?.includes(refusal) === true
      ? `the call succeeds, and its work ends in the state of ${refusal}`
      : madeWhere[refusal]?.(dialect) === false
        ? `nothing is refused as ${refusal}`
        : undefined

/** Another response where some operations refuse for one reason. */
const instead = (
  at: readonly OperationId[] | undefined,
  refusal: RefusalId,
  answer: (response: Response) => Response | Promise<Response>,
): Mutant => ({
  ...(at && { at }),
  absentIn: absenceOf(refusal),
  async exchange(running, next) {
    const response = await next(running)
    return running.exchange.refusal === refusal ? answer(response) : response
  },
})

/** A store behind signed addresses may have errors of its own: nothing but a code says why it refuses. */
const absenceOfForm =
  (refusal: RefusalId, form: string): NonNullable<Mutant['absentIn']> =>
  (dialect) =>
    refusal === 'link-refused' && form === 'another-code' && statesNoCode(dialect, 403)
      ? 'refusals of signed addresses state no code'
      : absenceOf(refusal)(dialect)

const statesNoCode = ({ errorShapes }: Dialect, status: number): boolean => {
  const shape = errorShapes.find(({ statuses }) => statuses?.includes(status) ?? true)
  return !JSON.stringify(shape?.template).includes('"$code"')
}

/** The refusals of an operation. */
const refusalsOf = (operation: OperationId): readonly RefusalId[] => {
  const { refusals: declared = [] } = endpoint(operation)
  const own = declared.filter((id): id is RefusalId => id in refusals)
  return [...general(operation), ...own]
}

/** Every refusal of every operation: not made, and made in another form. */
export const wrongRefusals = (): Generated[] =>
  operationIds.flatMap((operation) =>
    refusalsOf(operation).flatMap((refusal) => {
      const rules = rulesOf(refusal, operation)
      if (rules === undefined) return []
      const { status } = endpoint(operation).answer
      return [
        generated(
          'not-refused',
          `${operation}.${refusal}`,
          rules,
          instead([operation], refusal, () => new Response(null, { status })),
        ),
      ]
    }),
  )

/** Every refusal, in another form wherever it is made. */
export const refusalForms = (): Generated[] =>
  refusalIds.flatMap((refusal) => {
    const operations = operationIds.filter((operation) => refusalsOf(operation).includes(refusal))
    const [rule, ...others] = new Set(operations.flatMap((id) => rulesOf(refusal, id) ?? []))
    if (rule === undefined) return []
    const rules: Rules = [rule, ...others]
    return Object.entries(forms).map(([form, answer]) =>
      generated('refusal-form', `${refusal}.${form}`, formRules(form, rules), {
        ...instead(operations, refusal, answer),
        absentIn: absenceOfForm(refusal, form),
      }),
    )
  })
