import { request } from './detached-forgeries.ts'
import type { Forgery, ForgerySource } from './forgery.ts'
import { entityBomb } from './hostile-xml.ts'
import { intoSignature, objectXml } from './signature-markup.ts'
import { signXades } from './xades.ts'
import type { SignOptions } from './xades.ts'

/** Requests whose XML attacks the parser: in either form of signature, and within the text that a signature encodes. */

const hostile = {
  rule: 'auth.xades.hostile-xml',
  refusedAs: 'document-unreadable',
} as const

const doctype = '<!DOCTYPE AuthTokenRequest>'

const signed = (
  source: ForgerySource,
  more: Partial<SignOptions> = {},
  root = request(source),
): string =>
  signXades(root, { credentials: source.credentials, signingTime: source.signingTime, ...more })

/** The challenge as a reference to an entity. */
const named = (document: string, { challenge }: ForgerySource, entity: string): string => {
  const changed = document.replace(`>${challenge}<`, () => `>&${entity};<`)
  if (changed === document) throw new RangeError('the document has no challenge')
  return changed
}

/** What a type may follow; a search of the beginning alone, or of its first line, does not find it. */
const preambles: Readonly<Record<string, string>> = {
  'a declaration': '<?xml version="1.0" encoding="UTF-8"?>\n',
  'a long comment': `<!-- ${'a comment '.repeat(1000)}-->`,
  'an instruction': '<?xml-stylesheet type="text/css" href="none.css"?>\n\n',
}

/** A correctly signed request in Base64, with something in front of it. */
const encoded =
  (contents: (source: ForgerySource) => string) =>
  (source: ForgerySource): string => {
    const object = Buffer.from(contents(source)).toString('base64')
    return signed(source, { form: 'enveloping', encoded: 'in one line', flaws: { object } })
  }

export const hostileForgeries: readonly Forgery[] = [
  { variant: 'dtd', make: (source: ForgerySource) => doctype + signed(source) },
  {
    variant: 'dtd, enveloping',
    make: (source: ForgerySource) =>
      `<!DOCTYPE ds:Signature>${signed(source, { form: 'enveloping' })}`,
  },
  ...Object.entries(preambles).map(([what, before]) => ({
    variant: `dtd, behind ${what}`,
    make: (source: ForgerySource) => before + doctype + signed(source),
  })),
  { variant: 'dtd, in Base64', make: encoded((source) => doctype + request(source)) },
  {
    variant: 'internal entity',
    make: (source: ForgerySource) =>
      `<!DOCTYPE AuthTokenRequest [<!ENTITY c "${source.challenge}">]>${named(signed(source), source, 'c')}`,
  },
  {
    variant: 'external entity',
    make: (source: ForgerySource) =>
      `<!DOCTYPE AuthTokenRequest [<!ENTITY c SYSTEM "file:///etc/hostname">]>${named(signed(source), source, 'c')}`,
  },
  {
    variant: 'bomb',
    make: (source: ForgerySource) =>
      entityBomb('AuthTokenRequest') + named(signed(source), source, 'j'),
  },
  {
    variant: 'bomb, in Base64',
    make: encoded((source) => entityBomb('AuthTokenRequest') + named(request(source), source, 'j')),
  },
  {
    variant: 'depth',
    make: (source: ForgerySource) =>
      intoSignature(signed(source), objectXml('<a>'.repeat(5000) + '</a>'.repeat(5000))),
  },
].map((one) => ({ ...hostile, ...one }))
