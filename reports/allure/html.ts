import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { makeDirectory } from '../../lib/node/make-directory.ts'

/**
 * Allure's HTML report, one file that needs no server: written by the generator that comes with this package where
 * there is Java, else by Allure 3, which needs no Java, where the user has installed it.
 */

export interface AllureHtml {
  /** Directory of the results. */
  readonly results: string
  /** Directory of the HTML. */
  readonly directory: string
  /** Heading of the report. */
  readonly title: string
  /** Language of Allure's own texts, for example `en`. */
  readonly language: string
  /** Directory that carries the history from run to run. */
  readonly history?: string
  /** The user's working directory, where packages that the user installed are looked up. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type AllureOutcome = { readonly written: string } | { readonly missing: string }

interface Ended {
  readonly code: number | null
  readonly said: string
}

const run = (command: string, args: readonly string[], env: AllureHtml['env']): Promise<Ended> =>
  new Promise((resolve) => {
    const said: string[] = []
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    child.on('error', (error) => resolve({ code: null, said: error.message }))
    child.on('close', (code) => resolve({ code, said: said.join('').trim() }))
  })

const hasJava = async (env: AllureHtml['env']): Promise<boolean> => {
  const home = env['JAVA_HOME']
  const { code } = await run(home ? path.join(home, 'bin/java') : 'java', ['-version'], env)
  return code === 0
}

const lastLine = ({ code, said }: Ended): string => said.split('\n').at(-1) || `exit ${code}`

// A report makes no calls: the generator's analytics tag is switched off.
const withoutAnalytics = (env: AllureHtml['env']) => ({ ...env, ALLURE_NO_ANALYTICS: 'true' })

const allure2 = (args: readonly string[], env: AllureHtml['env']): Promise<Ended> => {
  const generator = path.join(
    path.dirname(createRequire(import.meta.url).resolve('allure-commandline')),
    // JavaScript, which runs everywhere: it starts the shell or batch script of the platform.
    'bin/allure',
  )
  return run(process.execPath, [generator, 'generate', ...args], withoutAnalytics(env))
}

/** The history of earlier runs goes into the results; the new history comes from a report in many files. */
const carryHistory = async (
  history: string,
  { results, title, env }: AllureHtml,
): Promise<Ended> => {
  makeDirectory(history)
  await cp(history, path.join(results, 'history'), { recursive: true })
  const work = await mkdtemp(path.join(tmpdir(), 'assay-allure-'))
  try {
    const ended = await allure2(['--clean', '--name', title, '--output', work, results], env)
    if (ended.code === 0) await cp(path.join(work, 'history'), history, { recursive: true })
    return ended
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * The share of green checks says little, and its ring hides the few that are red: the heading has the verdict. On a
 * small screen the menu shows icons only, cards take the whole width, and a result is below the list that it was chosen
 * in.
 */
const style = `<style>
.widget .chart__caption{display:none}
@media(max-width:600px){
.side-nav{width:72px!important}.side-nav__text{display:none!important}
.widgets-grid{display:block!important;padding:0 4px!important}.widgets-grid__col{padding:4px!important;width:auto!important}.widget{margin:0 0 12px!important}
.side-by-side{display:block!important;height:100vh!important}.gutter{display:none!important}
.side-by-side__left,.side-by-side__right{height:auto!important;overflow:auto!important;width:100%!important}
.side-by-side:has(.test-result) .side-by-side__left,.side-by-side:has(.test-result) .side-by-side__right{height:50vh!important}
}
</style>`

const byJava = async (html: AllureHtml): Promise<Ended> => {
  const { results, directory, title, language, history, env } = html
  if (history !== undefined) {
    const ended = await carryHistory(history, html)
    if (ended.code !== 0) return ended
  }
  const named = ['--name', title, '--lang', language]
  const args = ['--single-file', '--clean', ...named, '--output', directory, results]
  const ended = await allure2(args, env)
  if (ended.code === 0) {
    const file = path.join(directory, 'index.html')
    const page = await readFile(file, 'utf8')
    await writeFile(file, page.replace('</head>', `${style}</head>`))
  }
  return ended
}

/** The command of Allure 3 in the user's project. */
const allure3 = (cwd: string): string | undefined => {
  try {
    const main = createRequire(path.join(cwd, 'package.json')).resolve('allure')
    const command = path.join(path.dirname(main), '../cli.js')
    return existsSync(command) ? command : undefined
  } catch {
    return undefined
  }
}

const byNode = async (command: string, html: AllureHtml): Promise<Ended> => {
  const { results, directory, title, language, history, env } = html
  const work = await mkdtemp(path.join(tmpdir(), 'assay-allure-'))
  const config = path.join(work, 'allurerc.json')
  const options = { singleFile: true, reportName: title, reportLanguage: language }
  await writeFile(
    config,
    JSON.stringify({
      name: title,
      output: directory,
      ...(history === undefined ? {} : { historyPath: path.join(history, 'history.jsonl') }),
      plugins: { awesome: { options } },
    }),
  )
  try {
    if (history !== undefined) makeDirectory(history)
    await rm(directory, { recursive: true, force: true })
    const args = [command, 'generate', '--config', config, results]
    return await run(process.execPath, args, withoutAnalytics(env))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Writes the HTML of Allure results, or says what this machine lacks for it. */
export const generateAllureHtml = async (html: AllureHtml): Promise<AllureOutcome> => {
  const java = await hasJava(html.env)
  const command = java ? undefined : allure3(html.cwd)
  if (!java && command === undefined)
    return {
      missing:
        'the Allure results are written, the HTML is not: it needs Java (17 or later, on PATH or in JAVA_HOME), or Allure 3 in your project (`npm install --save-dev allure`). Then run `assay report`',
    }
  const ended = command === undefined ? await byJava(html) : await byNode(command, html)
  const file = path.join(html.directory, 'index.html')
  const made = await readdir(html.directory).catch((): string[] => [])
  return ended.code === 0 && made.includes('index.html')
    ? { written: file }
    : { missing: `the Allure generator failed: ${lastLine(ended)}` }
}
