import { expect, test } from '@playwright/test'
import { groups } from '../../cli/command.ts'
import { commandNames, commandsFor } from '../../cli/commands.ts'
import { exits } from '../../cli/io.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import { run } from './in-process.ts'

/** The help is what a user reads first: it fits a terminal, groups what belongs together, and completes itself. */

for (const name of commandNames) {
  test(`assay ${name} --help fits 100 columns`, async () => {
    const { out, exit } = await run(`${name} --help`)
    expect(exit).toBe(0)
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([])
    const [command, ...others] = await commandsFor([name])
    expect(command?.usage.split(' ')[0]).toBe(name)
    expect(others, 'a command line loads its own command only').toEqual([])
    for (const option of Object.keys(command!.options)) expect(out).toContain(`--${option}`)
  })

  test(`assay ${name} --help groups its options and describes each as a sentence`, async () => {
    const { out } = await run(`${name} --help`)
    const [command] = await commandsFor([name])
    expect(out).not.toContain('\nOptions:')
    for (const [option, { group = groups.scope, describe }] of Object.entries(command!.options)) {
      expect(out, option).toContain(`\n${group}\n`)
      // An identifier keeps its spelling; everything else begins with a capital letter and has no full stop.
      expect(describe, option).toMatch(/^([A-Z]|svc |manual: |production, )/)
      expect(describe, option).not.toMatch(/\.$/)
    }
  })
}

test('the general help names every command and every exit code', async () => {
  const { out } = await run('--help')
  for (const name of commandNames) expect(out).toContain(`assay ${name}`)
  expect(out).toContain('assay completion')
  const codes = out.slice(out.indexOf('Exit codes:')).replaceAll('\n', ' ')
  for (const code of Object.values(exits)) expect(codes).toMatch(new RegExp(`[ ;] ?${code} `))
})

const [mutant = ''] = Object.keys(mutants)

test('an unknown command, option, value or id is reported with the nearest one', async () => {
  for (const [line, meant] of [
    ['chek', 'Did you mean check?'],
    ['serv', 'Did you mean serve?'],
    ['completoin', 'Did you mean completion?'],
    ['check --targt x', 'Did you mean --target?'],
    ['generate --atachment', 'Did you mean --attachment?'],
    ['serve --managment-port 1', 'Did you mean --management-port?'],
    ['serve --environment tst', 'Did you mean test?'],
    ['check --dialect ksfe', 'Did you mean ksef?'],
    ['check auth.statsu', 'Did you mean auth.status?'],
    [`serve --mutant ${mutant}x`, `Did you mean ${mutant}?`],
  ] as const) {
    const { err, exit } = await run(line)
    expect(err, line).toContain(meant)
    expect(exit, line).toBe(2)
  }
})

test('suggests nothing when no name is similar', async () => {
  expect((await run('xylophone')).err).not.toContain('Did you mean')
})

test('completion prints a script that completes commands, options and rule ids', async () => {
  const { out, exit } = await run('completion')
  expect(exit).toBe(0)
  expect(out).toContain('assay --get-yargs-completions')
  const complete = async (line: string) =>
    (await run(`--get-yargs-completions ${line}`)).out.trim().split('\n')
  expect(await complete('assay ser')).toContain('serve')
  expect(await complete('assay serve --cl')).toContain('--clock')
  expect(await complete('assay serve --clock')).toEqual(expect.arrayContaining(['real', 'manual']))
  expect(await complete('assay check auth.st')).toContain('auth.status')
})

for (const line of ['contract diff', 'limits identify', 'contract diff openapi.json'])
  test(`assay ${line} --help prints the help of its command`, async () => {
    const { out, exit } = await run(`${line} --help`)
    expect(exit).toBe(0)
    expect(out).toContain(`assay ${line.split(' ')[0]} <action>`)
  })
