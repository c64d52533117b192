import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { projectRoot } from '../../sources.ts'
import { compile, OWN, PUBLISHED, readOwn, readPublished } from './verdict.ts'

const DOCUMENTS = pathToFileURL(path.join(projectRoot() ?? '.', 'test/documents/'))

/** One of our schemas, the published one that it has to agree with, and documents to start from. */
export interface Pair {
  name: string
  own: string
  published: string
  /** Where the two schemas lie. */
  files: { own: string; published: string }
  root: string
  /** Own documents that are valid by both schemas. */
  seeds: string[]
  /** Documents published with the schema. */
  samples: string[]
}

function seeds(prefix: string): string[] {
  return readdirSync(DOCUMENTS)
    .filter((file) => file.startsWith(prefix))
    .map((file) => readFileSync(new URL(file, DOCUMENTS), 'utf8'))
}

function samples(folder: string): string[] {
  const directory = new URL(`samples/${folder}/`, PUBLISHED)
  return readdirSync(directory).map((file) => readFileSync(new URL(file, directory), 'utf8'))
}

const PATTERN = /(?<=<xsd:pattern value=")[^"]*(?=")/g

/**
 * The published authentication schemas with the patterns as they were meant. XSD has no anchors: `^`
 * and `$` stand for themselves, so that no real NipVatUe or PeppolId matches, and version 2.0 does not
 * compile because of the `\b` in its three patterns of addresses, which version 2.1 has rewritten.
 * @returns the schema and how many patterns had to be changed
 */
export function repairAuthentication(version: '2.0' | '2.1'): { schema: string; repaired: number } {
  const rewritten = readPublished('schemat_auth_v2-1.xsd').match(PATTERN) ?? []
  let index = -1
  let repaired = 0
  const source = version === '2.0' ? 'schemat_auth_v2-0.xsd' : 'schemat_auth_v2-1.xsd'
  const schema = readPublished(source).replace(PATTERN, (pattern) => {
    index += 1
    const meant = pattern.includes('\\b')
      ? (rewritten[index] ?? '')
      : pattern.replace(/^\^|\$$/g, '')
    if (meant !== pattern) repaired += 1
    return meant
  })
  return { schema, repaired }
}

function pair(
  name: string,
  [ownFile, publishedFile]: [own: string, published: string],
  rest: Pick<Pair, 'root' | 'seeds' | 'samples'>,
): Pair {
  return {
    name,
    own: readOwn(ownFile),
    published: readPublished(publishedFile),
    files: {
      own: fileURLToPath(new URL(ownFile, OWN)),
      published: fileURLToPath(new URL(`xsd/${publishedFile}`, PUBLISHED)),
    },
    ...rest,
  }
}

function authenticationPair(version: '2.0' | '2.1'): Pair {
  const file = `schemat_auth_v${version.replace('.', '-')}.xsd`
  return {
    ...pair(`AuthTokenRequest ${version}`, [`auth-token-request-${version}.xsd`, file], {
      root: 'AuthTokenRequest',
      seeds: seeds('auth-').map((xml) => xml.replace('/token/2.1', `/token/${version}`)),
      samples: [],
    }),
    published: repairAuthentication(version).schema,
  }
}

/** All pairs of schemas by their names; making one reads the published files. */
export const pairs: Readonly<Record<string, () => Pair>> = {
  'FA(3)': () =>
    pair('FA(3)', ['fa3.xsd', 'fa/schemat_FA(3)_v1-0E.xsd'], {
      root: 'Faktura',
      seeds: seeds('fa3-'),
      samples: samples('fa3'),
    }),
  'FA(2)': () =>
    pair('FA(2)', ['fa2.xsd', 'fa/schemat_FA(2)_v1-0E.xsd'], {
      root: 'Faktura',
      seeds: seeds('fa2-'),
      samples: samples('fa2'),
    }),
  'AuthTokenRequest 2.0': () => authenticationPair('2.0'),
  'AuthTokenRequest 2.1': () => authenticationPair('2.1'),
  'UPO 4-3': () =>
    pair('UPO 4-3', ['upo-4-3.xsd', 'upo-v4-3.xsd'], {
      root: 'Potwierdzenie',
      seeds: seeds('upo-'),
      samples: samples('upo'),
    }),
}

export function compilePair({ name, own, published }: Pair) {
  const file = name.replace(/\W+/g, '-')
  return { own: compile(own, `own-${file}`), published: compile(published, `published-${file}`) }
}
