import { isIP } from 'node:net'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { rateRules } from '../../contract/limits.ts'
import type { Service } from '../call/service.ts'
import { parseDuration } from '../time/duration.ts'
import { instantExpected, isInstant, parseInstant } from '../base/instants.ts'
import type { KeyUsage } from '../keys/keys.ts'
import type { LimitsOption } from '../rates/limits.ts'
import { contextFaults } from './seed-file.ts'
import type { Seed } from './seed-file.ts'
import type { Control } from './control.ts'
import { version } from '../base/version.ts'

/** The management port: clock, reset, mutants, limits, keys, journal, contexts. JSON; loopback only unless told otherwise. */

class Unfit extends Error {
  override readonly name = 'Unfit'
}

const bodyOf = async (c: Context): Promise<unknown> => {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Unfit('the body is not JSON')
  }
}

const objectOf = async (c: Context): Promise<Readonly<Record<string, unknown>>> => {
  const body = await bodyOf(c)
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Readonly<Record<string, unknown>>
  throw new Unfit(`the body: expected a JSON object, received ${JSON.stringify(body).slice(0, 80)}`)
}

const received = (value: unknown): string => `received ${JSON.stringify(value)}`

const instantOf = (value: unknown): number => {
  const instant = typeof value === 'number' ? value : parseInstant(String(value))
  if (instant === undefined || !isInstant(instant))
    throw new Unfit(`set: expected ${instantExpected}, ${received(value)}`)
  return instant
}

const durationOf = (name: string, value: unknown): number => {
  const ms = typeof value === 'number' ? value : parseDuration(String(value))
  if (ms !== undefined && Number.isSafeInteger(ms) && ms >= 0) return ms
  throw new Unfit(
    `${name}: expected a duration such as PT10M, or whole milliseconds from 0, ${received(value)}`,
  )
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

const limitsOf = (body: unknown): LimitsOption => {
  const option = (body as { limits?: unknown })?.limits ?? body
  if (option === 'production' || option === 'test' || option === 'off') return option
  if (typeof option !== 'object' || option === null) {
    throw new Unfit('expected "production", "test", "off" or a table of thresholds')
  }
  for (const [rule, window] of Object.entries(option as Record<string, Record<string, unknown>>)) {
    if (!(rule in rateRules)) throw new Unfit(`no rate rule is called ${rule}`)
    if (!['perSecond', 'perMinute', 'perHour'].every((name) => isCount(window?.[name]))) {
      throw new Unfit(`${rule}: expected perSecond, perMinute, perHour`)
    }
  }
  return option
}

/**
 * Why a caller is refused, or undefined. A web page in a browser on this machine reaches loopback as well: it names
 * itself by an Origin, and where its own name was pointed at this address, by a Host that somebody could register.
 */
const refusalOf = (c: Context): string | undefined => {
  if (c.req.header('origin') !== undefined) return 'web pages may not call the management port'
  const host = (c.req.header('host') ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const ours = host === '' || isIP(host) !== 0 || !host.includes('.') || localName.test(host)
  return ours ? undefined : `Host: expected an address or a local name, received ${host}`
}

const localName = /\.(?:localhost|local|internal|test)$/i

/** The management app over a service. */
export const createManagement = (service: Service, control: Control): Hono => {
  const { clock, journal, limits, state } = service
  const app = new Hono()
  const time = () => ({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen() })
  const note = (fields: Record<string, unknown>) => journal.add('management', fields)
  /** What is due is done, what other threads have in hand too: it belongs to the time before or behind a turn. */
  const catchUp = async (): Promise<void> => {
    await clock.settle()
    await service.verifier?.idle()
    await clock.settle()
  }

  app.use(async (c, next) => {
    const refused = refusalOf(c)
    return refused === undefined ? next() : c.json({ error: refused }, 403)
  })
  app.onError((error, c) => {
    if (error instanceof Unfit) return c.json({ error: error.message }, 400)
    journal.add('broken', { management: c.req.path, error: error.stack })
    return c.json({ error: 'the call failed' }, 500)
  })
  app.notFound((c) => c.json({ error: 'no such call' }, 404))

  app.get('/', (c) =>
    c.json({
      version,
      seed: control.seed ?? null,
      dialect: service.dialect.id,
      environment: service.environment.id,
      limits: limits.option(),
      clock: time(),
      mutants: control.installed,
      counts: Object.fromEntries(
        Object.entries(state).map(([name, table]) => [name, table.size()]),
      ),
      waiting: clock.waiting(),
      threads: { up: service.verifier?.up() ?? 0, verdicts: service.verifier?.taken() ?? 0 },
      journal: journal.last(),
    }),
  )

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
    note({ clock: body, ...time() })
    return c.json(time())
  })

  app.post('/reset', (c) => {
    control.reset()
    note({ reset: true })
    return c.json({ reset: true, ...time() })
  })

  app.put('/mutants/:id{.+}', (c) => {
    const id = decodeURIComponent(c.req.param('id'))
    if (!control.install(id)) return c.json({ error: `no mutant is called ${id}` }, 404)
    note({ mutants: control.installed })
    return c.json({ mutants: control.installed })
  })
  app.delete('/mutants', (c) => {
    control.uninstall()
    note({ mutants: [] })
    return c.json({ mutants: [] })
  })

  app.put('/limits', async (c) => {
    limits.use(limitsOf(await bodyOf(c)))
    service.limiter.clear()
    note({ limits: limits.option() })
    return c.json({ limits: limits.option() })
  })

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
      clock.now(),
    )
    note({ rotated: body['usage'], overlap, publicKeyId: made.publicKeyId })
    return c.json({
      usage: made.usage,
      certificate: made.certificate,
      certificateId: made.certificateId,
      publicKeyId: made.publicKeyId,
      validFrom: new Date(made.validFrom).toISOString(),
      validTo: new Date(made.validTo).toISOString(),
    })
  })

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

  app.post('/contexts', async (c) => {
    const body = (await objectOf(c)) as Seed
    const wrong = contextFaults(body)
    if (wrong.length > 0) throw new Unfit(wrong.join('; '))
    const context = await control.createContext(body)
    note({ context: context.value })
    return c.json(context, 201)
  })
  return app
}
