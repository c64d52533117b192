import { readFileSync } from 'node:fs'
import path from 'node:path'
import { environments } from '../../contract/environments.ts'
import { rateRules } from '../../contract/limits.ts'
import { dialects } from '../../contract/dialects.ts'
import { planLimits } from '../../lib/plan/design.ts'
import type { LimitsSource, PlanLimits, RateTable } from '../../lib/plan/design.ts'
import { expectObject } from '../../lib/outcome.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { loadTarget } from '../load/target.ts'
import { dialectOf } from '../options.ts'

/** Where the limits of a plan come from. */
export interface PlanLimitsArgs {
  readonly limits: string
  readonly dialect: string | undefined
}

const isTarget = (given: string, io: Io): boolean => {
  if (/^https?:\/\//.test(given)) return true
  try {
    const text = readFileSync(path.resolve(io.cwd, given), 'utf8')
    return typeof (JSON.parse(text) as { url?: unknown }).url === 'string'
  } catch {
    return false
  }
}

/** The limits that `--limits` names: an environment's, a file's, or what a target says of itself. */
export const planLimitsOf = async (
  { limits, dialect: id }: PlanLimitsArgs,
  io: Io,
): Promise<{ readonly source: LimitsSource; readonly limits: PlanLimits }> => {
  const source = isTarget(limits, io)
    ? await targetLimits(limits, id, io)
    : namedLimits(limits, id, io)
  return { source, limits: planLimits(source) }
}

const namedLimits = (given: string, id: string | undefined, io: Io): LimitsSource => {
  const dialect = dialects[(dialectOf(id) ?? 'svc') as keyof typeof dialects]
  const named = ['production', 'test', 'off'].includes(given)
  const limits = limitsOf(named ? given : path.resolve(io.cwd, given))
  if (typeof limits === 'object') return { name: given, dialect, rates: limits }
  const factor = { ...environments.test, ...dialect.environments?.test }.rateFactor
  return {
    name: given,
    dialect,
    ...(limits === 'test' ? { factor } : {}),
    ...(limits === 'off' ? { off: true } : {}),
  }
}

/** What a target reports about itself: its rates, and the sizes of its sessions. */
const targetLimits = async (
  target: string,
  dialect: string | undefined,
  io: Io,
): Promise<LimitsSource> => {
  const service = await loadTarget(
    { target, seed: 1, readsOnly: true, ...(dialect === undefined ? {} : { dialect }) },
    io,
  )
  try {
    const { client } = service
    const rates = expectObject(await client.call('limits.rates'), 'read the rate limits')
    const context = expectObject(await client.call('limits.context'), 'read the session limits')
    const session = (context['onlineSession'] ?? {}) as Readonly<Record<string, unknown>>
    const invoices = session['maxInvoices']
    const megabytes = session['maxInvoiceSizeInMB']
    return {
      name: client.baseUrl,
      dialect: client.dialect,
      rates: Object.fromEntries(
        Object.keys(rateRules)
          .filter((rule) => typeof rates[rule] === 'object')
          .map((rule) => [rule, rates[rule]]),
      ) as RateTable,
      values: {
        ...(typeof invoices === 'number' ? { 'session.invoices': invoices } : {}),
        ...(typeof megabytes === 'number' ? { 'invoice.bytes': megabytes * 1_000_000 } : {}),
      },
    }
  } finally {
    await service.close()
  }
}
