import type { Client } from '../../lib/client.ts'
import { callPart, createExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, reported } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const minute = 60_000

test(...rule('exports.isolated', 'status'), async ({ login, another, clock }) => {
  const { api } = await login()
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const path = { referenceNumber: started.referenceNumber }
  const other = await login({ context: await another() })
  expect(await other.api.call('exports.status', { path })).toBeRefused('export-unknown')
  expect(await api.call('exports.status', { path }), 'for its own context').toBeOk()
})

test(...rule('exports.isolated', 'once expired'), async ({ login, another, clock }) => {
  const { api } = await login()
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const path = { referenceNumber: started.referenceNumber }
  const { body } = await settleExport(api, started)
  const context = await another()
  for (const at of [clock.now(), Date.parse(String(body['packageExpirationDate'])) + minute]) {
    await clock.set(at)
    const other = await login({ context })
    expect(await other.api.call('exports.status', { path })).toBeRefused('export-unknown')
  }
  const own = await (await login()).api.call('exports.status', { path })
  expect(reported(own), 'for its own context').toBeInState('export', 210)
})

test(...rule('exports.isolated', 'content'), async ({ open, invoice, login, another, clock }) => {
  const desk = await open()
  await accept(desk, invoice({ buyer: '5265877635' }).bytes)
  const other = await login({ context: await another() })
  const started = await createExport(other.api, { filters: issuedAround(clock.now()) })
  const settled = await settleExport(other.api, started)
  expect(settled.body, 'an export of a context without invoices').toMatchObject({
    package: { invoiceCount: 0 },
  })
})

test(...rule('exports.isolated', 'modified link'), async ({ open, invoice, clock }) => {
  const { api, session } = await open()
  await accept({ api, session }, invoice().bytes)
  const started = await createExport(api, { filters: issuedAround(clock.now()) })
  const [part] = exportParts(await settleExport(api, started))
  expect(part, 'a part of the package').toBeDefined()
  if (part === undefined) return
  const url = part.url.replace(
    /(sig=)(.)/,
    (_, name: string, first: string) => name + (first === 'A' ? 'B' : 'A'),
  )
  const changed = url === part.url ? `${part.url}x` : url
  expect(await callPart(api, { ...part, url: changed })).toBeRefused('link-refused')
})

test(
  ...rule('exports.isolated', 'foreign signature'),
  async ({ open, invoice, login, another, clock }) => {
    const { api, session } = await open()
    await accept({ api, session }, invoice().bytes)
    const other = await login({ context: await another() })
    const partOf = async (client: Client) => {
      const started = await createExport(client, { filters: issuedAround(clock.now()) })
      const [part] = exportParts(await settleExport(client, started))
      if (part === undefined) throw new Inconclusive('export', 'a part of the package')
      return part
    }
    const [mine, theirs] = [await partOf(api), await partOf(other.api)]
    const url = new URL(mine.url)
    test.skip(url.search === '', 'the links have no signature')
    url.search = new URL(theirs.url).search
    const answer = await callPart(other.api, { ...theirs, url: url.href })
    expect(answer, 'the package of one context with the key of another').toBeRefused('link-refused')
  },
)

/** The next letter or digit, never the same letter in another case. */
const next = (character: string): string =>
  character === 'z' || character === 'Z' || character === '9'
    ? '5'
    : String.fromCodePoint((character.codePointAt(0) ?? 0) + 1)

test(...rule('exports.isolated', 'modified signature'), async ({ open, invoice, clock }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const filters = issuedAround(clock.now())
  const [part] = exportParts(
    await settleExport(desk.api, await createExport(desk.api, { filters })),
  )
  if (part === undefined) throw new Inconclusive('read the package', 'a part')
  expect(await callPart(desk.api, part), 'the unmodified link').toBeOk()
  // The last characters of Base64 may carry unused bits, and an escape sequence encodes one of them.
  const places = Array.from(part.url.matchAll(/(?<=[?&][^=&]*=)[^&]*/g), ({ 0: value, index }) =>
    Array.from(value.slice(0, -5), (_, at) => index + at),
  ).flat()
  const letters = places.filter((at) => /[a-z0-9]/i.test(part.url[at] ?? ''))
  test.skip(letters.length === 0, 'the links have no signature in their query')
  for (const at of letters.slice(0, 60)) {
    const url = part.url.slice(0, at) + next(part.url[at] ?? '') + part.url.slice(at + 1)
    const answer = await callPart(desk.api, { ...part, url })
    expect(answer, `character ${at} of the link changed`).toBeClientError()
  }
})
