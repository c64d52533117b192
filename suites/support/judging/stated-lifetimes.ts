import type { OperationId } from '../../../contract/endpoints.ts'
import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { jwtPayload } from '../../../lib/codec.ts'
import { succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { readToken } from '../../../lib/flows/login.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import type { Fault } from '../answers/conformity.ts'
import { isFields, rowsOf } from '../coverage/reached.ts'
import type { Fields } from '../coverage/reached.ts'

/** Lifetimes that an answer states by itself, from their begin to their end, whatever the check is about. */

interface Row {
  readonly rule: RuleId
  readonly what: string
  readonly in: readonly OperationId[]
  /** What is wrong with the lifetimes in an answer. */
  readonly wrong: (body: Fields) => readonly string[]
}

/** What may lie between the two instants that a service takes for the begin, s. */
const leeway = 5

/** The lifetime that a JWT states, s; undefined where it states none. */
const lifetimeOf = (token: unknown): number | undefined => {
  const { iat, exp } = jwtPayload(nodeCodec, readToken(token)?.token ?? '') ?? {}
  return typeof iat === 'number' && typeof exp === 'number' ? exp - iat : undefined
}

const outside = (seconds: number | undefined, from: number, to: number): readonly string[] =>
  seconds === undefined || (seconds >= from - leeway && seconds <= to + leeway)
    ? []
    : [`a lifetime of ${seconds} s, not ${from} to ${to} s`]

/** The latest expiry of a certificate that is valid from an instant on, Unix milliseconds. */
export const latestExpiry = (validFrom: string): number => {
  const end = new Date(validFrom)
  return end.setUTCFullYear(end.getUTCFullYear() + limits['certificate.years'].value)
}

const isTooLong = ({ validFrom, validTo }: Fields): boolean =>
  Date.parse(String(validTo)) > latestExpiry(String(validFrom))

const rows: readonly Row[] = [
  {
    rule: 'auth.access-token.jwt-lifetime',
    what: 'access tokens',
    in: ['auth.redeem', 'auth.refresh'],
    wrong: ({ accessToken }) =>
      outside(
        lifetimeOf(accessToken),
        limits['accessToken.lifetimeMinimum'].value,
        limits['accessToken.lifetimeMaximum'].value,
      ),
  },
  {
    rule: 'auth.refresh.seven-days',
    what: 'refresh tokens',
    in: ['auth.redeem'],
    wrong: ({ refreshToken }) =>
      outside(lifetimeOf(refreshToken), 0, limits['refreshToken.lifetime'].value),
  },
  {
    rule: 'certificates.two-years',
    what: 'certificates',
    in: ['certificates.query'],
    wrong: (body) =>
      rowsOf(body, 'certificates')
        .filter(isTooLong)
        .map(({ validFrom, validTo }) => `valid from ${String(validFrom)} to ${String(validTo)}`),
  },
]

/** The rules that own lifetimes which any answer can state. */
export const lifetimeRules: readonly RuleId[] = rows.map(({ rule }) => rule)

/** What is wrong with the lifetimes that an answer states. */
export const wrongLifetimes = (exchange: Exchange): Fault[] => {
  const { operation, body } = exchange
  if (operation === undefined || !succeeded(exchange) || !isFields(body)) return []
  return rows
    .filter((row) => row.in.includes(operation))
    .flatMap(({ rule, what, wrong }) =>
      wrong(body).map((text) => ({
        rule,
        text,
        cause: `${what} in answers of ${operation} have a wrong lifetime`,
      })),
    )
}
