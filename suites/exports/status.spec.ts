import { limits } from '../../contract/limits.ts'
import { callPart, createExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { expectOk } from '../../lib/outcome.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { statedIn } from '../support/answers/meaning.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import { accept, reported } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const lifetime = limits['exports.packageLifetime'].value * 1000

test(
  ...rule('exports.status.moves-forward', 'to completion'),
  async ({ open, login, invoice, clock }) => {
    const { api, session } = await open()
    await accept({ api, session }, invoice().bytes)
    const started = await createExport(api, { filters: issuedAround(clock.now()) })
    const settled = await settleExport(api, started)
    const codes = settled.exchanges.map(({ body }) => statusOf(body)?.code ?? 0)
    expect(codes).toMoveAlong('export')
    expect(settled).toHaveSucceeded('export')
    const path = { referenceNumber: started.referenceNumber }
    for (let look = 0; look < 3; look += 1)
      codes.push(statusOf((await api.call('exports.status', { path })).body)?.code ?? 0)
    // By another login of the caller too.
    const look = await (await login()).api.call('exports.status', { path })
    expect(look, 'asked by another login').toBeOk()
    codes.push(statusOf(look.body)?.code ?? 0)
    expect(codes).toMoveAlong('export')
  },
)

test(
  ...rule('exports.status.moves-forward', 'to completion, asked for again'),
  async ({ open, login, invoice, clock }) => {
    const desk = await open()
    await accept(desk, invoice().bytes)
    const filters = issuedAround(clock.now())
    const [first, other] = [drawSecret(), drawSecret()]
    const { referenceNumber } = await createExport(desk.api, { filters, secret: first })
    await settleExport(desk.api, { referenceNumber })
    const path = { referenceNumber }
    const look = async () => statedIn(await desk.api.call('exports.status', { path }), 'look')
    const before = await look()
    const again = await login()
    for (const [what, api, secret] of [
      ['with an equal request', desk.api, first],
      ['by another login of the caller', again.api, first],
      ['with another key', desk.api, other],
    ] as const) {
      const started = await createExport(api, { filters, secret })
      expect(started.referenceNumber, `a reference of its own, ${what}`).not.toBe(referenceNumber)
      expect(await look(), `the first while another is in progress, ${what}`).toEqual(before)
      await settleExport(api, started)
      expect(await look(), `the first when the other is ready, ${what}`).toEqual(before)
    }
  },
)

test(...rule('exports.status.moves-forward', 'in progress'), async ({ login, clock }) => {
  await clock.still()
  const { api } = await login()
  const { referenceNumber } = await createExport(api, { filters: issuedAround(clock.now()) })
  const look = await api.call('exports.status', { path: { referenceNumber } })
  expect(look).toBeOk()
  expect(reported(look), 'a new export').toBeInState('export', 100)
})

test(
  ...rule('exports.status.moves-forward', 'to expiry, asked for again'),
  async ({ login, clock }) => {
    const me = await login()
    const [filters, secret] = [issuedAround(clock.now()), drawSecret()]
    const { referenceNumber } = await createExport(me.api, { filters, secret })
    await settleExport(me.api, { referenceNumber })
    await clock.advance(lifetime + 1_000)
    const { api } = await login({ context: me.context })
    const look = async () => {
      const answer = await api.call('exports.status', { path: { referenceNumber } })
      return statusOf(expectOk(answer, 'look at the export').body)?.code
    }
    const ended = await look()
    for (const wish of [
      { filters, secret },
      { filters, secret: drawSecret() },
    ]) {
      const again = await createExport(api, wish)
      expect(await look(), 'the first as another is begun').toBe(ended)
      await settleExport(api, again)
      expect(await look(), 'the first when the other is ready').toBe(ended)
    }
  },
)

test(
  ...rule('exports.status.moves-forward', 'to expiry'),
  async ({ open, login, invoice, clock }) => {
    const desk = await open()
    const { api } = desk
    const { svcNumber } = await accept(desk, invoice().bytes)
    const filters = issuedAround(clock.now())
    await findAll(api, filters, [svcNumber])
    const started = await createExport(api, { filters })
    const settled = await settleExport(api, started)
    const codes = settled.exchanges.map(({ body }) => statusOf(body)?.code ?? 0)
    const path = { referenceNumber: started.referenceNumber }
    for (const wait of [lifetime, 3600_000]) {
      await clock.advance(wait)
      const later = (await login()).api
      const look = async () => {
        const answer = expectOk(await later.call('exports.status', { path }), 'look at the export')
        codes.push(statusOf(answer.body)?.code ?? 0)
      }
      await look()
      // Following a link that has ended changes nothing.
      for (const part of exportParts(settled)) await callPart(later, part)
      await later.sleep(2_000)
      await look()
    }
    expect(codes).toMoveAlong('export')
  },
)
