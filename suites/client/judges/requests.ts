import type { History } from '../history.ts'
import { groupedBy } from '../manners.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

const rule = 'client.requests.well-formed'

/** How many steps of a conviction are shown. */
const shown = 3

/** Whether the service refused requests because they were malformed. */
export function wellFormed({ steps }: History): Opinion[] {
  const wrong = steps.filter(
    ({ malformed, fault, outcome }) =>
      malformed !== undefined && fault === undefined && outcome === 'fail',
  )
  if (wrong.length === 0) {
    const right = steps.find(({ outcome }) => outcome === 'ok')
    return [
      right === undefined
        ? notExercised(rule, 'the service answered no request with success')
        : passed(rule, 'the service refused no request for its form', [right.n]),
    ]
  }
  const groups = groupedBy(wrong, ({ operation, malformed }) => `${operation} ${malformed}`)
  return [...groups.values()].map((group) => {
    const [first] = group
    return convicted(
      rule,
      `${first?.operation === undefined ? '' : `${first.operation}: `}${first?.malformed}${group.length === 1 ? '' : `; ${group.length} times`}`,
      group.slice(0, shown).map(({ n }) => n),
      {
        advice:
          'send what the description of the operation says; repeating the request unchanged does not help',
      },
    )
  })
}
