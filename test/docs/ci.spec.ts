import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { parse as parseYaml } from 'yaml'
import { parse } from '../../cli/parse.ts'
import { projectRoot } from '../sources.ts'

/** The templates for CI servers: every `assay` command in them is one that this version has. */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

const folder = path.join(root, 'examples/ci')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yml'),
)

/** Every text of a document, whatever holds it. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

/** The words behind `npx assay`, with something in place of each variable. */
const commandsOf = (text: string): string[][] =>
  text
    .split('\n')
    .flatMap((line) => /^npx assay (.*)$/.exec(line.trim())?.[1] ?? [])
    .map((line) => line.replaceAll(/\$\{\{[^}]*\}\}|\$\w+/g, '1').split(/\s+/))

for (const file of files)
  test(`${file}: every command exists in assay`, async () => {
    const document: unknown = parseYaml(readFileSync(path.join(folder, file), 'utf8'))
    const commands = textsOf(document).flatMap(commandsOf)
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands)
      expect(
        await parse(command).catch((error: unknown) => error),
        command.join(' '),
      ).not.toBeInstanceOf(Error)
  })

/** Validators of others, where they are installed: `pip install check-jsonschema`, and actionlint with Go. */
const validators: readonly (readonly [tool: string, ...args: string[]])[] = [
  ['actionlint', ...files.filter((file) => file.startsWith('github'))],
  ['check-jsonschema', '--builtin-schema', 'vendor.gitlab-ci', 'gitlab-ci.yml'],
]

for (const [tool, ...args] of validators)
  test(`${tool} finds nothing wrong`, () => {
    const reason = `${tool} is not installed`
    test.skip(spawnSync(tool, ['--version']).status !== 0, reason)
    const { status, stdout, stderr } = spawnSync(tool, args, { cwd: folder, encoding: 'utf8' })
    expect(`${stdout}${stderr}`).not.toMatch(/error/i)
    expect(status).toBe(0)
  })

test('the container starts the reference with options of this version', async () => {
  const text = readFileSync(path.join(root, 'examples/docker/Dockerfile'), 'utf8')
  const lists = [...text.matchAll(/^(?:ENTRYPOINT|CMD) (\[.*\])$/gm)].map(
    ([, list = '']) => JSON.parse(list) as string[],
  )
  const [npx, assay, ...command] = lists.flat()
  expect([npx, assay]).toEqual(['npx', 'assay'])
  expect(await parse(command).catch((error: unknown) => error)).not.toBeInstanceOf(Error)
})
