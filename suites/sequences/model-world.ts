import type { Dialect } from '../../contract/dialect.ts'
import { environments } from '../../contract/environments.ts'
import { createWorld } from '../../generators/model/world.ts'
import type { Actor, World } from '../../generators/model/world.ts'
import { createClient } from '../../lib/client.ts'
import type { RecordCall } from '../../lib/client.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { opensContexts } from '../../lib/node/target.ts'
import { createRng } from '../../lib/random.ts'
import type { Rng } from '../../lib/random.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { contextWith } from '../support/service/contexts.ts'
import { createContexts } from '../support/service/context-source.ts'
import { notOffered } from '../support/run/not-offered.ts'
import { personAt } from '../support/callers/people.ts'
import type { InProcess, Target } from '../support/service/target.ts'

/** Targets as the model works on them. */

const contexts = 3

/** A reference in this process, reset for every sequence: its parties are the same each time. */
export const worldsInProcess = (
  { send, url, now, advance, reset }: InProcess,
  dialect: Dialect,
): (() => Promise<World>) => {
  const rng = createRng('the parties of the model')
  const owners = Array.from({ length: contexts }, () => {
    const nip = drawNip(rng)
    // Elliptic-curve signatures are faster to create and to verify.
    const seal = makeCertificate({ subject: sealSubject(nip), now: now(), keys: 'p256' })
    return contextWith({ type: 'Nip', value: nip }, seal, now)
  })
  const client = createClient({
    send,
    baseUrl: url,
    dialect,
    codec: nodeCodec,
    now,
    sleep: advance,
    polling: { everyMs: 100, times: 30 },
  })
  const [first] = owners
  const person = first && personAt(first, rng, { now, environment: 'test' })
  return () => {
    reset()
    return Promise.resolve(
      createWorld({
        client,
        owners,
        ...(person === undefined
          ? {}
          : { visitor: { subject: person.subject, actor: person.context } }),
        advance,
        still: true,
        unlimited: true,
        series: 'M',
        confirms: () => true,
      }),
    )
  }
}

/** As many separate contexts as the target gives to one sequence. */
const ownersAt = async (target: Target, rng: Rng): Promise<Actor[]> => {
  const next = createContexts(target, rng)
  const owners: Actor[] = []
  while (owners.length < contexts) {
    const owner = await next().catch(() => undefined)
    if (owner === undefined) break
    if (owner.by === 'document') owners.push(owner)
    else if (owners.length === 0)
      throw notOffered('second', 'no context in the profile has a certificate and a key')
    else break
  }
  return owners
}

/** The target's clock, if the profile gives a way to move it; between sequences it returns to where it would be. */
const clockAt = ({ management, now }: Target) => {
  if (management === undefined) return undefined
  const begun = { real: Date.now(), service: now() }
  return {
    advance: (ms: number) => management.set(now() + ms),
    restore: () => management.set(begun.service + (Date.now() - begun.real)),
  }
}

/**
 * A target over HTTP, with its own contexts for every sequence. Pending work may end at any moment, and time passes by
 * itself, unless the clock can be moved.
 */
export const worldsAt = (
  target: Target,
  rng: Rng,
  record: RecordCall,
): { readonly open: () => Promise<World>; readonly restore: () => Promise<void> } => {
  let sequences = 0
  const unlimited = target.management?.unlimited === true
  const clock = clockAt(target)
  const restore = async () => clock?.restore()
  const open = async () => {
    if (sequences > 0) await restore()
    sequences += 1
    const owners = await ownersAt(target, rng)
    const [first] = owners
    const { selfSigned: own } = environments[target.environment]
    const person = own && first && target.has('testdata') ? personAt(first, rng, target) : undefined
    return createWorld({
      client: target.client(record),
      owners,
      ...(person ? { visitor: { subject: person.subject, actor: person.context } } : {}),
      ...(clock === undefined ? {} : { advance: clock.advance }),
      still: false,
      shared: !opensContexts(target.profile),
      unlimited,
      series: `M/${rng.digits(8)}/${sequences}`,
      confirms: target.confirms,
    })
  }
  return { open, restore }
}
