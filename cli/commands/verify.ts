import { statSync } from 'node:fs'
import path from 'node:path'
import { verifyPack } from '../../reports/evidence/verify-pack.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { keyOf, testedBuild } from '../evidence.ts'
import { exits, printJson, usageError } from '../io.ts'

interface Args {
  pack: string
  key: string | undefined
  subject: string | undefined
  json: boolean
}

export const verify: Command<Args> = {
  usage: 'verify <pack>',
  summary: 'Verify an evidence pack offline: its signature and every file',
  positionals: {
    pack: { type: 'string', describe: 'Directory of the pack' },
  },
  options: {
    key: {
      type: 'string',
      group: groups.scope,
      describe: 'Public key (PEM) of the signer you trust; absent: the one in the pack',
    },
    subject: {
      type: 'string',
      group: groups.scope,
      describe: 'File of a build that the pack has to be about',
    },
    json: shared.json,
  },
  examples: {
    'verify reports/evidence --key release.pub.pem': 'verifies a pack, and who signed it',
  },
  run: async ({ pack, key, subject, json }, io) => {
    const folder = path.resolve(io.cwd, pack)
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found?.isDirectory() !== true)
      throw usageError(
        `expected the directory of an evidence pack, received ${JSON.stringify(pack)}`,
      )
    const verdict = verifyPack(
      folder,
      key === undefined ? undefined : keyOf('key', key, io),
      testedBuild(subject, io),
    )
    const exit = verdict.valid ? exits.conformant : exits.failed
    if (json) printJson(io, { ...verdict, exit })
    else io.out(`${verdict.words}\n`)
    return exit
  },
}
