import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A project of a user, as the templates expect it: its own client, its tests, and what they need of the package. */

/** The tests of the user's client: they log in at the service that the job started. */
const ownTests = `import { connect } from 'assay/client'
const { ASSAY_ORIGIN, ASSAY_NIP, ASSAY_TOKEN } = process.env
const client = connect({ url: ASSAY_ORIGIN + '/v2', dialect: 'ksef' })
const { accessToken } = await client.loginWithToken(ASSAY_NIP, ASSAY_TOKEN)
client.close()
console.log('own tests:', accessToken.length > 100 ? 'passed' : 'failed')
`

/** The client that is examined; by a path, because the package does not export its example. */
const ownClient = `import "../node_modules/assay/dist/examples/client/main.js"
`

export interface Target {
  readonly url: string
  readonly value: string
}

const profile = ({ url, value }: Target, environment: string): string => `{
  // The environment that the nightly job checks.
  "url": ${JSON.stringify(url)},
  "environment": ${JSON.stringify(environment)},
  "contexts": [{ "kind": "Nip", "value": ${JSON.stringify(value)}, "token": { "env": "SERVICE_TOKEN" } }]
}
`

/**
 * Writes the project.
 * @param target what stands in for the test environment, where a job needs one
 */
export const writeProject = (folder: string, target?: Target): void => {
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const scripts = { test: 'node test.mjs' }
  write('package.json', JSON.stringify({ name: 'client', private: true, type: 'module', scripts }))
  write('test.mjs', ownTests)
  write('dist/client.js', ownClient)
  write('assay/known.json', '{ "known": [] }')
  if (target !== undefined) write('assay/test.jsonc', profile(target, 'test'))
}

/** What `npm ci` would install, linked from this repository, which saves minutes. */
export const linkPackages = (folder: string, root: string): void => {
  const modules = path.join(folder, 'node_modules')
  if (existsSync(modules)) return
  mkdirSync(path.join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name))
  mkdirSync(path.join(modules, 'assay'))
  for (const name of ['package.json', 'docs'])
    cpSync(path.join(root, name), path.join(modules, 'assay', name), { recursive: true })
  symlinkSync(path.join(root, 'dist'), path.join(modules, 'assay/dist'))
  symlinkSync('../assay/dist/cli/main.js', path.join(modules, '.bin/assay'))
}
