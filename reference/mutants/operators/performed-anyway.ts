import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Calls by another method, in another version or without a body are answered with success, on some paths alone. */

interface Row {
  readonly rule: RuleId
  /** The status that such a call has to be answered with. */
  readonly due: 400 | 404 | 405
  readonly method: RegExp
  readonly path: RegExp
  /** Only where the path names something that the service has created. */
  readonly exists?: boolean
  /** The operation that has another path, where that is the one. */
  readonly aliasOf?: OperationId
  /** Only without a body. */
  readonly empty?: boolean
}

const numberOf = (text: string): readonly string[] => text.match(/\d{8}-[A-Z]{2}-[\w-]+/g) ?? []

const performed = ({ due, method, path, exists = false, empty = false, aliasOf }: Row): Mutant => {
  const created = new Set<string>()
  return {
    absentIn: ({ operations }) =>
      aliasOf === undefined || operations[aliasOf] === undefined
        ? undefined
        : 'the operation has one path',
    async exchange(running, next) {
      const response = await next(running)
      const { path: called, exchange } = running
      if (response.ok) {
        const text = await response.text()
        if (exchange.method === 'POST') for (const one of numberOf(text)) created.add(one)
        return new Response(text === '' ? null : text, response)
      }
      const isThere = !exists || numberOf(called).some((one) => created.has(one))
      const isMeant = !empty || (running.headers['content-length'] ?? '0') === '0'
      return isMeant &&
        response.status === due &&
        method.test(exchange.method) &&
        path.test(called) &&
        isThere
        ? new Response(null, { status: 200 })
        : response
    },
  }
}

const rows: Readonly<Record<string, Row>> = {
  'closed-by-get': {
    rule: 'transport.wrong-method',
    due: 405,
    method: /^GET$/,
    path: /\/close$/,
    exists: true,
  },
  'head-without-get': {
    rule: 'transport.wrong-method',
    due: 405,
    method: /^HEAD$/,
    path: /\/(?:redeem|query)\b/,
  },
  'put-for-post': {
    rule: 'transport.wrong-method',
    due: 405,
    method: /^PUT$/,
    path: /\/sessions\/online\/.+\/invoices$/,
    exists: true,
  },
  'other-path-of-exports': {
    rule: 'transport.wrong-method',
    due: 405,
    method: /^(?:GET|PUT)$/,
    path: /\/invoices\/export$/,
    aliasOf: 'exports.create',
  },
  'tokens-without-a-body': {
    rule: 'transport.malformed-body',
    due: 400,
    method: /^POST$/,
    path: /\/tokens$/,
    empty: true,
  },
  'some-operations-in-any-version': {
    rule: 'transport.unknown-version',
    due: 404,
    method: /^GET$/,
    path: /\/v\d+\/(?:security|limits|sessions)\b/,
  },
}

export const performedAnyway = (): Generated[] =>
  Object.entries(rows).map(([name, row]) =>
    generated('performed', name, [row.rule], performed(row)),
  )
