import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Capability } from '../../contract/types.ts'
import { capabilitiesOf } from '../../suites/support/service/capabilities.ts'
import { capabilityGains, gainSentence } from '../capability-gain.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { couldNotRun, exits, usageError } from '../io.ts'
import { locateService } from '../preflight/preflight.ts'
import { registeredChecks } from '../registered.ts'
import { resolveTarget } from '../target.ts'

interface Args {
  url: string
  file: string
  dialect: string | undefined
}

const schemaPath = 'node_modules/assay/docs/reference/target.schema.json'

/** The profile as text, with comments on what only the user can know. */
const profileText = (
  found: { readonly url: string; readonly dialect: string },
  environment: string,
  capabilities: readonly Capability[],
  gains: readonly string[],
): string => `{
  "$schema": ${JSON.stringify(schemaPath)},
  "url": ${JSON.stringify(found.url)},
  "dialect": ${JSON.stringify(found.dialect)},

  // test, demo or production. assay found ${environment === 'test' ? 'the test-data operations, so this is a test environment' : 'no test-data operations'}.
  // Production is read only without a consent file: docs/guides/target-profiles.md
  "environment": ${JSON.stringify(environment)},

  // Who calls. Secrets stand in the environment or in files, never here:
  //   { "kind": "Nip", "value": "5265877635", "token": { "env": "SERVICE_TOKEN" } }
  //   { "kind": "Nip", "value": "5265877635", "pkcs12": "seal.p12", "passphrase": { "env": "SEAL_PASSPHRASE" } }
  "contexts": [],

  // What the target offers or agrees to. Adding one verifies more:
${gains.map((gain) => `  //   ${gain}`).join('\n')}
  "capabilities": ${JSON.stringify(capabilities)}
}
`

const writeNew = async (file: string, text: string): Promise<void> => {
  try {
    const handle = await open(file, 'wx')
    await handle.writeFile(text)
    await handle.close()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usageError(
      code === 'EEXIST'
        ? `${file} already exists; name another with --file, or remove it`
        : `${file} cannot be written: ${message}`,
    )
  }
}

/** Looks at a service and writes a profile for it. */
export const init: Command<Args> = {
  usage: 'init <url>',
  summary: 'Probe a service and write a target profile, with comments on what to fill in',
  positionals: {
    url: { type: 'string', demandOption: true, describe: 'URL with the version prefix' },
  },
  options: {
    file: {
      type: 'string',
      default: 'target.json',
      group: shared.out.group,
      describe: 'File to write; never overwritten',
    },
    dialect: shared.dialect,
  },
  run: async ({ url, file, dialect }, io) => {
    if (!/^https?:\/\/[^/]/.test(url))
      throw usageError(`expected a URL such as https://test.example/api/v2, received "${url}"`)
    const located = await locateService({
      url: url.replace(/\/+$/, ''),
      ...(dialect && { dialect }),
    })
    if ('id' in located)
      throw couldNotRun(`${located.id}: ${located.found}\n  -> ${located.advice ?? ''}`)
    const profile = await resolveTarget({ target: located.url, dialect: located.dialect }, io)
    const { environment = 'test', capabilities = [] } = profile
    const gains = capabilityGains(capabilitiesOf(profile, false), await registeredChecks())
    await writeNew(
      path.resolve(io.cwd, file),
      profileText(located, environment, capabilities, gains.map(gainSentence)),
    )
    io.out(`${file} written: ${located.dialect} at ${located.url}, environment ${environment}\n`)
    io.out(`Fill in "contexts", then: assay doctor --target ${file}\n`)
    return exits.conformant
  },
}
