import { isIP } from 'node:net'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { isInstant } from '../base/instants.ts'
import { version } from '../base/version.ts'
import type { Service } from '../call/service.ts'
import type { KeyUsage } from '../keys/service-key.ts'
import type { Control } from './control.ts'
import { delayedKinds, isDelayed } from './delays.ts'
import { failingLifecycles, failuresOf, isFailing } from './endings.ts'
import {
  Unfit,
  bodyOf,
  durationOf,
  instantOf,
  limitsOf,
  objectOf,
  received,
  sizeOf,
} from './management-body.ts'
import type { Seed } from './seed-file.ts'
import { contextFaults } from './seed-file.ts'
import { isSize, sizeIds } from './sizes.ts'

/** The management port: clock, reset, mutants, limits, keys, journal, contexts. JSON; loopback only by default. */

/**
 * Why a caller is refused, or undefined. A web page in a browser on this machine reaches loopback as well: it sends an
 * Origin, or after DNS rebinding a Host that anyone could register.
 */
const refusalOf = (c: Context): string | undefined => {
  if (c.req.header('origin') !== undefined) return 'web pages may not call the management port'
  const host = (c.req.header('host') ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const ours = host === '' || isIP(host) !== 0 || !host.includes('.') || localName.test(host)
  return ours ? undefined : `Host: expected an address or a local name, received ${host}`
}

const localName = /\.(?:localhost|local|internal|test)$/i

const timeOf = ({ clock }: Service) => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.isFrozen(),
})

/** Adds a group of calls to the management app. */
type Calls = (app: Hono, service: Service, control: Control) => void

const stateCalls: Calls = (app, service, control) => {
  const { clock, journal, limits } = service
  app.get('/', (c) =>
    c.json({
      version,
      url: service.publicUrl,
      seed: control.seed ?? null,
      dialect: service.dialect.id,
      environment: service.environment.id,
      limits: limits.option(),
      clock: timeOf(service),
      mutants: control.installed,
      counts: Object.fromEntries(
        Object.entries(service.state).map(([name, table]) => [name, table.size()]),
      ),
      waiting: clock.waiting(),
      threads: {
        up: service.verifier?.up() ?? 0,
        verdicts: service.verifier?.taken() ?? 0,
      },
      journal: journal.last(),
    }),
  )

  app.post('/reset', (c) => {
    control.reset()
    journal.add('management', { reset: true })
    return c.json({ reset: true, ...timeOf(service) })
  })
}

const clockCalls: Calls = (app, service) => {
  const { clock, journal } = service
  /** Completes what is due, other threads included, so that it belongs to the time before or after the clock is set. */
  const catchUp = async (): Promise<void> => {
    await clock.settle()
    await service.verifier?.idle()
    await clock.settle()
  }
  app.put('/clock', async (c) => {
    const body = await objectOf(c)
    const { set, advance, freeze } = body
    if (set === undefined && advance === undefined && freeze === undefined) {
      throw new Unfit(`expected set, advance or freeze, ${received(body)}`)
    }
    if (freeze !== undefined && typeof freeze !== 'boolean')
      throw new Unfit(`freeze: expected true or false, ${received(freeze)}`)
    const to = set === undefined ? undefined : instantOf(set)
    const by = advance === undefined ? undefined : durationOf('advance', advance)
    if (by !== undefined && !isInstant((to ?? clock.now()) + by))
      throw new Unfit(`advance: expected to stay before 2200, ${received(advance)}`)
    await catchUp()
    if (freeze === true) clock.freeze(true)
    if (to !== undefined) await clock.set(to)
    if (by !== undefined) await clock.advance(by)
    await catchUp()
    if (freeze === false) clock.freeze(false)
    journal.add('management', { clock: body, ...timeOf(service) })
    return c.json(timeOf(service))
  })
}

const mutantCalls: Calls = (app, { journal }, control) => {
  app.put('/mutants/:id{.+}', async (c) => {
    const id = decodeURIComponent(c.req.param('id'))
    if (!(await control.install(id))) return c.json({ error: `no mutant is called ${id}` }, 404)
    journal.add('management', { mutants: control.installed })
    return c.json({ mutants: control.installed })
  })
  app.delete('/mutants', (c) => {
    control.uninstall()
    journal.add('management', { mutants: [] })
    return c.json({ mutants: [] })
  })
  app.put('/usage', (c) => {
    control.record()
    return c.json({ used: [] })
  })
  app.get('/usage', (c) => c.json({ used: control.used() }))
}

