import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { planSending } from '../../lib/plan/plan.ts'
import type { SendingPlan } from '../../lib/plan/plan.ts'
import type { Mode } from '../../lib/plan/design.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { seedOf } from '../options.ts'
import { formatDuration, parseDuration } from '../plan/duration.ts'
import { planLimitsOf } from '../plan/limits.ts'
import type { Rehearsal } from '../plan/rehearse.ts'
import { planText } from '../plan/text.ts'

interface Args {
  invoices: number
  mode: Mode | 'auto'
  contexts: number
  addresses: number
  limits: string
  dialect: string | undefined
  deadline: string | undefined
  invoiceBytes: number
  uploadMbit: number | undefined
  chart: string | undefined
  rehearse: boolean
  seed: number | undefined
  json: boolean
}

const whole = (option: string, value: number, max: number): number => {
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw usageError(
      `--${option}: expected an integer from 1 to ${max.toLocaleString('en')}, received ${value}`,
    )
  return value
}

const chartFormat = (file: string): 'svg' | 'html' => {
  const extension = path.extname(file).slice(1)
  if (extension === 'svg' || extension === 'html') return extension
  throw usageError(
    `--chart: expected a file that ends in .svg or .html, received ${JSON.stringify(file)}`,
  )
}

const writeChart = async (plan: SendingPlan, file: string, io: Io): Promise<void> => {
  const { planFigures } = await import('../../reports/charts/plan-chart.ts')
  const { pageHtml } = await import('../../reports/charts/page.ts')
  const target = path.resolve(io.cwd, file)
  makeDirectory(path.dirname(target))
  const figures = planFigures(plan)
  const [first = ''] = figures.map(({ svg }) => svg)
  const [title = '', ...facts] = planText(plan).split('\n')
  const page = () => pageHtml({ title, summary: [], figures, text: facts.join('\n').trimEnd() })
  writeFileSync(target, chartFormat(file) === 'svg' ? first : page())
  io.err(`chart: ${target}\n`)
}

const rehearsed = (rehearsal: Rehearsal, invoices: number): readonly string[] => {
  const { limited, plannedMs, tookMs } = rehearsal
  return [
    limited > 0 && `${limited} calls were refused with 429, expected none`,
    rehearsal.invoices !== invoices &&
      `${rehearsal.invoices} invoices were processed, expected ${invoices}`,
    Math.abs(tookMs - plannedMs) > Math.max(1000, plannedMs / 100) &&
      `it took ${formatDuration(tookMs)}, expected ${formatDuration(plannedMs)} within 1 %`,
  ].filter((reason) => typeof reason === 'string')
}

const jsonOf = (plan: SendingPlan, rehearsal: Rehearsal | undefined): unknown => {
  const { design, schedule, cycles, waits, companions, problems, remarks, alternatives } = plan
  const { limits, ...others } = design
  const plain = (some: typeof design) => ({ ...some, limits: some.limits.name })
  return {
    design: { ...others, limits: limits.name },
    feasible: problems.length === 0,
    ms: schedule?.ends ?? null,
    sessions: schedule?.sessions ?? [],
    waits,
    schedule: cycles,
    companions,
    problems,
    remarks,
    alternatives: alternatives.map((one) => ({ ...one, design: plain(one.design) })),
    ...(rehearsal === undefined ? {} : { rehearsal }),
  }
}

export const plan: Command<Args> = {
  usage: 'plan',
  summary: 'Plan the fastest legal way to send invoices: time, schedule and what limits it',
  options: {
    invoices: { type: 'number', demandOption: true, describe: 'Number of invoices to send' },
    mode: {
      choices: ['online', 'batch', 'auto'] as const,
      default: 'auto' as const,
      describe: 'Interactive sessions, batch sessions, or whichever ends first',
    },
    contexts: { type: 'number', default: 1, describe: 'Contexts (sellers) that send' },
    addresses: { type: 'number', default: 1, describe: 'Source addresses of each context' },
    limits: {
      type: 'string',
      default: 'production',
      describe: 'production, test, a JSON file, or a target (URL or profile) to ask',
    },
    dialect: shared.dialect,
    deadline: { type: 'string', describe: 'Latest end, for example 8h or 2d' },
    'invoice-bytes': { type: 'number', default: 5000, describe: 'Average size of an invoice' },
    'upload-mbit': {
      type: 'number',
      describe: 'Bandwidth for batch uploads, in Mbit/s; uploads take no time when absent',
    },
    chart: { type: 'string', describe: 'Write a chart to this file (.svg or .html)' },
    rehearse: {
      type: 'boolean',
      default: false,
      describe: 'Carry out the plan against the embedded reference in virtual time',
    },
    seed: shared.seed,
    json: shared.json,
  },
  examples: {
    'plan --invoices 40000 --limits production': 'how long 40,000 invoices take, and in which mode',
    'plan --invoices 600 --mode online --rehearse': 'the proof that the plan meets no 429',
  },
  run: async (args, io) => {
    if (args.chart !== undefined) chartFormat(args.chart)
    const deadline =
      args.deadline === undefined ? undefined : parseDuration('deadline', args.deadline)
    const { uploadMbit } = args
    if (uploadMbit !== undefined && !(uploadMbit > 0))
      throw usageError(`--upload-mbit: expected a number above 0, received ${uploadMbit}`)
    const wanted = {
      invoices: whole('invoices', args.invoices, 10_000_000),
      contexts: whole('contexts', args.contexts, 1_000_000),
      addresses: whole('addresses', args.addresses, 250),
      invoiceBytes: whole('invoice-bytes', args.invoiceBytes, 5_000_000_000),
      uploadRate: uploadMbit === undefined ? undefined : (uploadMbit * 1_000_000) / 8,
    }
    const seed = seedOf(args.seed)
    const { source, limits } = await planLimitsOf(args, io)
    const made = planSending({ ...wanted, mode: args.mode, limits }, deadline)
    const rehearsal =
      args.rehearse && made.schedule !== undefined
        ? await (
            await import('../plan/rehearse.ts')
          ).rehearse(made, source, seed, (done, all) =>
            io.err(`rehearsed ${done} of ${all} steps\n`),
          )
        : undefined
    const wrong = rehearsal === undefined ? [] : rehearsed(rehearsal, wanted.invoices)
    if (args.json) printJson(io, jsonOf(made, rehearsal))
    else {
      io.out(planText(made))
      if (rehearsal !== undefined)
        io.out(
          `\nRehearsal in virtual time: ${rehearsal.calls} calls, ${rehearsal.limited} refused with 429, ${rehearsal.invoices} invoices processed, ended after ${formatDuration(rehearsal.tookMs)}\n`,
        )
      for (const reason of wrong) io.out(`  ${reason}\n`)
    }
    if (args.chart !== undefined) await writeChart(made, args.chart, io)
    if (wrong.length > 0) return exits.failed
    return made.problems.length > 0 ? exits.thresholdsCrossed : exits.conformant
  },
}
