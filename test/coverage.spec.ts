import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { ruleIds, ruleRow, rules } from '../contract/rules.ts'
import { mutants } from '../reference/mutants/mutants.ts'
import { notYetProved } from './coverage.ts'

/** What no mutant can break is not tested: every rule that binds the service has a check, and a mutant that it kills. */

const suites = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../suites')

const specs = readdirSync(suites, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.spec\.[jt]s$/.test(file) && !/^client[\\/]/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(suites, file), 'utf8') }))

const checkIds = specs.flatMap(({ file, text }) =>
  [...text.matchAll(/\brule\(\s*['"`]([a-z0-9.-]+(?:\$\{[^}]*\})?)['"`]/g)].map(([, id = '']) => ({
    file,
    id,
  })),
)

/** Ids that are written with a place to fill in, such as `auth.xades.${form}`, cover what they can become. */
const covers = (written: string, id: string): boolean =>
  written.includes('${')
    ? new RegExp(`^${written.replace(/\$\{[^}]*\}/, '[a-z-]+')}$`).test(id)
    : written === id

const checked = (id: string): boolean => checkIds.some((check) => covers(check.id, id))
const breaks = new Set(
  Object.values(mutants).flatMap((mutant) => mutant.breaks as readonly string[]),
)
const binding = ruleIds.filter((id) => ruleRow(id).binds !== 'C')

const lacking = (id: string): 'check' | 'mutant' | 'both' | undefined => {
  if (!checked(id)) return breaks.has(id) ? 'check' : 'both'
  return breaks.has(id) ? undefined : 'mutant'
}

test('every rule that binds the service has a check and a mutant', () => {
  const open = binding.flatMap((id) => {
    const lacks = lacking(id)
    return lacks === undefined || id in notYetProved ? [] : [`${id} lacks ${lacks}`]
  })
  for (const [id, { lacks, because }] of Object.entries(notYetProved))
    console.log(`not yet proved: ${id} (lacks ${lacks}): ${because}`)
  expect(
    open,
    'Write `test(...rule(id), ...)` in suites/<area>/, and a mutant in reference/mutants/<area>.ts that it kills.',
  ).toEqual([])
})

test('the list of what is not yet proved only shrinks', () => {
  const stale = Object.entries(notYetProved)
    .filter(([id, { lacks }]) => !binding.includes(id as never) || lacking(id) !== lacks)
    .map(([id]) => id)
  expect(stale, 'Take these out of test/coverage.ts, or say anew what they lack.').toEqual([])
})

test('every check is tied to a rule that exists', () => {
  const unknown = checkIds
    .filter(({ id }) => !id.includes('${') && !(id in rules))
    .map(({ file, id }) => `${file}: ${id}`)
  expect(unknown).toEqual([])
})

test('every mutant breaks a rule that exists', () => {
  const unknown = Object.entries(mutants).flatMap(([id, mutant]) =>
    (mutant.breaks as readonly string[])
      .filter((rule) => !(rule in rules))
      .map((rule) => `${id}: ${rule}`),
  )
  expect(unknown).toEqual([])
})
