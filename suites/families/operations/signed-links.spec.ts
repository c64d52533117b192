import { callUpload, openBatch } from '../../../lib/flows/batch.ts'
import { callReceiptLink, receiptPages } from '../../../lib/flows/receipt.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { inOnePart, only, packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, finish } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Links work only as they were issued: with any character of their signature or expiry changed they are refused. */

/** The next letter or digit, never the same letter in another case. */
const next = (character: string): string =>
  /[zZ9]/.test(character) ? '5' : String.fromCodePoint((character.codePointAt(0) ?? 0) + 1)

/** Copies of an address, each with one letter or digit changed in its opaque part. */
const changedLinks = (url: string): readonly string[] => {
  const { pathname, search } = new URL(url)
  const begin =
    search === '' ? url.length - (pathname.split('/').at(-1)?.length ?? 0) : url.indexOf('?') + 1
  // The last characters of Base64 may carry bits that are not used.
  const places = Array.from({ length: url.length - 5 - begin }, (_, at) => begin + at)
  return places
    .filter((at) => /[a-z0-9]/i.test(url[at] ?? '') && !/[?&][^=]*$/.test(url.slice(0, at)))
    .map((at) => url.slice(0, at) + next(url[at] ?? '') + url.slice(at + 1))
}

const expectOnlyAsGiven = async (
  url: string | undefined,
  follow: (url: string) => Promise<Exchange>,
): Promise<void> => {
  if (url === undefined) throw new Inconclusive('read a link', 'a link')
  expect(await follow(url), 'the link as it was given').toBeOk()
  for (const changed of changedLinks(url))
    expect(await follow(changed), `${changed}, instead of ${url}`).toBeClientError()
}

for (const of of ['invoice', 'session'] as const)
  test(
    ...familyRule('receipts.link.expires', 'changed link', `receipt of an ${of}`),
    async ({ open, invoice }) => {
      const desk = await open()
      const { receiptUrl } = await accept(desk, invoice().bytes)
      const [page] = receiptPages(await finish(desk))
      const url = of === 'invoice' ? receiptUrl : String(page?.downloadUrl)
      await expectOnlyAsGiven(url, (changed) => callReceiptLink(desk.api, changed))
    },
  )

test(
  ...familyRule('sessions.batch.part-checked', 'changed link', 'upload of a part'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const made = await packed([invoice()], inOnePart)
    const { uploads } = await openBatch(api, made, { formCode: formCodes.fa3 })
    const [upload, part] = [only(uploads), only(made.parts)]
    const follow = (url: string) => callUpload(api, { ...upload, url }, part.bytes)
    await expectOnlyAsGiven(upload.url, follow)
    const [changed = ''] = changedLinks(upload.url)
    expect(await follow(changed), 'a changed link').toBeRefused('link-refused')
  },
)
