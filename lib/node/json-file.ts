import { readFileSync } from 'node:fs'
import { findNodeAtLocation, parseTree, printParseErrorCode, getNodeValue } from 'jsonc-parser'
import type { Node, ParseError } from 'jsonc-parser'
import { standaloneCheck } from './schema.ts'

/** A JSON file cannot be read or is not valid; the message names file, line and key. */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError'
}

export interface JsonFile {
  readonly path: string
  /** For example `a target profile`. */
  readonly what: string
  readonly schema: object
}

/**
 * Reads a JSON file, comments and trailing commas allowed, and checks it against a schema.
 * @throws {JsonFileError} when it cannot be read, is not JSON, or violates the schema: each problem with its line
 */
export function readJsonFile({ path, what, schema }: JsonFile): unknown {
  const text = textOf(path)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (tree === undefined || first !== undefined) {
    const problem = first === undefined ? 'the file is empty' : sentence(first)
    throw new JsonFileError(
      `${path}:${lineAt(text, first?.offset ?? 0)}: expected JSON, ${problem}`,
    )
  }
  const value: unknown = getNodeValue(tree)
  const problems = standaloneCheck(schema)(value).map(
    ({ pointer, message }) =>
      `  line ${lineAt(text, offsetOf(tree, pointer))}: ${keyOf(pointer)} ${message}`,
  )
  if (problems.length > 0)
    throw new JsonFileError(`${path} is not ${what}:\n${[...new Set(problems)].join('\n')}`)
  return value
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new JsonFileError(`${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** "PropertyNameExpected" -> "property name expected". */
const sentence = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const segmentsOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))

const keyOf = (pointer: string): string =>
  pointer === '' ? 'the file' : segmentsOf(pointer).join('.')

/** The offset of the value at a pointer, or of the innermost existing object or list around it. */
const offsetOf = (tree: Node, pointer: string): number => {
  const segments = segmentsOf(pointer)
  for (let length = segments.length; length > 0; length -= 1) {
    const found = findNodeAtLocation(tree, segments.slice(0, length))
    if (found !== undefined)
      return found.parent?.type === 'property' ? found.parent.offset : found.offset
  }
  return tree.offset
}
