import { defaultsForTokens } from '../callers.ts'
import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import { bodies } from '../rewrite.ts'

interface SubjectLimits {
  readonly enrollment: { readonly maxEnrollments: number }
  readonly certificate: { readonly maxCertificates: number }
}

const subjectLimits = (change: (maximum: number) => number): Mutant =>
  bodies(['limits.subject'], ({ enrollment, certificate }: SubjectLimits) => ({
    enrollment: { maxEnrollments: change(enrollment.maxEnrollments) },
    certificate: { maxCertificates: change(certificate.maxCertificates) },
  }))

/** Limits that were set are shown in the context in which they were set, and the default ones in others. */
const shownWhereSet = (): Mutant => {
  const setIn = new Map<string, string>()
  return {
    at: ['testdata.setSubjectLimits', 'limits.subject'],
    call(call, next) {
      const { caller, body, service } = call
      if (caller === undefined) return next(call)
      const [subject, context] = [keyOf(caller.subject), keyOf(caller.context)]
      if (body !== undefined) setIn.set(subject, context)
      if ((setIn.get(subject) ?? context) === context) return next(call)
      const [maxEnrollments, maxCertificates] = [
        service.limit('enrollments.nip'),
        service.limit('certificates.nip'),
      ]
      return { body: { enrollment: { maxEnrollments }, certificate: { maxCertificates } } }
    },
  }
}

/** Of two limits, of which one was set, the other is not shown. */
const onlyTheSet = (): Mutant =>
  bodies(['limits.subject'], ({ enrollment, certificate }: SubjectLimits, { service, caller }) => {
    const key = caller === undefined ? '' : keyOf(caller.subject)
    const set = service.state.subjectLimits.get(key)?.limits
    return {
      enrollment: set !== undefined && set.maxEnrollments === undefined ? {} : enrollment,
      certificate: set !== undefined && set.maxCertificates === undefined ? {} : certificate,
    }
  })

/** Defects of the limits of a subject. */
export const limitsSubjectMutants = {
  'limits.subject/what-is-left': bodies(
    ['limits.subject'],
    ({ enrollment }: { enrollment: { maxEnrollments: number } }, { service, caller }) => {
      const subject = caller === undefined ? '' : keyOf(caller.subject)
      const used = service.state.enrollments.by('subject', subject).length
      return { enrollment: { maxEnrollments: enrollment.maxEnrollments - used } }
    },
  ),
  'limits.subject/fingerprint-as-entity': {
    at: ['limits.subject'],
    call(call, next) {
      const { caller } = call
      return next(
        caller?.subject.type === 'Fingerprint'
          ? { ...call, caller: { ...caller, subject: { ...caller.subject, type: 'Nip' } } }
          : call,
      )
    },
  },
  'limits.subject/zero-left-out': bodies(
    ['limits.subject'],
    ({ enrollment, certificate }: SubjectLimits) => ({
      enrollment: enrollment.maxEnrollments === 0 ? {} : enrollment,
      certificate: certificate.maxCertificates === 0 ? {} : certificate,
    }),
  ),
  'limits.subject/only-what-was-set': onlyTheSet(),
  'limits.subject/where-they-were-set': shownWhereSet(),
  'limits.subject/subject-reported-wrong': subjectLimits((maximum) => maximum + 1),
  'limits.subject/persons-as-firms': subjectLimits((maximum) =>
    maximum === 12 ? 300 : maximum === 6 ? 100 : maximum,
  ),
  'limits.subject/defaults-for-tokens': defaultsForTokens('limits.subject'),
} as const satisfies Readonly<Record<string, Mutant>>
