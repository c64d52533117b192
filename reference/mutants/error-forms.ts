import type { RefusalId } from '../../contract/errors.ts'
import type { Mutant } from './mutant.ts'
import { responses } from './rewrite.ts'

/** Errors whose bodies are wrong, though they refuse what they should. */

/** The details of every error of a refusal, or of all refusals, replaced. */
const detailed = (details: readonly string[], of?: RefusalId): Mutant =>
  responses(async (response, { refusal }) => {
    if (refusal === undefined || (of !== undefined && refusal !== of)) return response
    const body = JSON.stringify(await response.json(), (name, value: unknown) =>
      name === 'details' ? details : value,
    )
    return new Response(body, response)
  })

export const stackInDetails = detailed([
  'Error: refused',
  '    at handle (/srv/app/dist/server.js:12:7)',
])

/** A refusal states a file of the service. */
export const names = (refusal: RefusalId, file: string): Mutant =>
  detailed([`the rest cannot be read, see ${file}`], refusal)

export const withoutEmptyDetails = responses(async (response, { refusal }) => {
  if (refusal === undefined) return response
  const text = (await response.text()).replace(/"details":\[\],|,"details":\[\]/, '')
  return new Response(text, response)
})

/** A refusal in the form of a framework's own errors. */
export const leftToTheFramework = (of: RefusalId): Mutant =>
  responses((response, { path, refusal }) => {
    if (refusal !== of) return response
    const { status } = response
    const error = { timestamp: '2026-02-01T00:00:00.000Z', status, error: 'Refused', path }
    return Response.json(error, { status })
  })
