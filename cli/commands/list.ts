import { endpoints } from '../../contract/endpoints.ts'
import { gaps } from '../../contract/gaps.ts'
import { rules } from '../../contract/rules.ts'
import type { Gap, Rule } from '../../contract/types.ts'
import { areaOf } from '../../reports/finding.ts'
import type { Command } from '../command.ts'
import { groups, ruleSelectors, shared } from '../command.ts'
import { exits, printJson } from '../io.ts'
import type { Io } from '../io.ts'
import { selectorPattern } from '../options.ts'
import { coverageOfChecks, listCoverage } from '../coverage/listed.ts'
import { registeredChecks } from '../registered.ts'
import { counted } from '../../lib/words.ts'

interface Args {
  selectors: string[]
  gaps: boolean
  endpoints: boolean
  coverage: boolean
  json: boolean
}

const selected = (selectors: readonly string[]) => {
  selectorPattern(selectors)
  return Object.entries(rules as Readonly<Record<string, Rule>>).filter(
    ([id]) =>
      selectors.length === 0 ||
      selectors.some((selector) => id === selector || id.startsWith(`${selector}.`)),
  )
}

/** The mutants that break each rule. */
const mutantsByRule = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  // Thousands are made when they are loaded, which no other command should wait for.
  const { mutants } = await import('../../reference/mutants/mutants.ts')
  const byRule = new Map<string, string[]>()
  for (const [id, { breaks }] of Object.entries(mutants))
    for (const rule of breaks) byRule.set(rule, [...(byRule.get(rule) ?? []), id])
  return byRule
}

export const list: Command<Args> = {
  usage: 'list [selectors..]',
  summary: 'List rules, operations or gaps, and what each rule needs',
  positionals: {
    selectors: ruleSelectors,
  },
  options: {
    gaps: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'List what the specification does not state, and what is assumed',
    },
    endpoints: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'List the operations',
    },
    coverage: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'List what the checks cover, row by row of the contract, and what they do not',
    },
    json: shared.json,
  },
  run: async (args, io: Io) => {
    if (args.coverage) return listCoverage(await coverageOfChecks(), args.json, io)
    const checks = await registeredChecks()
    const mutants = await mutantsByRule()
    const rows = selected(args.selectors).map(([id, rule]) => ({
      id,
      level: rule.level,
      binds: rule.binds,
      origin: rule.origin,
      needs: rule.needs ?? [],
      rests: rule.assumes ?? [],
      checks: checks.get(id) ?? 0,
      mutants: mutants.get(id) ?? [],
      sentence: rule.sentence,
    }))
    const gapRows = Object.entries(gaps as Readonly<Record<string, Gap>>).map(([id, gap]) => ({
      id,
      question: gap.question,
      assumption: gap.assumption,
      origin: gap.origin,
    }))
    const endpointRows = Object.entries(endpoints).map(([id, { method, path }]) => ({
      id,
      method,
      path,
      rules: rows.map((row) => row.id).filter((rule) => areaOf(rule) === areaOf(id)),
    }))
    if (args.json) {
      printJson(io, {
        rules: rows,
        endpoints: endpointRows,
        gaps: gapRows,
        totals: {
          rules: rows.length,
          endpoints: endpointRows.length,
          gaps: gapRows.length,
          checks: rows.reduce((sum, row) => sum + row.checks, 0),
        },
      })
      return exits.conformant
    }
    if (args.gaps) {
      for (const gap of gapRows)
        io.out(`${gap.id}\n  ${gap.question}\n  assumed: ${gap.assumption} (${gap.origin})\n`)
      return exits.conformant
    }
    if (args.endpoints) {
      for (const { id, method, path } of endpointRows)
        io.out(`${id.padEnd(34)} ${method.padEnd(6)} ${path}\n`)
      return exits.conformant
    }
    let area = ''
    for (const row of rows) {
      if (areaOf(row.id) !== area) {
        area = areaOf(row.id)
        io.out(`\n${area}\n`)
      }
      const notes = [
        counted(row.checks, 'check'),
        row.needs.length > 0 && `needs ${row.needs.join(', ')}`,
        row.rests.length > 0 && `rests on ${row.rests.join(', ')}`,
      ]
      io.out(`  ${row.id}  ${row.level} ${row.binds} ${row.origin}\n`)
      io.out(`      ${row.sentence}\n      ${notes.filter(Boolean).join('; ')}\n`)
    }
    io.out(
      `\n${counted(rows.length, 'rule')}, ${counted(gapRows.length, 'gap')} (\`assay list --gaps\`)\n`,
    )
    return exits.conformant
  },
}