const workCalls: Calls = (app, { journal }, control) => {
  app.post('/endings', async (c) => {
    const { lifecycle, code, subject } = await objectOf(c)
    if (!isFailing(lifecycle))
      throw new Unfit(
        `lifecycle: expected one of ${failingLifecycles.join(', ')}, ${received(lifecycle)}`,
      )
    const codes = failuresOf(lifecycle)
    if (typeof code !== 'number' || !codes.includes(code))
      throw new Unfit(`code: expected one of ${codes.join(', ')}, ${received(code)}`)
    if (subject !== undefined && typeof subject !== 'string')
      throw new Unfit(`subject: expected a reference number, ${received(subject)}`)
    control.endNext(lifecycle, code, subject)
    journal.add('management', { next: lifecycle, code, subject })
    return c.json({ lifecycle, code, subject })
  })
  app.put('/delays', async (c) => {
    const delays = await objectOf(c)
    for (const [kind, by] of Object.entries(delays)) {
      if (!isDelayed(kind))
        throw new Unfit(`expected some of ${delayedKinds.join(', ')}, ${received(kind)}`)
      durationOf(kind, by)
    }
    for (const [kind, by] of Object.entries(delays))
      if (isDelayed(kind)) control.delay(kind, durationOf(kind, by))
    journal.add('management', { delays })
    return c.json(delays)
  })
}

const sizeCalls: Calls = (app, { journal }, { sizes }) => {
  app.put('/sizes', async (c) => {
    const wanted = await objectOf(c)
    const fit = Object.entries(wanted).map(([id, value]) => {
      if (!isSize(id)) throw new Unfit(`expected some of ${sizeIds.join(', ')}, ${received(id)}`)
      return [id, sizeOf(id, value)] as const
    })
    for (const [id, value] of fit) sizes.set(id, value)
    journal.add('management', { sizes: wanted })
    return c.json(wanted)
  })
  app.delete('/sizes', (c) => {
    sizes.clear()
    journal.add('management', { sizes: {} })
    return c.json({})
  })
}

const limitCalls: Calls = (app, { journal, limiter, limits }) => {
  app.put('/limits', async (c) => {
    limits.use(limitsOf(await bodyOf(c)))
    limiter.clear()
    journal.add('management', { limits: limits.option() })
    return c.json({ limits: limits.option() })
  })
}

const keyCalls: Calls = (app, service) => {
  app.post('/keys/rotate', async (c) => {
    const body = await objectOf(c)
    if (body['usage'] !== 'SvcTokenEncryption' && body['usage'] !== 'SymmetricKeyEncryption') {
      throw new Unfit(
        `usage: expected SvcTokenEncryption or SymmetricKeyEncryption, ${received(body['usage'])}`,
      )
    }
    const overlap = body['overlap'] === undefined ? 0 : durationOf('overlap', body['overlap'])
    const made = await service.keys.rotate(
      service.policy,
      body['usage'] satisfies KeyUsage,
      overlap,
      service.clock.now(),
    )
    service.journal.add('management', {
      rotated: body['usage'],
      overlap,
      publicKeyId: made.publicKeyId,
    })
    return c.json({
      usage: made.usage,
      certificate: made.certificate,
      certificateId: made.certificateId,
      publicKeyId: made.publicKeyId,
      validFrom: new Date(made.validFrom).toISOString(),
      validTo: new Date(made.validTo).toISOString(),
    })
  })
}

const journalCalls: Calls = (app, { journal }) => {
  app.get('/journal', (c) => {
    const after = Number(c.req.query('after') ?? 0)
    if (!Number.isInteger(after) || after < 0) throw new Unfit('after: expected a sequence number')
    c.header('content-type', 'application/x-ndjson')
    const lines = journal
      .after(after)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('')
    if (c.req.query('follow') !== 'true') return c.body(lines)
    return stream(c, async (out) => {
      await out.write(lines)
      await new Promise<void>((resolve) => {
        const stop = journal.follow((entry) => void out.write(`${JSON.stringify(entry)}\n`))
        out.onAbort(() => {
          stop()
          resolve()
        })
      })
    })
  })
}

const contextCalls: Calls = (app, { journal }, control) => {
  app.post('/contexts', async (c) => {
    const body = (await objectOf(c)) as Seed
    const wrong = contextFaults(body)
    if (wrong.length > 0) throw new Unfit(wrong.join('; '))
    const context = await control.createContext(body)
    journal.add('management', { context: context.value })
    return c.json(context, 201)
  })
}

/** The management app over a service. */
export const createManagement = (service: Service, control: Control): Hono => {
  const app = new Hono()
  app.use(async (c, next) => {
    const refused = refusalOf(c)
    return refused === undefined ? next() : c.json({ error: refused }, 403)
  })
  app.onError((error, c) => {
    if (error instanceof Unfit) return c.json({ error: error.message }, 400)
    service.journal.add('broken', { management: c.req.path, error: error.stack })
    return c.json({ error: 'the call failed' }, 500)
  })
  app.notFound((c) => c.json({ error: 'no such call' }, 404))
  for (const add of [
    stateCalls,
    clockCalls,
    mutantCalls,
    workCalls,
    sizeCalls,
    limitCalls,
    keyCalls,
    journalCalls,
    contextCalls,
  ]) {
    add(app, service, control)
  }
  return app
}
