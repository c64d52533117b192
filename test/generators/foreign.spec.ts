import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { seededDraw } from '../../generators/draw/draw.ts'
import { compileRoot } from '../../generators/schema/arbitrary.ts'
import { readSchema } from '../../generators/schema/files.ts'
import { checkFillable } from '../../generators/schema/fillable.ts'
import { SchemaError } from '../../generators/schema/model.ts'
import { serialize } from '../../generators/schema/serialize.ts'
import { validatorMissing } from '../../lib/node/xsd.ts'
import { seedFrom } from '../../lib/random.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

/**
 * Documents of schemas that others published, valid by libxml2. `node scripts/foreign-schemas.mjs` fetches the packages
 * that hold them; `ASSAY_FOREIGN` names another directory of XSD files.
 */

const directory = process.env['ASSAY_FOREIGN'] ?? '.cache/foreign-schemas'

/** File -> its root, one of each standard; all files below the directory are read. */
const standards: Readonly<Record<string, string>> = {
  'UBL-Invoice-2.1.xsd': 'Invoice',
  'UBL-CreditNote-2.1.xsd': 'CreditNote',
  'pain.001.001.09.xsd': 'Document',
  'pain.008.001.08.xsd': 'Document',
  'camt.053.001.08.xsd': 'Document',
  'camt.056.001.12.xsd': 'Document',
  'pacs.004.001.11.xsd': 'Document',
  'CrossIndustryInvoice_100pD22B.xsd': 'CrossIndustryInvoice',
  'Factur-X_EXTENDED.xsd': 'CrossIndustryInvoice',
  'SCRDMCCBDACIOMessageStructure_100pD20B.xsd': 'SCRDMCCBDACIOMessageStructure',
  'FatturaPA_v1.2.xsd': 'FatturaElettronica',
}

interface Native {
  parseXml(
    xml: Buffer,
    options: object,
  ): { validate(schema: unknown): boolean; validationErrors: readonly { message: string }[] }
}

const files = existsSync(directory)
  ? readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.xsd'))
      .map((file) => path.resolve(directory, file))
  : []

for (const [name, root] of Object.entries(standards))
  test(`documents of ${name} are valid by libxml2`, () => {
    test.setTimeout(120_000)
    const file = files.find((each) => path.basename(each) === name)
    test.skip(file === undefined, `${name} is not below ${directory}`)
    const missing = validatorMissing()
    test.skip(missing !== undefined, missing)
    const native = createRequire(import.meta.url)('libxmljs2') as Native
    const schema = readSchema(file!)
    checkFillable(schema, root)
    const make = compileRoot(schema, root)
    const xsd = native.parseXml(readFileSync(file!), { baseUrl: file, nonet: true })
    for (let index = 0; index < 5; index++) {
      const seed = seedFrom(runOptions.seed, name, index)
      const bytes = serialize(make(seededDraw(seed)))
      const document = native.parseXml(Buffer.from(bytes), { nonet: true })
      document.validate(xsd)
      expect(
        document.validationErrors.map(({ message }) => message),
        `seed ${seed}`,
      ).toEqual([])
    }
  })

test('every other schema is read, or refused with construct and line', () => {
  test.setTimeout(300_000)
  test.skip(files.length === 0, `there are no schemas below ${directory}`)
  const faults: string[] = []
  for (const file of files) {
    try {
      readSchema(file)
    } catch (error) {
      if (!(error instanceof SchemaError) || error.line < 1)
        faults.push(`${file}: ${String(error)}`)
    }
  }
  expect(faults).toEqual([])
})
