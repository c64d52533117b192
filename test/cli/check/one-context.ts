import { svc } from '../../../contract/dialects/svc.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { forecast } from '../../../cli/check/forecast.ts'
import { listedChecks } from '../../../cli/registered.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'
import { thresholdsOf } from '../../../lib/pacer.ts'

/** A target whose one context all checks share, at the limits of production. */

export const oneContext: TargetProfile = {
  url: 'https://service.test/api/v2',
  dialect: 'svc',
  environment: 'demo',
  capabilities: [],
  contexts: [{ kind: 'Nip', value: '1549158557', token: 'x' }],
}

export const hours = 3_600_000

export const planned = async (patienceMs: number) =>
  forecast(await listedChecks(), { profile: oneContext, patienceMs, workers: 1 })

export const limitsOf = (row: string) => thresholdsOf(row in endpoints ? 'default' : row, svc) ?? {}
