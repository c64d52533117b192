// Makes signed-by-dss-*.xml: requests signed by the European reference library (EU DSS), for machines without Java.
// Needs a JDK and Maven. Run it in the project's folder after `npm run build`; the keys are thrown away.

import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authRequestXml } from '../../dist/lib/node/auth-request.js'
import { dssMissing, prepare, signWithDss } from '../../dist/test/interop/signers.js'

const missing = dssMissing()
if (missing !== undefined) {
  console.error(missing)
  process.exit(3)
}
const now = Date.parse('2026-06-15T08:00:00Z')
const nip = '5265877635'
const ways = ['default-p256', 'xpath', 'enveloping-base64', 'enveloped-lta']
const folder = mkdtempSync(join(tmpdir(), 'assay-'))
const request = authRequestXml({
  challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
  context: { type: 'Nip', value: nip },
  subjectIdentifierType: 'certificateSubject',
})
prepare(folder, request, nip, now)
signWithDss(folder, now, ways)
for (const way of ways) {
  copyFileSync(join(folder, 'out', `${way}.xml`), `contract/vectors/signed-by-dss-${way}.xml`)
}
