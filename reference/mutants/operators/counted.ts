import type { OperationId } from '../../../contract/endpoints.ts'
import type { AnyCall } from '../../call/call.ts'
import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** States that calls set and end, but that are counted, or restored to what they were before. */

/** What of a call says whose state it sets. */
const named = ['nip', 'subjectNip', 'contextIdentifier', 'authorizedIdentifier'] as const

const whoseOf = ({ caller, body }: AnyCall): string => {
  const fields = (body ?? {}) as Fields
  const given = named.filter((name) => fields[name] !== undefined)
  return JSON.stringify(given.length > 0 ? given.map((name) => fields[name]) : caller?.context)
}

interface Pair {
  readonly sets: OperationId
  readonly ends: OperationId
  readonly rules: Rules
  readonly absentIn?: NonNullable<Mutant['absentIn']>
}

/** As often as it was set, it has to be ended. */
const endedAsOften = ({ sets, ends }: Pair): Mutant => {
  const times = new Map<string, number>()
  return {
    at: [sets, ends],
    call(call, next) {
      const whose = whoseOf(call)
      const left = Math.max(0, (times.get(whose) ?? 0) + (call.operation === sets ? 1 : -1))
      times.set(whose, left)
      return call.operation === ends && left > 0 ? {} : next(call)
    },
  }
}

/** As often as it was ended in vain, it is set in vain. */
const setAsOften = ({ sets, ends }: Pair): Mutant => {
  const times = new Map<string, number>()
  return {
    at: [sets, ends],
    call(call, next) {
      const whose = whoseOf(call)
      const left = (times.get(whose) ?? 0) + (call.operation === sets ? 1 : -1)
      times.set(whose, left)
      return call.operation === sets && left <= 0 ? {} : next(call)
    },
  }
}

const limits: Rules = ['testdata.limit-simulation']

const pairs: readonly Pair[] = [
  {
    sets: 'testdata.allowAttachments',
    ends: 'testdata.denyAttachments',
    rules: ['testdata.attachments'],
  },
  { sets: 'testdata.blockContext', ends: 'testdata.unblockContext', rules: ['testdata.blocks'] },
  { sets: 'testdata.grant', ends: 'testdata.revoke', rules: ['testdata.permissions'] },
  { sets: 'testdata.createSubject', ends: 'testdata.removeSubject', rules: ['testdata.entities'] },
  { sets: 'testdata.createPerson', ends: 'testdata.removePerson', rules: ['testdata.entities'] },
  { sets: 'testdata.setSessionLimits', ends: 'testdata.restoreSessionLimits', rules: limits },
  { sets: 'testdata.setSubjectLimits', ends: 'testdata.restoreSubjectLimits', rules: limits },
  { sets: 'testdata.setRateLimits', ends: 'testdata.restoreRateLimits', rules: limits },
  {
    sets: 'testdata.productionRateLimits',
    ends: 'testdata.restoreRateLimits',
    rules: limits,
    absentIn: ({ environments }) =>
      environments?.test?.rateFactor === 1
        ? 'its test environment has the limits of production'
        : undefined,
  },
]

/** The limits that a pair of operations sets and restores, as something that can be put back. */
const limitsOf: Partial<Record<OperationId, (call: AnyCall) => (() => void) | undefined>> = {
  'testdata.setSessionLimits': ({ caller, service: { state } }) => {
    const before = caller && state.contextLimits.get(keyOf(caller.context))
    return before && (() => state.contextLimits.put(before))
  },
  'testdata.setSubjectLimits': ({ caller, service: { state } }) => {
    const before = caller && state.subjectLimits.get(keyOf(caller.subject))
    return before && (() => state.subjectLimits.put(before))
  },
  'testdata.setRateLimits': ({ caller, service: { state } }) => {
    const before = caller && state.rates.get(keyOf(caller.context))
    return before && (() => state.rates.put(before))
  },
}

/** Limits are restored to what they were before they were set last. */
const undone = ({ sets, ends }: Pair): Mutant => {
  const before = new Map<string, ((() => void) | undefined)[]>()
  return {
    at: [sets, ends],
    async call(call, next) {
      const whose = whoseOf(call)
      const earlier = before.get(whose) ?? []
      before.set(whose, earlier)
      if (call.operation === sets) {
        earlier.push(limitsOf[sets]?.(call))
        return next(call)
      }
      const answer = await next(call)
      earlier.pop()?.()
      return answer
    },
  }
}

/** A permission that was granted twice is revoked by the second revocation. */
const grantedAsOften = (operation: OperationId): Mutant => {
  const times = new Map<string, number>()
  return {
    at: [operation, 'operation'],
    call(call, next) {
      const { subjectIdentifier } = call.body as Record<string, { readonly value: string }>
      const holder = subjectIdentifier?.value ?? ''
      times.set(holder, (times.get(holder) ?? 0) + 1)
      return next(call)
    },
    tables: {
      grants: {
        write(next) {
          const left = (times.get(next.subject.value) ?? 0) - 1
          if (next.revokedAt === undefined || left < 1) return next
          times.set(next.subject.value, left)
          return undefined
        },
      },
    },
  }
}

export const countedStates = (): Generated[] => [
  ...pairs.flatMap((pair) =>
    Object.entries({
      'ended-as-often': endedAsOften(pair),
      'set-as-often': setAsOften(pair),
      ...(pair.sets in limitsOf && { undone: undone(pair) }),
    }).map(([how, mutant]) =>
      generated('counted', `${pair.sets}.${how}`, pair.rules, {
        ...mutant,
        ...(pair.absentIn && { absentIn: pair.absentIn }),
      }),
    ),
  ),
  ...(['permissions.grantPerson', 'permissions.grantEntity'] as const).map((operation) =>
    generated(
      'counted',
      `${operation}.revoked-as-often`,
      ['permissions.revoke.effective'],
      grantedAsOften(operation),
    ),
  ),
]
