import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import { bodies, ignores, refuses } from '../rewrite.ts'
import type { Asked } from '../export-requests.ts'

/** Defects of the creation of exports. */
export const exportsCreateMutants = {
  'exports.create.accepted/name-of-the-key-unread': ignores(['exports.create'], 'publicKeyId'),
  'exports.create.accepted/null-as-an-end-refused': refuses(
    ['exports.create'],
    'invalid-input',
    ({ body }) => (body as { filters: Asked }).filters.dateRange.to === null,
  ),
  'exports.create.accepted/as-issuer-and-buyer-only': refuses(
    ['exports.create'],
    'invalid-input',
    ({ body }) => !/^subject[12]$/.test((body as { filters: Asked }).filters.subjectType),
  ),
  'exports.create.accepted/not-after-a-failed-one': refuses(
    ['exports.create'],
    'invalid-input',
    ({ service, caller }) =>
      service.state.exports
        .by('context', caller ? keyOf(caller.context) : '')
        .some(({ status }) => status.code >= 400),
  ),
  'exports.create.accepted/reference-malformed': bodies(['exports.create'], {
    referenceNumber: 'started',
  }),
} as const satisfies Readonly<Record<string, Mutant>>
