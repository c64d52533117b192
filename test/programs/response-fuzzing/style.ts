import { createRng } from '../../../lib/random.ts'
import type { Rng } from '../../../lib/random.ts'

/**
 * How an answer may differ from another one that says the same: one way for each operation, drawn from the seed, so
 * that a run is the same whatever the order of its calls.
 */
export interface Style {
  /** Spaces, line ends and escapes of JSON. */
  readonly json: 'tight' | 'indented' | 'windows' | 'escaped'
  /** Case of the names of headers. */
  readonly names: 'lower' | 'upper' | 'title'
  /** Value of Content-Type, for a media type. */
  readonly media: (type: string) => string
  /** In pieces instead of with a length. */
  readonly chunked: boolean
  /** The connection ends with the answer. */
  readonly closes: boolean
  /** Instants: in UTC, or with an offset of this many minutes. */
  readonly offset: 'Z' | number
  /** Fraction of a second: as short as it can be, or as long as it may. */
  readonly fraction: 'short' | 'long'
  /** Fields that may be null or absent. */
  readonly empty: 'null' | 'absent'
  /** Whether an address is the same each time, or a new one that leads to the same. */
  readonly address: 'same' | 'new'
  /** The certificate of a key. */
  readonly certificate: 'base64' | 'pem'
  /** The refresh token as a plain string, or as an object with its expiry. */
  readonly refreshToken: 'string' | 'object'
  /** Place among the statuses and codes that a refusal may have. */
  readonly refusal: number
  readonly words: (rng: Rng, code: unknown) => string
}

/** Of a failure: it gives a reason, which is not what is said of work that is pending or went well. */
const spokenOfFailures: readonly string[] = [
  'Żądanie nie może zostać przyjęte: „sprawdź dane”',
  'see the documentation',
  'E_0x80070057 \\ "quoted"',
  '200 or 440 or anything, said at 2026-06-15T08:00:00Z',
]
const spoken: readonly string[] = ['Gotowe.', 'OK', '状態', '440: nothing to say']

const medias: readonly ((type: string) => string)[] = [
  (type) => type,
  (type) => `${type}; charset=utf-8`,
  (type) => `${type.toUpperCase()};Charset="UTF-8"`,
]

/** The style of an operation in the run of a seed. */
export const styleOf = (seed: number, operation: string): Style => {
  const rng = createRng(`style ${seed} ${operation}`)
  return {
    json: rng.pick(['tight', 'indented', 'windows', 'escaped'] as const),
    names: rng.pick(['lower', 'upper', 'title'] as const),
    media: rng.pick(medias),
    chunked: rng.int(0, 1) === 1,
    closes: rng.int(0, 7) === 0,
    offset: rng.pick(['Z', 0, 120, -300, 345] as const),
    fraction: rng.pick(['short', 'long'] as const),
    empty: rng.pick(['null', 'absent'] as const),
    address: rng.pick(['same', 'new'] as const),
    certificate: rng.pick(['base64', 'pem'] as const),
    refreshToken: rng.pick(['object', 'string'] as const),
    refusal: rng.int(0, 5),
    words: (words, code) => words.pick(Number(code) >= 400 ? spokenOfFailures : spoken),
  }
}

/** The same instant, written otherwise. */
export const instantIn = ({ offset, fraction }: Style, text: string): string => {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return text
  const minutes = offset === 'Z' ? 0 : offset
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1)
  const digits = local.slice(local.indexOf('.') + 1).replace(/0+$/, '')
  const short = digits === '' ? '' : `.${digits}`
  const two = (value: number) => String(value).padStart(2, '0')
  const zone =
    offset === 'Z'
      ? 'Z'
      : `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
  return `${local.slice(0, local.indexOf('.'))}${fraction === 'short' ? short : `.${digits.padEnd(7, '0')}`}${zone}`
}

const escaped = (text: string): string =>
  text.replace(/[/\u007f-\uffff]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The same JSON value, written otherwise. */
export const jsonIn = ({ json }: Style, value: unknown): string => {
  switch (json) {
    case 'tight':
      return JSON.stringify(value)
    case 'indented':
      return `${JSON.stringify(value, undefined, 3)}\n`
    case 'windows':
      return `\r\n${JSON.stringify(value, undefined, '\t').replaceAll('\n', '\r\n')}\r\n`
    case 'escaped':
      // No slash stands outside a string.
      return escaped(JSON.stringify(value))
  }
}

/** The name of a header in the style's case. */
export const headerIn = ({ names }: Style, name: string): string =>
  names === 'lower'
    ? name.toLowerCase()
    : names === 'upper'
      ? name.toUpperCase()
      : name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
