import { dialects } from '../../../contract/dialects.ts'
import type { Rules } from './operator.ts'
import { labelled } from '../rewrite.ts'

/** Forms of a refusal that say less, or something else, than the contract wants. */

type Placeholder = '$code' | '$status' | '$description'

/** The names under which the error shapes of any dialect have a placeholder. */
const namesOf = (placeholder: Placeholder): ReadonlySet<string> => {
  const names = new Set<string>()
  const look = (template: unknown): void => {
    if (typeof template !== 'object' || template === null) return
    for (const [name, inner] of Object.entries(template)) {
      if (inner === placeholder || (Array.isArray(inner) && inner[0] === placeholder))
        names.add(name)
      look(inner)
    }
  }
  for (const { errorShapes } of Object.values(dialects))
    for (const { template } of errorShapes) look(template)
  return names
}

const names = {
  $code: namesOf('$code'),
  $status: namesOf('$status'),
  $description: namesOf('$description'),
} as const

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const holds = (body: unknown, placeholder: Placeholder): boolean =>
  isObject(body) &&
  Object.entries(body).some(
    ([name, inner]) =>
      (names[placeholder].has(name) && !isObject(inner)) || holds(inner, placeholder),
  )

/** Puts a value in the places of a placeholder, at any depth; undefined leaves them out. */
const replaced = (body: unknown, placeholder: Placeholder, value: unknown): unknown => {
  if (Array.isArray(body)) return body.map((item) => replaced(item, placeholder, value))
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, inner]: [string, unknown]) => {
      if (!names[placeholder].has(name) || (isObject(inner) && !Array.isArray(inner)))
        return [name, replaced(inner, placeholder, value)]
      return [name, Array.isArray(inner) ? [] : value]
    }),
  )
}

const withBody =
  (rewrite: (body: unknown) => unknown) =>
  async (response: Response): Promise<Response> =>
    new Response(JSON.stringify(rewrite(await response.json())), {
      status: response.status,
      headers: response.headers,
    })

/** Another code, or another status in a body that has no code. */
const withCode = (code: number | undefined) =>
  withBody((body) => replaced(body, holds(body, '$code') ? '$code' : '$status', code))

type Form = (response: Response) => Response | Promise<Response>

export const forms: Readonly<Record<string, Form>> = {
  'server-error': (response) =>
    new Response(response.body, { status: 500, headers: response.headers }),
  'as-text': (response) => labelled(response, 'text/plain'),
  'without-body': (response) => new Response(null, { status: response.status }),
  'another-code': withCode(12_345),
  'code-lost': withCode(undefined),
  'description-lost': withBody((body) => replaced(body, '$description', '')),
}

/** The rules that a form breaks, of a refusal that keeps these. */
export const formRules = (form: string, rules: Rules): Rules =>
  form === 'server-error'
    ? [...rules, 'transport.answers.no-server-error', 'transport.error-shape']
    : form === 'another-code'
      ? [...rules, 'transport.error-shape']
      : form === 'as-text'
        ? ['transport.error-shape', 'transport.media-type', ...rules]
        : ['transport.error-shape', ...rules]
