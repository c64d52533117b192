import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { Endpoint } from '../../../contract/types.ts'
import { refuse } from '../../base/refusals.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Values of query parameters that the description allows and the service refuses. */

const stated = (schema: Readonly<Record<string, unknown>>): readonly (string | number)[] => {
  const items = Object(schema['items']) as Readonly<Record<string, unknown>>
  const all = [schema, items].flatMap((one) => [
    one['minimum'],
    one['maximum'],
    ...((one['enum'] as readonly unknown[] | undefined) ?? []),
  ])
  return all.filter((value) => typeof value === 'number' || typeof value === 'string')
}

/** Each bound and each word of each parameter refused. */
export const describedRefused = (): Generated[] =>
  operationIds.flatMap((operation) => {
    const { parameters = [] }: Endpoint = endpoint(operation)
    return parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }) =>
        stated(schema).map((value) =>
          generated(
            'described-value',
            `${operation}.${name}.${value}.refused`,
            ['transport.openapi-agrees'],
            {
              needs: operation,
              async exchange(running, next) {
                const response = await next(running)
                const { operation: called, path } = running.exchange
                const [, query = ''] = path.split('?', 2)
                // What a caller leaves out has its default, and nobody is refused for that.
                const given = new URLSearchParams(query).getAll(name)
                if (called === operation && given.includes(String(value)))
                  throw refuse('invalid-input', `${name} is ${value}`)
                return response
              },
            },
          ),
        ),
      )
  })
