import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

/** The custom resource of k6-operator, as its own Go module defines it. */

const operator = 'github.com/grafana/k6-operator@v0.0.19'
/** Checksum of the module, as in go.sum. */
const sum = 'h1:9qEoO5bo7/Cc6DxbYE9uKHThDgJdl4eaEhC+s8dmrVk='

/** @returns folder of the module, or why there is none */
const download = async (): Promise<{ readonly folder: string } | { readonly missing: string }> => {
  try {
    const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', operator], {
      cwd: tmpdir(),
      timeout: 60_000,
    })
    const { Dir, Sum } = JSON.parse(stdout) as { Dir: string; Sum: string }
    if (Sum !== sum) throw new Error(`${operator} has the sum ${Sum}, expected ${sum}`)
    return { folder: Dir }
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string }
    if (code === undefined) throw error
    return {
      missing: `${operator} cannot be had: ${code === 'ENOENT' ? 'Go is not installed' : (stdout ?? '')}`,
    }
  }
}

type Schema = Record<string, unknown>

/** A field that a cluster does not know, and would drop silently, is an error here. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema as Schema)
    .filter(([key]) => key !== 'description' && key !== 'format')
    .map(([key, value]): [string, unknown] =>
      key === 'properties'
        ? [
            key,
            Object.fromEntries(
              Object.entries(value as Schema).map(([name, one]) => [name, closed(one)]),
            ),
          ]
        : [key, closed(value)],
    )
  const isClosed = 'properties' in schema && !('additionalProperties' in schema)
  const isInteger = 'x-kubernetes-int-or-string' in schema
  return Object.fromEntries([
    ...entries.filter(([key]) => !(isInteger && key === 'pattern')),
    ...(isClosed ? [['additionalProperties', false]] : []),
  ])
}

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string
      readonly schema: { readonly openAPIV3Schema: AnySchema }
    }[]
  }
}

/** Validates objects of the kind TestRun; a reason where the module is not available. */
export const testRunValidator = async (): Promise<
  ValidateFunction | { readonly missing: string }
> => {
  const module = await download()
  if ('missing' in module) return module
  const file = path.join(module.folder, 'config/crd/bases/k6.io_testruns.yaml')
  const { spec } = parse(readFileSync(file, 'utf8')) as Definition
  const version = spec.versions.find(({ name }) => name === 'v1alpha1')
  if (version === undefined) throw new Error(`${file} has no version v1alpha1`)
  const schema = closed(version.schema.openAPIV3Schema) as {
    properties: { metadata: AnySchema }
  }
  // The cluster itself defines the metadata of every object.
  schema.properties.metadata = { type: 'object' }
  return new Ajv({ strict: false, allErrors: true }).compile(schema as AnySchema)
}
