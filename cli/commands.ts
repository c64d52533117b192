import { certify } from './commands/certify.ts'
import { check } from './commands/check.ts'
import { contract } from './commands/contract.ts'
import { doctor } from './commands/doctor.ts'
import { examine } from './commands/examine.ts'
import { generate } from './commands/generate.ts'
import { init } from './commands/init.ts'
import { list } from './commands/list.ts'
import { lint } from './commands/lint.ts'
import { load } from './commands/load.ts'
import { mutate } from './commands/mutate.ts'
import { plan } from './commands/plan.ts'
import { record } from './commands/record.ts'
import { report } from './commands/report.ts'
import { serve } from './commands/serve.ts'
import { verify } from './commands/verify.ts'

/** Every command, in the order of the help. */
export const commands = [
  certify,
  check,
  examine,
  record,
  mutate,
  load,
  plan,
  serve,
  generate,
  lint,
  list,
  contract,
  report,
  verify,
  doctor,
  init,
]
