import { reached } from '../../base/wording.ts'
import type { Mutant } from '../mutant.ts'
import { describedAs } from '../reasons.ts'
import { bodies, calls, changesWhereRefused } from '../rewrite.ts'
import { toTheLoginThatBegan } from '../work-of-a-login.ts'

/** Defects of the status of exports. */
export const exportsStatusMutants = {
  'exports.status.moves-forward/failure-described-as-processing': describedAs(
    ['exports.status'],
    'export',
    100,
  ),
  'exports.status.moves-forward/state-moves-backwards': bodies(
    ['exports.status'],
    ({ status }: { status: { code: number } }) =>
      status.code === 100 ? { status: { ...status, code: 210 } } : {},
  ),
  'exports.status.moves-forward/restarted-when-asked-again': calls(['exports.create'], (call) => {
    const { exports } = call.service.state
    for (const one of exports.values())
      if (one.status.code === 210) exports.put({ ...one, status: reached('export', 100) })
    return call
  }),
  'exports.status.moves-forward/restarted-by-an-old-link': changesWhereRefused(
    ['exports.part'],
    ({ service: { state }, path: { referenceNumber = '' } }) => {
      const found = state.exports.get(referenceNumber)
      if (found?.status.code === 210)
        state.exports.put({ ...found, status: reached('export', 100) })
    },
  ),
  'exports.status.moves-forward/to-the-login-that-began': toTheLoginThatBegan(
    'exports.create',
    'exports.status',
    'export-unknown',
  ),
} as const satisfies Readonly<Record<string, Mutant>>
