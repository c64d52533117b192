import type { Profile, Server } from '../../reference/server/server.ts'

/** What a person reads who starts the service. */

export interface Summary {
  readonly profile: Profile
  readonly origin: string
  readonly tokens?: Server['tokens']
  /** Folder of exported files. */
  readonly exported?: string | undefined
  /** How the service is stopped. */
  readonly stop: string
}

/** Scheme, host and port of an address. */
const originOf = (url: string): string => new URL(url).origin

export const summaryOf = ({ profile, origin, tokens = [], exported, stop }: Summary): string => {
  const { url, ca } = profile
  const rows: [string, string][] = [
    ['address', originOf(url)],
    ['with its prefix', url],
    ...(originOf(url) === origin ? [] : [['listens on', origin] as [string, string]]),
    ['management', profile.management],
    [
      'dialect',
      `${profile.dialect}, environment ${profile.environment}${profile.seed === undefined ? '' : `, seed ${profile.seed}`}`,
    ],
  ]
  for (const sibling of Object.values(profile.elsewhere ?? {}))
    rows.push([`in ${sibling.environment}`, `${sibling.url}, management ${sibling.management}`])
  if (ca !== undefined) rows.push(['trust', `${ca} (its certificate; curl --cacert)`])
  for (const context of profile.contexts) {
    rows.push(
      ['context', `${context.kind} ${context.value}`],
      ['service token', context.token],
      ['certificate', context.certificate],
      ['key', context.key],
    )
  }
  for (const { context, token } of tokens)
    rows.push(['service token', `${token} (${context.type} ${context.value})`])
  if (exported !== undefined) rows.push(['exported', exported])
  const trusting = ca === undefined ? '' : `--cacert ${ca} `
  rows.push(['try', `curl ${trusting}-X POST ${url}/auth/challenge`], ['stop', stop])
  return rows.map(([name, value]) => `${name.padEnd(20)}${value}\n`).join('')
}
