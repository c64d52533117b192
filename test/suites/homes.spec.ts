import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { ruleIds, variantName, variantsOf } from '../../contract/rules.ts'
import { listedChecks } from '../../cli/registered.ts'
import { families, familyOf } from '../../suites/support/checks/families.ts'
import type { Family } from '../../suites/support/checks/families.ts'
import { fileOf, folders } from '../../suites/support/checks/homes.ts'
import { formOf, otherForms } from '../../suites/support/checks/other-forms.ts'
import type { OtherForm } from '../../suites/support/checks/other-forms.ts'
import { uncheckedVariants } from '../../suites/support/checks/unchecked.ts'
import { projectRoot } from '../sources.ts'

/** Where each check of Playwright's own list is, and what of the contract it checks. */

test('every check is in the file that its rule id names', async () => {
  const checks = await listedChecks()
  const misplaced = checks
    .filter(({ rule, variant, file }) => fileOf(rule, variant) !== file)
    .map(({ rule, variant, file }) => `${rule}: ${file}, expected ${fileOf(rule, variant)}`)
  expect(checks.length).toBeGreaterThan(900)
  expect(
    [...new Set(misplaced)],
    'Move these checks, or declare a family in suites/support/checks/homes.ts.',
  ).toEqual([])
})

test('every folder of a subject replaces its file and has checks', async () => {
  const checks = await listedChecks()
  const root = projectRoot()
  for (const place of folders) {
    expect(
      checks.some(({ file }) => file.startsWith(`${place}/`)),
      place,
    ).toBe(true)
    expect(existsSync(path.join(root ?? '.', 'suites', `${place}.spec.ts`)), place).toBe(false)
  }
})

test('every spec file registers checks', async () => {
  const root = projectRoot()
  test.skip(root === undefined, 'the published package carries no sources')
  const known = new Set([
    ...(await listedChecks()).map(({ file }) => file),
    ...Object.values(families).map(({ file }) => file),
  ])
  const specs = readdirSync(path.join(root ?? '.', 'suites'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.spec.ts') && !file.startsWith('client/'))
  expect(specs.filter((file) => !known.has(file))).toEqual([])
})

test('every variant of a check is declared by its rule', async () => {
  const undeclared = (await listedChecks())
    .map(({ rule, variant }) => ({ rule, variant: (formOf(variant) ?? { variant }).variant }))
    .filter(
      ({ rule, variant }) =>
        variant !== undefined &&
        familyOf(variantName(variant)) === undefined &&
        !variantsOf(rule).has(variantName(variant)),
    )
    .map(({ rule, variant }) => `${rule} / ${variant}`)
  expect(undeclared).toEqual([])
})

// The build ends with these too (scripts/build.mjs).
test('every declared variant has a check', async () => {
  const checks = await listedChecks()
  expect(uncheckedVariants(checks)).toEqual([])
  const others = checks.filter(({ rule }) => rule !== 'keys.list.production-calendar')
  expect(uncheckedVariants(others)).toEqual([
    'keys.list.production-calendar / production belongs in suites/keys/list.spec.ts',
    'keys.list.production-calendar / demo belongs in suites/keys/list.spec.ts',
  ])
})

test('every family has checks', async () => {
  const used = new Set((await listedChecks()).map(({ variant = '' }) => variantName(variant)))
  const names = Object.keys(families) as Family[]
  const stale = names.filter((name) => !used.has(name) && !('optional' in families[name]))
  expect(stale).toEqual([])
})

test('every other form has checks, and leaves out only checks that there are', async () => {
  const checks = await listedChecks()
  const stale = Object.entries<OtherForm>(otherForms).flatMap(([name, { of, without = [] }]) =>
    [...of, ...without]
      .filter(
        (beginning) =>
          !checks.some(({ rule, variant }) =>
            `${rule} / ${(formOf(variant) ?? { variant }).variant ?? ''}`.startsWith(beginning),
          ),
      )
      .map((beginning) => `${name}: ${beginning}`),
  )
  expect(stale).toEqual([])
})

test('every variant that a dialect replaces has a check', async () => {
  const checks = await listedChecks()
  const stale = Object.values<Dialect>(dialects).flatMap((dialect) =>
    ruleIds.flatMap((id) =>
      (dialect.rules[id]?.variants ?? [])
        .filter(
          (name) =>
            !checks.some(
              ({ rule, variant = '' }) =>
                rule === id && (variant === name || variantName(variant) === name),
            ),
        )
        .map((name) => `${dialect.id}: ${id} / ${name}`),
    ),
  )
  expect(stale).toEqual([])
})
