import { keyOf, nipOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import { asCaller } from '../callers.ts'
import type { Mutant } from '../mutant.ts'
import { decidedBy } from '../rewrite.ts'
import { underWay } from '../under-way.ts'
import { runningOfALogin } from '../work-of-a-login.ts'

/** Defects of the limit of running exports. */
export const exportsRunningLimitMutants = {
  'exports.running-limit/shared-in-a-context': asCaller(['exports.create'], ({ context }) => ({
    subject: { type: 'Nip', value: nipOf(context) },
  })),
  'exports.running-limit/any-number-running': { policy: { mayStartExport: () => true } },
  'exports.running-limit/counted-before-the-start': {
    at: ['exports.create'],
    async call(call, next) {
      const { service, caller } = call
      const context = caller === undefined ? '' : keyOf(caller.context)
      const running = service.state.exports
        .by('context', context)
        .filter(({ status }) => status.code === 100).length
      await underWay()
      return next(
        decidedBy(call, { mayStartExport: (_, limit) => policy.mayStartExport(running, limit) }),
      )
    },
  },
  'exports.running-limit/failed-ones-count': {
    at: ['exports.create'],
    tables: {
      exports: {
        find: (found) =>
          found.map((one) =>
            one.status.code === 200 ? one : { ...one, status: { ...one.status, code: 100 } },
          ),
      },
    },
  },
  'exports.running-limit/metadata-alone-uncounted': {
    at: ['exports.create'],
    tables: { exports: { find: (found) => found.filter(({ onlyMetadata }) => !onlyMetadata) } },
  },
  'exports.running-limit/tar-uncounted': {
    at: ['exports.create'],
    tables: {
      exports: { find: (found) => found.filter(({ compression }) => compression === 'Zip') },
    },
  },
  'exports.running-limit/by-login': runningOfALogin(),
} as const satisfies Readonly<Record<string, Mutant>>
