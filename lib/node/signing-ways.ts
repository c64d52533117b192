import type { VariantOf, VariantText } from '../../contract/rules.ts'
import { authRequestXml } from './auth-request.ts'
import type { ForgerySource } from './forgery.ts'
import { signXades } from './xades.ts'
import type { Flaws, SignOptions } from './xades.ts'
import { exclusive, inclusive, inclusive11 } from './xmldsig.ts'

/** Ways to sign a request that services accept, each with another transform or canonicalization. */

export interface Way {
  readonly name: VariantOf<'auth.signature.transforms'> | 'enveloped'
  readonly options: Partial<SignOptions>
  /** Further namespace declarations at the root of the request. */
  readonly declarations?: string
}

const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

/** The ways, by the transform that each adds. */
export const ways: readonly (Way & {
  readonly name: VariantOf<'auth.signature.transforms'>
})[] = [
  { name: 'filter2', options: { exclusion: 'filter2' } },
  { name: 'xpath', options: { exclusion: 'xpath' } },
  { name: 'base64', options: { form: 'enveloping', encoded: 'in one line' } },
  { name: 'inclusive', options: { canonicalization: { uri: inclusive } } },
  {
    name: 'inclusive with comments',
    options: { canonicalization: { uri: `${inclusive}#WithComments` } },
  },
  { name: 'inclusive 1.1', options: { canonicalization: { uri: inclusive11 } } },
  {
    name: 'inclusive 1.1 with comments',
    options: { canonicalization: { uri: `${inclusive11}#WithComments` } },
  },
  {
    name: 'exclusive with comments',
    options: { canonicalization: { uri: `${exclusive}WithComments` } },
  },
  {
    name: 'exclusive with prefixes',
    options: { canonicalization: { uri: exclusive, prefixes: ['xsi', 'ds'] } },
    declarations: xsi,
  },
]

/** One of them, in other characters: no other document, so that no forgery of its own. */
export const inLines: (typeof ways)[number] = {
  name: 'base64 in lines',
  options: { form: 'enveloping', encoded: 'in lines' },
}

/** How a signature covers the request: three transforms leave an enveloped one out, the others cover an object. */
export const coverings: Readonly<Record<string, Partial<SignOptions>>> = {
  'enveloped signature': {},
  filter2: { exclusion: 'filter2' },
  xpath: { exclusion: 'xpath' },
  'enveloping signature': { form: 'enveloping' },
  base64: { form: 'enveloping', encoded: 'in one line' },
  [inLines.name]: inLines.options,
}

/**
 * Every canonicalization by a name that begins with the variant it belongs to. A namespace that is declared and not used
 * tells the inclusive ones from the exclusive ones.
 */
export const canonicalWays: readonly (readonly [
  VariantText<'auth.signature.transforms'>,
  Omit<Way, 'name'>,
])[] = [
  ...ways.flatMap(({ name, options }) =>
    options.canonicalization === undefined ? [] : [[name, { options, declarations: xsi }] as const],
  ),
  [
    'inclusive, not named',
    { options: { canonicalization: { uri: inclusive, unnamed: true } }, declarations: xsi },
  ],
  [
    'exclusive with prefixes, and with comments',
    {
      options: {
        canonicalization: { uri: `${exclusive}WithComments`, prefixes: ['xsi', 'ds'] },
      },
      declarations: xsi,
    },
  ],
]

/** A request before it is signed. */
export const requestOf = (
  { challenge, context }: Pick<ForgerySource, 'challenge' | 'context'>,
  declarations = '',
): string =>
  authRequestXml({ challenge, context, subjectIdentifierType: 'certificateSubject' }).replace(
    '<AuthTokenRequest ',
    `<AuthTokenRequest${declarations} `,
  )

/** A request signed in one of the ways. */
export const signedBy = (
  { options, declarations }: Omit<Way, 'name'>,
  source: Pick<ForgerySource, 'challenge' | 'context' | 'credentials' | 'signingTime'>,
  flaws?: Flaws,
): string =>
  signXades(requestOf(source, declarations), {
    credentials: source.credentials,
    signingTime: source.signingTime,
    ...options,
    ...(flaws === undefined ? {} : { flaws }),
  })
