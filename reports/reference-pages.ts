import { dialects } from '../contract/dialects.ts'
import type { Dialect } from '../contract/dialect.ts'
import { endpoint, operationIds } from '../contract/endpoints.ts'
import { environments, invoiceSchemas, tokensUntil } from '../contract/environments.ts'
import { refusals } from '../contract/errors.ts'
import { gapIds, gaps } from '../contract/gaps.ts'
import { lifecycles } from '../contract/lifecycles.ts'
import { limits, publicRate, rateRules } from '../contract/limits.ts'
import { areaOf, ruleIds, ruleRow, variantsOf } from '../contract/rules.ts'
import type { RuleId } from '../contract/rules.ts'
import { areas, areaTitles, capabilities } from '../contract/types.ts'
import type { Gap, Limit, Refusal, Variant } from '../contract/types.ts'
import { code, codes, page, table } from './markdown.ts'

/** The pages of `docs/reference`, generated from the contract alone. */

/** Every page by its file name. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  'rules.md': rulesPage(),
  'endpoints.md': endpointsPage(),
  'errors.md': errorsPage(),
  'limits.md': limitsPage(),
  'lifecycles.md': lifecyclesPage(),
  'gaps.md': gapsPage(),
})

function rulesPage(): string {
  const others = Object.values<Dialect>(dialects).filter(
    ({ rules }) => Object.keys(rules).length > 0,
  )
  return page(
    'Rules',
    'What the interface asks for, one rule a row. S binds the service, C a client, B both. A rule that rests on a gap is observed and not judged where the target does not confirm the assumption; a gap that a rule merely touches bears on how it is checked.',
    ...areas.flatMap((area) => {
      const ids = ruleIds.filter((id) => areaOf(id) === area)
      if (ids.length === 0) return []
      return [
        `## ${areaTitles[area]}`,
        table(
          [
            'Rule',
            'Level',
            'Binds',
            'Origin',
            'Requirement',
            'Clause',
            'Needs',
            'Rests on',
            'Touches',
          ],
          ids.map((id) => {
            const row = ruleRow(id)
            return [
              code(id),
              row.level,
              row.binds,
              row.origin,
              [row.sentence, variantsText(id)].filter(Boolean).join(' '),
              row.clause,
              codes(row.needs),
              codes(row.assumes),
              codes(row.touches),
            ]
          }),
        ),
      ]
    }),
    '## Needs',
    table(
      ['Need', 'What a target must offer'],
      Object.entries(capabilities).map(([id, meaning]) => [code(id), meaning]),
    ),
    ...others.flatMap((dialect) => [
      `## Otherwise in dialect ${dialect.id}`,
      table(
        ['Rule', 'There', 'Why'],
        Object.entries(dialect.rules).map(([id, form]) => [
          [code(id), ...(form.variants ? [`(${form.variants.join(', ')})`] : [])].join(' '),
          ...('absent' in form ? ['absent', form.absent] : ['replaced', form.replaced]),
        ]),
      ),
    ]),
  )
}

const variantText = ({ description, level, needs, assumes }: Variant): string =>
  [description, level, needs && `needs ${codes(needs)}`, assumes && `rests on ${codes(assumes)}`]
    .filter((part) => part !== undefined)
    .join('; ')

const variantsText = (id: RuleId): string => {
  const variants = [...variantsOf(id)]
  return variants.length === 0
    ? ''
    : `Variants: ${variants.map(([name, variant]) => `*${name}* (${variantText(variant)})`).join(', ')}.`
}

function endpointsPage(): string {
  return page(
    'Operations',
    `Paths are below the version prefix: ${Object.values<Dialect>(dialects)
      .map(({ id, prefix }) => `${code(prefix)} in dialect ${id}`)
      .join(
        ', ',
      )}. Any one of the permissions suffices. ${code('assay contract openapi')} prints the same as OpenAPI 3.1; the reference serves it at ${code('/openapi.json')} below the prefix.`,
    ...areas.flatMap((area) => {
      const ids = operationIds.filter((id) => id.startsWith(`${area}.`))
      if (ids.length === 0) return []
      return [
        `## ${areaTitles[area]}`,
        table(
          [
            'Operation',
            'Method and path',
            'Bearer',
            'Permissions',
            'Request',
            'Answer',
            'Rate rule',
            'Rests on',
          ],
          ids.map((id) => {
            const row = endpoint(id)
            const also = [...(row.aliases ?? []), ...(row.atOrigin ? ['at the origin'] : [])]
            return [
              `${code(id)} ${row.summary}`,
              `${code(`${row.method} ${row.path}`)}${also.length > 0 ? ` (also ${also.join(', ')})` : ''}`,
              row.bearer,
              codes(row.permissions),
              row.request ? (row.request.schema ?? row.request.media) : '',
              `${row.answer.status} ${row.answer.schema ?? row.answer.media ?? ''}`.trim(),
              row.rate,
              codes(row.assumes),
            ]
          }),
        ),
      ]
    }),
    ...Object.values<Dialect>(dialects)
      .filter(({ operations }) => Object.keys(operations).length > 0)
      .flatMap((dialect) => [
        `## Otherwise in dialect ${dialect.id}`,
        table(
          ['Operation', 'There'],
          Object.entries(dialect.operations).map(([id, form]) => [
            code(id),
            'absent' in form
              ? `absent: ${form.absent}`
              : Object.entries(form)
                  .map(([name, value]) => `${name} ${code(JSON.stringify(value))}`)
                  .join(', '),
          ]),
        ),
      ]),
  )
}

function errorsPage(): string {
  return page(
    'Refusals',
    'What goes wrong, and how it is reported: immediately, by a status and a code, or as the outcome of asynchronous work. The first of each is what the reference gives; a target may give any.',
    table(
      ['Refusal', 'When', 'Status', 'Code', 'Ends', 'With', 'Rests on'],
      Object.entries<Refusal>(refusals).map(([id, row]) => [
        code(id),
        row.when,
        codes(row.answer?.statuses),
        codes(row.answer?.codes),
        row.state?.of ?? '',
        codes(row.state?.codes),
        codes(row.assumes),
      ]),
    ),
  )
}

function limitsPage(): string {
  return page(
    'Limits',
    '## Sizes, counts, lifetimes',
    table(
      ['Limit', 'Value', 'Unit', 'Origin', 'Since', 'Rests on'],
      Object.entries<Limit>(limits).map(([id, row]) => [
        code(id),
        row.value.toLocaleString('en'),
        row.unit,
        row.origin,
        row.since,
        codes(row.assumes),
      ]),
    ),
    '## Rates',
    `Per context and address, over the last second, the last 60 seconds and the last 60 minutes. Public operations: ${publicRate.perSecond} a second per address.`,
    table(
      ['Rule', 'Operations', 'Second', 'Minute', 'Hour', ...Object.keys(dialects).slice(1)],
      Object.entries(rateRules).map(([id, row]) => [
        code(id),
        row.operation,
        ...windowOf(row.window),
        ...Object.values<Dialect>(dialects)
          .slice(1)
          .map(({ rates, shares }) => {
            const own = rates[id as keyof typeof rateRules]
            const shared = shares?.[id as keyof typeof rateRules]
            return own ? windowOf(own).join('/') : shared ? `counts with ${shared}` : 'the same'
          }),
      ]),
    ),
    '## Environments',
    table(
      ['Environment', 'For', 'Rates', 'Self-made certificates', 'Test data', 'NIP check digits'],
      Object.entries(environments).map(([id, row]) => [
        code(id),
        row.summary,
        `${row.rateFactor} times production`,
        row.selfSigned ? 'accepted' : 'refused',
        row.testdata ? 'there' : 'not there',
        row.nipChecksum ? 'enforced' : 'not enforced',
      ]),
    ),
    '## Calendar',
    table(
      ['What', 'From', 'Until'],
      [
        ...Object.values(invoiceSchemas).map((row) => [
          row.formCode.systemCode,
          'from' in row ? row.from : '',
          'until' in row ? row.until : '',
        ]),
        ['service tokens', '', tokensUntil],
        ...Object.entries(environments).map(([id, row]) => [`keys of ${id}`, row.keysFrom, '']),
      ],
    ),
  )
}

const windowOf = (window: {
  readonly perSecond: number
  readonly perMinute: number
  readonly perHour: number
}): string[] => [window.perSecond, window.perMinute, window.perHour].map(String)

function lifecyclesPage(): string {
  return page(
    'Lifecycles',
    'States of asynchronous work. A code below 200 is never final.',
    ...Object.entries(lifecycles).flatMap(([id, states]) => [
      `## ${id}`,
      table(
        ['Code', 'State', 'Outcome', 'Final', 'Next'],
        states.map((state) => [
          code(String(state.code)),
          state.name,
          state.outcome,
          state.terminal ? 'yes' : 'no',
          codes(state.next),
        ]),
      ),
    ]),
  )
}

function gapsPage(): string {
  const users = new Map<string, Set<string>>()
  const add = (rests: readonly string[] | undefined, user: string) => {
    for (const id of rests ?? []) users.set(id, (users.get(id) ?? new Set()).add(user))
  }
  for (const id of ruleIds) {
    add(ruleRow(id).assumes, id)
    add(ruleRow(id).touches, id)
    for (const { assumes } of variantsOf(id).values()) add(assumes, id)
  }
  for (const id of operationIds) add(endpoint(id).assumes, id)
  for (const [id, row] of Object.entries<Refusal>(refusals)) add(row.assumes, id)
  for (const [id, row] of Object.entries<Limit>(limits)) add(row.assumes, id)
  return page(
    'Gaps',
    'What the specification leaves open, and what is assumed until a target says otherwise: a target profile confirms or overrides an assumption under its key in `assumptions`.',
    table(
      ['Gap', 'Question', 'Assumption', 'Origin', 'Clause', 'Key', 'On it rest'],
      gapIds.map((id) => {
        const row: Gap = gaps[id]
        return [
          code(id),
          row.question,
          row.assumption,
          row.origin,
          row.clause,
          code(row.override),
          codes([...(users.get(id) ?? [])]),
        ]
      }),
    ),
  )
}
