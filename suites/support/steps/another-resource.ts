import type { CallOptions } from '../../../lib/request.ts'

/** The options of a call for another resource: its path has other values, and it counts against the same limit. */
export const ofAnother = ({ path, ...options }: CallOptions): CallOptions => ({
  ...options,
  ...(path && {
    path: Object.fromEntries(
      Object.entries(path).map(([name, value]) => [
        name,
        value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ]),
    ),
  }),
})
