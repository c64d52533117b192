import type { Command } from './command.ts'

/** Every command by its name, in the order of the help. A command loads packages that the others do not need. */
const loaders = {
  certify: async () => (await import('./commands/certify.ts')).certify,
  check: async () => (await import('./commands/check.ts')).check,
  examine: async () => (await import('./commands/examine.ts')).examine,
  record: async () => (await import('./commands/record.ts')).record,
  mutate: async () => (await import('./commands/mutate.ts')).mutate,
  load: async () => (await import('./commands/load.ts')).load,
  limits: async () => (await import('./commands/limits.ts')).limits,
  plan: async () => (await import('./commands/plan.ts')).plan,
  serve: async () => (await import('./commands/serve.ts')).serve,
  generate: async () => (await import('./commands/generate.ts')).generate,
  lint: async () => (await import('./commands/lint.ts')).lint,
  list: async () => (await import('./commands/list.ts')).list,
  contract: async () => (await import('./commands/contract.ts')).contract,
  report: async () => (await import('./commands/report.ts')).report,
  verify: async () => (await import('./commands/verify.ts')).verify,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  init: async () => (await import('./commands/init.ts')).init,
} as const

export const commandNames = Object.keys(loaders) as (keyof typeof loaders)[]

const isName = (word: string | undefined): word is keyof typeof loaders =>
  word !== undefined && Object.hasOwn(loaders, word)

/** The command that a command line starts with; all of them where it starts with anything else. */
export const commandsFor = async (argv: readonly string[]): Promise<readonly Command[]> => {
  const first = argv.find((word) => word !== '--quiet' && word !== '-q')
  if (first === '--version') return []
  const names = isName(first) ? [first] : commandNames
  return (await Promise.all(names.map((name) => loaders[name]()))) as readonly Command[]
}
