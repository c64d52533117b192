import type { Client } from '../../../lib/client.ts'
import { fetchChallenge, tokenLoginBody } from '../../../lib/flows/login.ts'
import { familyRule } from '../../support/checks/rule.ts'
import type { ServiceToken } from '../../support/callers/service-token.ts'
import { outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A service token counts as a whole: with any part of its text changed it is another, which was never issued. */

/** The last letter or digit of a text, replaced. */
const altered = (text: string): string =>
  text.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, (last) => (last === '1' ? '2' : '1'))

const separator = '|'

/** Together with the timestamp the token has to fit into one RSA operation. */
const longest = 170

/** Other texts, by which part of the token they change. A token without separators has one part. */
const changes: Readonly<
  Record<string, (parts: readonly string[]) => readonly (readonly string[])[]>
> = {
  'one part changed': (parts) =>
    parts.map((_, place) => parts.map((part, at) => (at === place ? altered(part) : part))),
  'one part left out': (parts) =>
    parts.length === 1 ? [] : parts.map((_, place) => parts.toSpliced(place, 1)),
  'one part twice': (parts) => parts.map((part, place) => parts.toSpliced(place, 0, part)),
  'parts in another order': (parts) => (parts.length === 1 ? [] : [parts.toReversed()]),
  'a part cut short': (parts) =>
    parts.map((_, place) => parts.map((part, at) => (at === place ? part.slice(0, -1) : part))),
  'a part with more behind it': (parts) =>
    parts.map((_, place) => parts.map((part, at) => (at === place ? `${part}0` : part))),
}

const signIn = async (api: Client, { context: { type, value } }: ServiceToken, token: string) => {
  const request = { context: { type, value }, token }
  const body = await tokenLoginBody(api, request, await fetchChallenge(api))
  return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
}

for (const [what, change] of Object.entries(changes))
  test(
    ...familyRule('auth.token.unusable-refused', 'spelling of a service token', what),
    async ({ api, serviceToken }) => {
      const held = await serviceToken()
      expect(await signIn(api, held, held.token), 'as it is').toHaveSucceeded('authentication')
      const texts = change(held.token.split(separator)).map((parts) => parts.join(separator))
      for (const text of texts.filter((one) => one !== held.token && one.length <= longest))
        expect.soft(await signIn(api, held, text), text.slice(0, 48)).toBeRejected('token-refused')
    },
  )
