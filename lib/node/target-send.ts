import { getProxyForUrl } from 'proxy-from-env'
import type { Dialect } from '../../contract/dialect.ts'
import { createCallerContexts } from '../caller-contexts.ts'
import type { CallerContexts } from '../caller-contexts.ts'
import { guarded } from '../consent.ts'
import { nodeCodec } from './codec.ts'
import { createSend } from './fetch.ts'
import type { NodeSend } from './fetch.ts'
import { isLoopback } from './target.ts'
import type { TargetProfile } from './target.ts'

/** Whether a service is one that must not be written to by accident: production, and every sibling of a target. */
export const isGuarded = ({ environment, sibling }: TargetProfile): boolean =>
  environment === 'production' || sibling === true

/**
 * Whether a target receives only what its operator consented to: a production service, and every sibling of a target.
 * A user who names a management port runs the service and needs no consent; a run first looks whether the port belongs
 * to the service.
 */
export const needsConsent = (profile: TargetProfile): boolean =>
  profile.management === undefined && isGuarded(profile)

/** Whether load needs the consent of the operator: anywhere but on this machine, and wherever a target needs consent. */
export const loadNeedsConsent = (profile: TargetProfile): boolean =>
  !isLoopback(profile.url) || needsConsent(profile)

/** Address of the proxy that a target is called through; empty when it is called directly. */
export const proxyOf = ({ proxy, url }: TargetProfile): string => proxy ?? getProxyForUrl(url)

export interface TargetSendOptions {
  readonly dialect: Dialect
  readonly localAddress?: string | undefined
  /** Milliseconds for a whole exchange; the profile's when absent. */
  readonly timeoutMs?: number
  /** Whose tokens are sent, where several senders share them; those that this one sees when absent. */
  readonly callers?: CallerContexts
  /** What the calls are part of, where a consent to it covers all of them. */
  readonly work?: 'load'
  /** The error of a call that lacks consent; nothing was sent. */
  readonly refuse?: (reason: string) => Error
}

/** A sender for one target: its certificate authorities, proxy, headers and timeout, and the guard of its consent. */
export const sendToTarget = (
  profile: TargetProfile,
  {
    dialect,
    localAddress,
    timeoutMs = profile.timeoutMs,
    callers,
    work,
    refuse,
  }: TargetSendOptions,
): NodeSend => {
  const proxy = proxyOf(profile)
  const sender = createSend({
    ...(localAddress === undefined ? {} : { localAddress }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(profile.ca === undefined ? {} : { ca: profile.ca }),
    ...(profile.headers === undefined ? {} : { headers: profile.headers }),
    ...(proxy === '' ? {} : { proxy }),
  })
  if (!(work === undefined ? needsConsent : loadNeedsConsent)(profile)) return sender
  return {
    send: guarded(sender.send, {
      baseUrl: profile.url,
      dialect,
      consent: profile.consent,
      callers: callers ?? createCallerContexts(nodeCodec),
      work,
      refuse: refuse ?? ((reason) => new Error(reason)),
    }),
    close: () => sender.close(),
  }
}
