import { createRng } from '../../../lib/random.ts'

/** Replacements for values that are opaque to their receivers: tokens, places in a list, addresses. */
export interface Opaque {
  /** The replacement of a value; the same one each time. */
  readonly hide: (value: string, kind: OpaqueKind) => string
  /** A new replacement each time; all of them stand for the value. */
  readonly hideAnew: (value: string, kind: OpaqueKind) => string
  /** The value behind a replacement; the word itself if it replaces nothing. */
  readonly reveal: (word: string) => string
}

export type OpaqueKind = 'token' | 'continuation' | 'address'

const alphabets: Readonly<Record<OpaqueKind, readonly string[]>> = {
  // The characters that are allowed after Bearer.
  token: [
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/',
    '0123456789abcdef',
  ],
  continuation: ['ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '0123456789', '0123456789{":,}[] abc;=%'],
  address: ['0123456789abcdef', 'ABCDEFGHJKLMNPQRSTUVWXYZ-_~.'],
}
const lengths: Readonly<Record<OpaqueKind, readonly (readonly [number, number])[]>> = {
  token: [
    [24, 40],
    [1200, 1800],
  ],
  continuation: [
    [12, 20],
    [300, 900],
  ],
  address: [[20, 80]],
}

/** Words drawn from a seed. */
export const createOpaque = (seed: number): Opaque => {
  const rng = createRng(`opaque ${seed}`)
  const words = new Map<string, string>()
  const values = new Map<string, string>()
  const forms = Object.fromEntries(
    (Object.keys(alphabets) as OpaqueKind[]).map((kind) => [
      kind,
      { alphabet: rng.pick(alphabets[kind]), length: rng.pick(lengths[kind]) },
    ]),
  ) as Record<OpaqueKind, { alphabet: string; length: readonly [number, number] }>
  const draw = (kind: OpaqueKind): string => {
    const { alphabet, length } = forms[kind]
    // White space at the ends of a header would be lost.
    return `0${Array.from({ length: rng.int(...length) }, () => alphabet.charAt(rng.int(0, alphabet.length - 1))).join('')}0`
  }
  const hideAnew = (value: string, kind: OpaqueKind): string => {
    const word = draw(kind)
    values.set(word, value)
    return word
  }
  return {
    hide(value, kind) {
      const word = words.get(`${kind} ${value}`) ?? hideAnew(value, kind)
      words.set(`${kind} ${value}`, word)
      return word
    },
    hideAnew,
    reveal: (word) => values.get(word) ?? word,
  }
}
